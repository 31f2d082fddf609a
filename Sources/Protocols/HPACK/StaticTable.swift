/// The entries 1 to 61 (RFC 7541 appendix A).
struct StaticTable: Sendable {
  static let shared = StaticTable()
  static let count = 61

  /// All names and values, one behind the other.
  private(set) var bytes: [UInt8] = []
  private var entries: [(name: Range<Int>, value: Range<Int>)] = []

  private init() {
    for (name, value) in Self.lines {
      let start = bytes.count
      bytes += Array(name.utf8)
      let middle = bytes.count
      bytes += Array(value.utf8)
      entries.append((start..<middle, middle..<bytes.count))
    }
  }

  /// `index` is 1 to 61.
  @inline(__always)
  func entry(_ index: Int) -> (name: Range<Int>, value: Range<Int>) { entries[index - 1] }

  private static let lines: [(String, String)] = [
    (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
    (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
    (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"), ("accept-language", ""), ("accept-ranges", ""), ("accept", ""),
    ("access-control-allow-origin", ""), ("age", ""), ("allow", ""), ("authorization", ""), ("cache-control", ""),
    ("content-disposition", ""), ("content-encoding", ""), ("content-language", ""), ("content-length", ""),
    ("content-location", ""), ("content-range", ""), ("content-type", ""), ("cookie", ""), ("date", ""), ("etag", ""),
    ("expect", ""), ("expires", ""), ("from", ""), ("host", ""), ("if-match", ""), ("if-modified-since", ""),
    ("if-none-match", ""), ("if-range", ""), ("if-unmodified-since", ""), ("last-modified", ""), ("link", ""),
    ("location", ""), ("max-forwards", ""), ("proxy-authenticate", ""), ("proxy-authorization", ""), ("range", ""),
    ("referer", ""), ("refresh", ""), ("retry-after", ""), ("server", ""), ("set-cookie", ""),
    ("strict-transport-security", ""), ("transfer-encoding", ""), ("user-agent", ""), ("vary", ""), ("via", ""),
    ("www-authenticate", ""),
  ]
}
