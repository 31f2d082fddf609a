import Citation
import HTTPSemantics

/// The host part of a Host value, where it is an address and not a name (RFC 3986 §3.2.2).
struct AddressLiteral: Sendable, Equatable {
  /// As written, without port and brackets, in lower case.
  let text: String
  let isLoopback: Bool

  /// nil when it is a name, or nothing that can be read.
  init?(host value: ArraySlice<UInt8>) {
    guard let first = value.first else { return nil }
    if first == UInt8(ascii: "[") {
      guard let end = value.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let inner = value[(value.startIndex + 1)..<end]
      guard inner.count(where: { $0 == .colon }) >= 2,
        inner.allSatisfy({ $0.hexadecimalValue < 16 || $0 == .colon || $0 == UInt8(ascii: ".") })
      else { return nil }
      text = HTTPSemantics.text(of: inner.map(\.lowercased))
      isLoopback = text == "::1" || text.hasPrefix("::ffff:127.")
      return
    }
    let host = value.prefix { $0 != .colon }
    let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy(Self.isOctet) else { return nil }
    text = HTTPSemantics.text(of: host)
    isLoopback = text.hasPrefix("127.") || text == "0.0.0.0"
  }

  private static func isOctet(_ digits: ArraySlice<UInt8>) -> Bool {
    guard 1...3 ~= digits.count, digits.allSatisfy(\.isDigit) else { return false }
    return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) } <= 255
  }
}
