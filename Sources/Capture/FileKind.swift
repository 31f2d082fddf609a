/// What a file is that is no capture, told from its first bytes: the message then names the way out.
enum FileKind {
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

  private static let unpack = "unpack it first"
  private static let convert = "convert it with 'editcap -F pcapng IN OUT'"
  private static let known: [Entry] = [
    Entry(Array("PK".utf8), "starts with 'PK', a zip archive", unpack),
    Entry([0x1F, 0x8B], "gzip inside of the packing", "unpack it once"),
    Entry([0x28, 0xB5, 0x2F, 0xFD], "zstd inside of the packing", "unpack it once"),
    Entry(Array("BZh".utf8), "packed with bzip2", "unpack it with bunzip2"),
    Entry([0xFD, 0x37, 0x7A, 0x58, 0x5A], "packed with xz", "unpack it with unxz"),
    Entry([0x37, 0x7A, 0xBC, 0xAF], "a 7-zip archive", unpack),
    Entry([0x04, 0x22, 0x4D, 0x18], "packed with lz4", "unpack it with unlz4"),
    Entry([0x1F, 0x9D], "packed with compress", "unpack it with uncompress"),
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

  static func refusal(_ head: [UInt8]) -> Refusal {
    if head.isEmpty { return Refusal(what: "empty", fix: "capture again; tcpdump -w writes a header at once") }
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
      what: "not a capture: starts with \(magic)", fix: "pcap, pcapng and both packed by gzip or zstd are read")
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
