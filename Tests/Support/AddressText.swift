import Citation

/// Addresses and endpoints as tests write them: `"10.0.0.1"`, `"2001:db8::1"`, `"10.0.0.1:80"`, `"[2001:db8::1]:80"`.
/// Text that is none of these is a mistake in the test and stops it.
extension IPAddress: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }

  package init(_ text: String) {
    if text.contains(":") {
      self.init(v6: text)
    } else {
      let parts = text.split(separator: ".").map { UInt32($0) }
      let bytes = parts.compactMap { $0 }.filter { $0 < 256 }
      precondition(parts.count == 4 && bytes.count == 4, "not an address: \(text)")
      self.init(v4: bytes.reduce(0) { $0 << 8 | $1 })
    }
  }

  private init(v6 text: String) {
    let groups = { (part: Substring) in part.split(separator: ":").map { UInt64($0, radix: 16) ?? 1 << 16 } }
    var all: [UInt64]
    if let gap = text.firstRange(of: "::") {
      let head = groups(text[..<gap.lowerBound])
      let tail = groups(text[gap.upperBound...])
      all = head + Array(repeating: 0, count: max(0, 8 - head.count - tail.count)) + tail
    } else {
      all = groups(text[...])
    }
    precondition(all.count == 8 && all.allSatisfy { $0 < 1 << 16 }, "not an address: \(text)")
    self.init(high: all[..<4].reduce(0) { $0 << 16 | $1 }, low: all[4...].reduce(0) { $0 << 16 | $1 })
  }
}

extension Endpoint: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }

  package init(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      preconditionFailure("not an endpoint: \(text)")
    }
    let host = text[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
    self.init(address: IPAddress(String(host)), port: port)
  }
}
