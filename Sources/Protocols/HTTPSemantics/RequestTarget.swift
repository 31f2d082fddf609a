/// The form of a request target (RFC 9112 §3.2), by its shape alone; whether it suits the method is for a rule to say.
package enum RequestTarget: UInt8, Hashable, Sendable {
  /// `/path?query`
  case origin
  /// `http://host/path`
  case absolute
  /// `host:port`
  case authority
  /// `*`
  case asterisk
  /// None of them.
  case other

  package init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard let first = range.first else {
      self = .other
      return
    }
    if bytes[first] == UInt8(ascii: "/") {
      self = .origin
    } else if bytes[first] == UInt8(ascii: "*"), range.count == 1 {
      self = .asterisk
    } else if let colon = range.first(where: { bytes[$0] == .colon }), colon > first {
      let slashes = colon + 3 <= range.upperBound && bytes[colon + 1] == 0x2F && bytes[colon + 2] == 0x2F
      let port = colon + 1..<range.upperBound
      if slashes {
        self = .absolute
      } else if !port.isEmpty, port.allSatisfy({ bytes[$0].isDigit }) {
        self = .authority
      } else if bytes[first] == UInt8(ascii: "["), let end = range.last, bytes[end].isDigit {
        self = .authority
      } else {
        self = .other
      }
    } else {
      self = .other
    }
  }
}
