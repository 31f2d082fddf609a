import CPcap

/// A BPF expression, compiled by libpcap once per link type and run on single packets.
///
/// An expression can be valid for one interface of a capture and not for another. Then the packets of the other are left
/// out and counted; an expression that is valid for no link type is an error.
final class PacketFilter {
  private enum Program {
    case compiled(UnsafeMutablePointer<bpf_program>)
    case unusable
  }

  let expression: String
  private let file: String
  private var programs: [UInt16: Program] = [:]

  init(_ expression: String, file: String) {
    self.expression = expression
    self.file = file
  }

  deinit {
    for case .compiled(let program) in programs.values {
      pcap_freecode(program)
      program.deallocate()
    }
  }

  /// Compiles for the only link type a file has, where "not for this one" is an error too.
  func prepare(forOnly linkType: UInt16) throws(CaptureError) {
    switch compile(for: linkType) {
    case .success(let program): programs[linkType] = .compiled(program)
    case .failure(let reason): throw error(reason.text, linkType)
    }
  }

  /// Drops the packets from `first` on that the expression does not match.
  func apply(
    to packets: inout [PacketRecord], from first: Int, in bytes: [UInt8], info: inout CaptureInfo
  ) throws(CaptureError) {
    var kept = first
    var start = first
    while start < packets.count {
      let linkType = packets[start].linkType
      var end = start + 1
      while end < packets.count, packets[end].linkType == linkType { end += 1 }
      switch try program(for: linkType) {
      case .compiled(let program): kept = PacketFilter.run(program, &packets, start..<end, to: kept, bytes)
      case .unusable: info.note(.notFilterable(linkType: linkType, packets: UInt64(end - start)))
      }
      start = end
    }
    packets.removeSubrange(kept...)
  }

  /// Moves the matching packets of `range` to `kept` and on, and returns where the last one ended.
  private static func run(
    _ program: UnsafeMutablePointer<bpf_program>, _ packets: inout [PacketRecord], _ range: Range<Int>, to kept: Int,
    _ bytes: [UInt8]
  ) -> Int {
    bytes.withUnsafeBytes { buffer in
      var kept = kept
      var header = pcap_pkthdr()
      for index in range {
        let packet = packets[index]
        header.caplen = UInt32(clamping: packet.capturedLength)
        header.len = UInt32(clamping: packet.wireLength)
        let part = buffer[packet.offset..<packet.offset + packet.capturedLength]
        guard let start = UnsafeRawBufferPointer(rebasing: part).baseAddress,
          pcap_offline_filter(program, &header, start.assumingMemoryBound(to: UInt8.self)) != 0
        else { continue }
        packets[kept] = packet
        kept += 1
      }
      return kept
    }
  }

  private func program(for linkType: UInt16) throws(CaptureError) -> Program {
    if let program = programs[linkType] { return program }
    let program: Program
    switch compile(for: linkType) {
    case .success(let compiled): program = .compiled(compiled)
    case .failure(let reason):
      // Valid for Ethernet: invalid only for this link type. Otherwise the expression itself is invalid.
      let ethernet: UInt16 = 1
      guard linkType != ethernet, case .success(let probe) = compile(for: ethernet) else {
        throw error(reason.text, linkType)
      }
      pcap_freecode(probe)
      probe.deallocate()
      program = .unusable
    }
    programs[linkType] = program
    return program
  }

  private struct Reason: Error { var text: String }

  private func compile(for linkType: UInt16) -> Result<UnsafeMutablePointer<bpf_program>, Reason> {
    guard let handle = pcap_open_dead(LinkTypes.libpcapNumber(of: linkType), CInt(CaptureLimits.packet)) else {
      return .failure(Reason(text: "libpcap has no memory"))
    }
    defer { pcap_close(handle) }
    let program = UnsafeMutablePointer<bpf_program>.allocate(capacity: 1)
    program.initialize(to: bpf_program())
    guard pcap_compile(handle, program, expression, 1, bpf_u_int32(UInt32.max)) == 0 else {
      program.deallocate()
      return .failure(Reason(text: pcap_geterr(handle).map { String(cString: $0) } ?? "unknown error"))
    }
    return .success(program)
  }

  private func error(_ reason: String, _ linkType: UInt16) -> CaptureError {
    var error = CaptureError(
      file, "the filter '\(expression)' cannot be applied to \(LinkTypes.name(of: linkType)): \(reason)",
      fix: PacketFilter.hint(for: expression))
    error.isOfFilter = true
    return error
  }

  /// What to do about an expression that libpcap refuses.
  static func hint(for expression: String) -> String {
    looksLikeDisplayFilter(expression)
      ? "this looks like a Wireshark display filter, but -f takes a capture filter such as 'tcp port 80'"
      : "see pcap-filter(7) for the syntax"
  }

  /// Fields such as `tcp.port` and protocols above TCP exist only in display filters.
  private static func looksLikeDisplayFilter(_ expression: String) -> Bool {
    if expression.contains("==") || expression.contains("!=") || expression.contains(" eq ") { return true }
    let words = expression.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "_") }
    let protocols: Set<Substring> = ["http", "http2", "tls", "ssl", "websocket", "dns", "quic"]
    return words.contains { word in
      protocols.contains(word) || (word.contains(".") && word.first?.isLetter == true && word.last?.isLetter == true)
    }
  }
}
