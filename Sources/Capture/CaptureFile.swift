import Citation

/// A capture file, or standard input.
///
/// The bytes are read straight into the window, and parsed there. What is left of the last record goes to the head of
/// the next window, so no packet is ever split; the window grows, by doubling as bytes arrive and never by what a
/// length claims, only for a record that alone fills it. Not Sendable: one task uses it at a time.
package final class CaptureFile: CaptureSource {
  private enum Parser {
    case pcap(PcapParser)
    case pcapng(PcapNGParser)
  }

  private static let headLength = 64

  private let source: any ByteSource
  private let filter: PacketFilter?
  private var parser: Parser
  /// Bytes that were read and not yet parsed; the beginning of a record.
  private var carried: [UInt8]
  /// Their offset in the decompressed file.
  private var position: UInt64
  private var isOver = false
  /// Whether packets of a slow pipe are handed over before a window is full. Then windows end where the pipe paused, and
  /// what depends on their size (how long delivered bytes can be compared) is not the same in every run.
  package var handsOverEarly = true
  package private(set) var info: CaptureInfo

  /// Opens the file and reads its header; "-" is standard input.
  package convenience init(path: String, filter: String?) throws(CaptureError) {
    let name = path == "-" ? "standard input" : path
    try self.init(DescriptorSource(path: path, name: name), name: name, filter: filter)
  }

  package init(_ source: any ByteSource, name: String, filter: String? = nil) throws(CaptureError) {
    var head = try CaptureFile.head(of: source)
    let compression = CaptureFile.compression(head)
    self.source = try CaptureFile.unpacked(source, compression, head, name)
    if compression != .none { head = try CaptureFile.head(of: self.source) }
    self.filter = filter.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : PacketFilter($0, file: name) }

    let opened: Result<Parser, Refusal>
    if PcapParser.startsWithMagic(head.span.bytes) {
      opened = PcapParser.open(head.span.bytes).map { .pcap($0) }
    } else if PcapNGParser.startsWithMagic(head.span.bytes) {
      opened = PcapNGParser.open(head.span.bytes).map { .pcapng($0) }
    } else {
      opened = .failure(FileKind.refusal(head))
    }
    switch opened {
    case .failure(let refusal):
      if self.source.defect != nil {
        throw CaptureError(name, "the compressed data is cut short or corrupt", fix: "check that it was copied whole")
      }
      throw CaptureError(name, refusal.what, fix: refusal.fix)
    case .success(let parser): self.parser = parser
    }

    switch parser {
    case .pcap(let pcap):
      info = CaptureInfo(
        format: CaptureFormat(
          .pcap, compression: compression, isBigEndian: pcap.order.isBig, isNanosecond: pcap.isNanosecond))
      info.interfaces = [
        CaptureInterface(
          linkType: pcap.linkType, snapLength: pcap.snapLength,
          clock: pcap.isNanosecond ? .nanoseconds : .microseconds)
      ]
      carried = Array(head[PcapParser.headerLength...])
      position = UInt64(PcapParser.headerLength)
      try self.filter?.prepare(forOnly: pcap.linkType)
    case .pcapng(let pcapng):
      info = CaptureInfo(format: CaptureFormat(.pcapng, compression: compression, isBigEndian: pcapng.order.isBig))
      carried = head
      position = 0
    }
  }

  package var progress: (read: UInt64, size: UInt64?) { source.progress }

  /// Whether a read would return without waiting.
  var isReady: Bool { isOver || source.isReady }

  /// Of the last packet so far, also of one that the filter dropped.
  var lastNumber: UInt64 {
    switch parser {
    case .pcap(let pcap): pcap.lastNumber
    case .pcapng(let pcapng): pcapng.lastNumber
    }
  }

  package func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    window.packets.removeAll(keepingCapacity: true)
    guard !isOver else { return false }
    do throws(CaptureError) {
      try refill(&window)
    } catch {
      isOver = true
      window.packets.removeAll(keepingCapacity: true)
      throw error
    }
    return !isOver || !window.packets.isEmpty
  }

  private func refill(_ window: inout PacketWindow) throws(CaptureError) {
    var filled = carried.count
    if window.bytes.count <= filled {
      window.bytes += [UInt8](repeating: 0, count: filled * 2 - window.bytes.count)
    }
    window.bytes.replaceSubrange(0..<filled, with: carried)
    var parsed = 0
    while true {
      let found = window.packets.count
      let start = parsed
      parsed = parse(&window, start..<filled)
      position &+= UInt64(parsed - start)
      try filter?.apply(to: &window.packets, from: found, in: window.bytes, info: &info)
      if isOver { break }
      if filled == window.bytes.count {
        guard parsed == 0 else { break }
        window.bytes += [UInt8](repeating: 0, count: filled)
      }
      if handsOverEarly, !window.packets.isEmpty, !source.isReady { break }
      let count = try window.bytes.read(from: source, at: filled)
      if count == 0 {
        finish(unparsed: filled - parsed)
        break
      }
      filled += count
    }
    carried.removeAll(keepingCapacity: true)
    if !isOver { carried.append(contentsOf: window.bytes[parsed..<filled]) }
  }

  /// Parses the bytes of `range` in place and returns the offset of the first incomplete record.
  private func parse(_ window: inout PacketWindow, _ range: Range<Int>) -> Int {
    let end: Int
    // Out of the window meanwhile: a span of one of its fields holds the whole of it.
    var packets: [PacketRecord] = []
    swap(&packets, &window.packets)
    defer { swap(&packets, &window.packets) }
    switch parser {
    case .pcap(var pcap):
      end = pcap.parse(window.bytes.span.bytes, range, at: position, into: &packets, info: &info)
      parser = .pcap(pcap)
      isOver = pcap.isOver
    case .pcapng(var pcapng):
      end = pcapng.parse(window.bytes.span.bytes, range, at: position, into: &packets, info: &info)
      parser = .pcapng(pcapng)
      isOver = pcapng.isOver
    }
    return end
  }

  /// Notes a problem if the file does not end between two records.
  private func finish(unparsed: Int) {
    isOver = true
    let last = lastNumber
    switch source.defect {
    case .cut(let byte): info.note(.cutShort(atByte: byte, lastWholePacket: last))
    case .damaged(let byte, let what): info.note(.damaged(atByte: byte, what: what))
    case nil:
      if unparsed > 0 { info.note(.cutShort(atByte: position &+ UInt64(unparsed), lastWholePacket: last)) }
    }
  }

  /// As much of the beginning as it takes to determine what it is.
  private static func head(of source: any ByteSource) throws(CaptureError) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: headLength)
    var filled = 0
    while filled < headLength {
      let count = try head.read(from: source, at: filled)
      if count == 0 { break }
      filled += count
    }
    return Array(head[..<filled])
  }

  private static func compression(_ head: [UInt8]) -> CaptureFormat.Compression {
    if head.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
    let isSkippable = head.count >= 4 && head[0] & 0xF0 == 0x50 && head[1...3] == [0x2A, 0x4D, 0x18]
    return isSkippable || head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? .zstd : .none
  }

  private static func unpacked(
    _ source: any ByteSource, _ compression: CaptureFormat.Compression, _ head: [UInt8], _ name: String
  ) throws(CaptureError) -> any ByteSource {
    switch compression {
    case .none: return source
    case .gzip:
      #if Zlib
        return try GzipSource(source, head: head, name: name)
      #else
        throw CaptureError(name, "compressed with gzip, which this build cannot read", fix: "decompress it with gunzip")
      #endif
    case .zstd:
      #if Zstd
        return try ZstdSource(source, head: head, name: name)
      #else
        throw CaptureError(name, "compressed with zstd, which this build cannot read", fix: "decompress it with unzstd")
      #endif
    }
  }
}
