import Citation

/// Addresses and endpoints as tests write them: `"10.0.0.1"`, `"2001:db8::1"`, `"10.0.0.1:80"`, `"[2001:db8::1]:80"`.
/// Text that is none of these is a mistake in the test and stops it.
extension IPAddress: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }

  package init(_ text: String) {
    guard let address = IPAddress(text: text[...].utf8) else { preconditionFailure("not an address: \(text)") }
    self = address
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
