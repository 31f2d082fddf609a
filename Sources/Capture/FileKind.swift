/// Recognises files that are not captures by their first bytes, for a message that says what to do.
package enum FileKind {
  private struct Entry {
    let magic: [UInt8]
    let what: String
    let fix: String

    init(_ magic: [UInt8], _ what: String, _ fix: String) {
      self.magic = magic
      self.what = what
      self.fix = fix
    }
  }

  private static let unpack = "decompress it first"
  private static let convert = "convert it with 'editcap -F pcapng IN OUT'"
  private static let known: [Entry] = [
    Entry(Array("PK".utf8), "starts with 'PK', a zip archive", unpack),
    Entry([0x1F, 0x8B], "gzip inside gzip or zstd", "decompress it once"),
    Entry([0x28, 0xB5, 0x2F, 0xFD], "zstd inside gzip or zstd", "decompress it once"),
    Entry(Array("BZh".utf8), "compressed with bzip2", "decompress it with bunzip2"),
    Entry([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz", "decompress it with unxz"),
    Entry([0x37, 0x7A, 0xBC, 0xAF], "a 7-zip archive", unpack),
    Entry([0x04, 0x22, 0x4D, 0x18], "compressed with lz4", "decompress it with unlz4"),
    Entry([0x1F, 0x9D], "compressed with compress", "decompress it with uncompress"),
    Entry(Array("snoop\0\0\0".utf8), "a snoop capture", convert),
    Entry(Array("TRSNIFF data".utf8), "a Sniffer capture", convert),
    Entry(Array("XCP\0".utf8), "a NetXRay capture", convert),
    Entry(Array("iptrace".utf8), "an iptrace capture", convert),
    Entry(Array("GMBU".utf8), "a Microsoft Network Monitor capture", convert),
    Entry(Array("RTSS".utf8), "a Microsoft Network Monitor capture", convert),
    Entry([0x7F, 0x45, 0x4C, 0x46], "a program", "name a capture file"),
    Entry(Array("<?xml".utf8), "XML text", "name the capture it was made from"),
    Entry(Array("<".utf8), "HTML or XML text", "name a capture file; this may be an error page saved in its place"),
    Entry(Array("{".utf8), "JSON text, perhaps a HAR file", "capture with tcpdump -w; a HAR file holds no packets"),
    Entry(Array("[".utf8), "JSON text", "name the capture it was made from"),
  ]

  /// Whether a file begins like a capture, or is empty or compressed and may be one.
  package static func mayBeCapture(_ path: String) -> Bool {
    guard let source = try? DescriptorSource(path: path, name: path) else { return true }
    var head = [UInt8](repeating: 0, count: 4)
    let count = (try? head.read(from: source, at: 0)) ?? 0
    guard count == 4 else { return count == 0 }
    return PcapParser.startsWithMagic(head.span.bytes) || PcapNGParser.startsWithMagic(head.span.bytes)
      || head.starts(with: [0x1F, 0x8B]) || head.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
      || (head[0] & 0xF0 == 0x50 && head[1...3] == [0x2A, 0x4D, 0x18])
  }

  static func refusal(_ head: [UInt8]) -> Refusal {
    if head.isEmpty {
      return Refusal(what: "empty", fix: "capture again; even without packets tcpdump -w writes a header")
    }
    for entry in known where head.starts(with: entry.magic) {
      return Refusal(what: "not a capture: \(entry.what)", fix: entry.fix)
    }
    if looksLikeETL(head) {
      return Refusal(what: "not a capture: looks like a Windows event trace (ETL)", fix: "convert it with etl2pcapng")
    }
    if head.allSatisfy({ $0 == 0 }) {
      return Refusal(what: "not a capture: starts with zeros", fix: "check that it was copied whole")
    }
    if head.allSatisfy({ (0x20..<0x7F).contains($0) || (9...13).contains($0) }) {
      return Refusal(
        what: "not a capture: it is text", fix: "name a capture file; a hex dump can be converted with text2pcap")
    }
    if head.count < 4 { return Refusal(what: "not a capture: \(head.count) bytes", fix: "check the file") }
    let magic = head.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    return Refusal(
      what: "not a capture: starts with \(magic)",
      fix: "supported are pcap and pcapng, plain or compressed with gzip or zstd")
  }

  /// An event trace begins with the size of its buffers and how much of the first is used.
  private static func looksLikeETL(_ head: [UInt8]) -> Bool {
    guard head.count >= 12 else { return false }
    let words = head.span.bytes
    let size = ByteOrder.little.u32(words, 0)
    let used = ByteOrder.little.u32(words, 4)
    let offset = ByteOrder.little.u32(words, 8)
    return (4096...1 << 20).contains(size) && size.nonzeroBitCount == 1 && (73...size).contains(used) && offset <= size
  }
}
