import Citation
import HTTPSemantics

/// Hosts as text, as fields and certificates have them.
enum HostText {
  /// The host of a Host value: no port, no brackets.
  static func host(of value: String) -> String {
    if value.first == "[" { return String(value.dropFirst().prefix { $0 != "]" }) }
    return String(value.prefix { $0 != ":" })
  }

  static func isAddress(_ host: String) -> Bool {
    let text = Array(host.utf8)
    return AddressLiteral(host: text[...]) != nil || AddressLiteral(host: [0x5B] + text + [0x5D]) != nil
  }

  /// Whether two names are the same to DNS.
  static func areSame(_ left: String, _ right: String) -> Bool { plain(left) == plain(right) }

  private static func plain(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.last == "." ? String(lower.dropLast()) : lower
  }
}
