/// An IPv6 address, or an IPv4 address in its mapped form `::ffff:a.b.c.d`.
///
/// Two words instead of sixteen bytes: it is compared and hashed once per packet.
package struct IPAddress: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  @inline(__always)
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  @inline(__always)
  package init(v4 address: UInt32) {
    self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(address))
  }

  @inline(__always)
  package static func == (left: IPAddress, right: IPAddress) -> Bool {
    left.high == right.high && left.low == right.low
  }
  package static func != (left: IPAddress, right: IPAddress) -> Bool { !(left == right) }

  @inline(__always)
  package var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// The sixteen or four bytes on the wire, for hashes such as the Community ID.
  package var wireBytes: [UInt8] {
    // In steps whose types are written: in one, the compiler looked for them for two seconds.
    let bytes: [UInt8] = (0..<16).map { index in
      let word: UInt64 = index < 8 ? high : low
      let shift: Int = 56 - 8 * (index % 8)
      return UInt8(truncatingIfNeeded: word >> shift)
    }
    return isV4 ? Array(bytes[12...]) : bytes
  }
}

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or the canonical form of RFC 5952.
  package var description: String {
    if isV4 {
      let parts: [String] = wireBytes.map { String($0) }
      return parts.joined(separator: ".")
    }
    let groups: [UInt16] = (0..<8).map { index in
      let word: UInt64 = index < 4 ? high : low
      let shift: Int = 48 - 16 * (index % 4)
      return UInt16(truncatingIfNeeded: word >> shift)
    }
    var longest = 0..<0
    var start = 0
    while start < 8 {
      guard groups[start] == 0 else {
        start += 1
        continue
      }
      let end = groups[start...].firstIndex { $0 != 0 } ?? 8
      if end - start > longest.count { longest = start..<end }
      start = end
    }
    let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
    guard longest.count > 1 else { return text(groups[...]) }
    return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
  }
}

/// One side of a connection.
package struct Endpoint: Hashable, Sendable {
  package var address: IPAddress
  package var port: UInt16

  @inline(__always)
  package init(address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }
}

extension Endpoint: CustomStringConvertible {
  package var description: String { address.isV4 ? "\(address):\(port)" : "[\(address)]:\(port)" }
}
