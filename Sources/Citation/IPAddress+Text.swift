extension IPAddress {
  /// An address as text and nothing else: no port, no zone, and no leading zeros in dotted decimal.
  package init?(text: Substring.UTF8View) {
    if let address = Self.dotted(text) {
      self.init(v4: address)
    } else if let groups = Self.groups(text) {
      let word = { (range: Range<Int>) in groups[range].reduce(0) { $0 << 16 | UInt64($1) } }
      self.init(high: word(0..<4), low: word(4..<8))
    } else {
      return nil
    }
  }

  private static func dotted(_ text: Substring.UTF8View) -> UInt32? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      guard 1...3 ~= part.count, part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
      var octet: UInt32 = 0
      for digit in part {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
        octet = octet * 10 + UInt32(digit - UInt8(ascii: "0"))
      }
      guard octet < 256 else { return nil }
      address = address << 8 | octet
    }
    return address
  }

  /// The eight groups of an IPv6 address (RFC 4291 §2.2).
  private static func groups(_ text: Substring.UTF8View) -> [UInt16]? {
    let colon = UInt8(ascii: ":")
    var groups: [UInt16] = []
    /// Where "::" stands for zeros.
    var gap: Int?
    var rest = text
    if rest.starts(with: "::".utf8) {
      gap = 0
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let word = rest.prefix { $0 != colon }
      rest = rest.dropFirst(word.count)
      if rest.isEmpty, let address = dotted(word) {
        groups += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
      } else {
        guard 1...4 ~= word.count, word.first != UInt8(ascii: "+"), let group = UInt16(Substring(word), radix: 16)
        else {
          return nil
        }
        groups.append(group)
      }
      guard groups.count <= 8 else { return nil }
      guard !rest.isEmpty else { break }
      rest = rest.dropFirst()
      if rest.first == colon {
        guard gap == nil else { return nil }
        gap = groups.count
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return nil
      }
    }
    guard let gap else { return groups.count == 8 ? groups : nil }
    guard groups.count < 8 else { return nil }
    return groups[..<gap] + Array(repeating: 0, count: 8 - groups.count) + groups[gap...]
  }
}
