/// The address that a request was for, as its client would write it (RFC 9110 7.1).
///
/// Whatever was on the wire, the result is valid under RFC 3986: other characters are percent-encoded, and so are redacted
/// values.
struct HARAddress {
  let text: String
  /// In the words of the target, as Chrome has them.
  let query: [(name: String, value: String)]

  init(_ request: DocumentNode?, of connection: DocumentNode, isSocket: Bool, isAfterTLS: Bool) {
    let server = connection["server"]
    let port = server?.integer("port") ?? 0
    let isSecure = isAfterTLS
    let scheme = isSocket ? (isSecure ? "wss" : "ws") : isSecure ? "https" : "http"
    var target = request?.text("target") ?? "/"
    query = HARAddress.query(of: target)
    if request?.text("method") == "CONNECT" {
      // No path, and the port decides what it is for: nothing of it is seen yet.
      let authority = HARAddress.encoded(HARAddress.withoutUser(target), isAuthority: true)
      text = "\(target.hasSuffix(":80") ? "http" : "https")://\(authority)/"
      return
    }
    if let whole = HARAddress.parts(ofAbsolute: target) {
      // To a proxy. The client's own words stand, but for the name and password that some put there.
      let name = isSocket && whole.scheme.hasPrefix("http") ? scheme : whole.scheme
      text =
        name + "://" + HARAddress.encoded(HARAddress.withoutUser(whole.authority), isAuthority: true)
        + HARAddress.encoded(whole.rest, isAuthority: false)
      return
    }
    let host = (request?.elements("headers") ?? []).first { $0.elements.first?.text?.lowercased() == "host" }?
      .elements.dropFirst().first?.text
    let names = [host, server?.text("name"), connection["tls"]?.text("sni")].compactMap { $0 }
    let authority: String
    if let first = names.first, first == host, !first.isEmpty {
      authority = first
    } else {
      var name = names.first { !$0.isEmpty } ?? server?.text("ip") ?? "unknown.invalid"
      let colons = name.count { $0 == ":" }
      if colons > 1, !name.hasPrefix("[") { name = "[\(name)]" }
      let hasPort = colons == 1 || name.hasPrefix("[") && !name.hasSuffix("]")
      authority = hasPort || port == (isSecure ? 443 : 80) || port <= 0 ? name : "\(name):\(port)"
    }
    // "OPTIONS *" is about the server as a whole.
    if target == "*" { target = "/" }
    if !target.hasPrefix("/") { target = "/" + target }
    text =
      scheme + "://" + HARAddress.encoded(HARAddress.withoutUser(authority), isAuthority: true)
      + HARAddress.encoded(target, isAuthority: false)
  }

  private static func parts(ofAbsolute target: String) -> (scheme: String, authority: String, rest: String)? {
    guard let colon = target.firstIndex(of: ":"), colon != target.startIndex, target[colon...].hasPrefix("://"),
      target[..<colon].utf8.allSatisfy({ $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") })
    else { return nil }
    let rest = target[target.index(colon, offsetBy: 3)...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.isEmpty else { return nil }
    return (target[..<colon].lowercased(), String(authority), String(rest.dropFirst(authority.count)))
  }

  /// User name and password are removed.
  private static func withoutUser(_ authority: String) -> String {
    authority.lastIndex(of: "@").map { String(authority[authority.index(after: $0)...]) } ?? authority
  }

  private static func query(of target: String) -> [(name: String, value: String)] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    let text = target[target.index(after: mark)...].prefix { $0 != "#" }
    return text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
    }
  }

  private static func encoded(_ text: String, isAuthority: Bool) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var sharps = 0
    // Brackets stand around an address of IPv6, and nowhere else.
    let isBracketed = isAuthority && bytes.first == UInt8(ascii: "[") && bytes.count { $0 == UInt8(ascii: "]") } == 1
    for (index, byte) in bytes.enumerated() {
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        case UInt8(ascii: "%"):
          index + 2 < bytes.count && bytes[index + 1].isHexDigit && bytes[index + 2].isHexDigit
        case UInt8(ascii: "["): isBracketed && index == 0
        case UInt8(ascii: "]"): isBracketed
        case UInt8(ascii: "/"), UInt8(ascii: "?"): !isAuthority
        case UInt8(ascii: "#"): !isAuthority && sharps == 0
        default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
      if byte == UInt8(ascii: "#") { sharps += 1 }
      if isPlain {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        EscapedText.appendDigits(UInt32(byte), width: 2, "0123456789ABCDEF", to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
