import Events
import HTTPSemantics

/// Two names.
enum AuthorityHostMismatch: HeadRule {
  static let info = RuleInfo(
    id: "h2/authority-host-mismatch", severity: .warning,
    summary: "A request names two servers: one in :authority, another in Host.",
    explanation: """
      One hop may route by the first and the next check by the second. RFC 9113 takes such a request for malformed.
      """,
    evidence: "The field host.",
    fix: "Client: send :authority alone. Proxy: refuse requests where the two differ.",
    specifications: [.requestPseudo], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    guard section.isRequest, let host = section.block.first("host"), let authority = section.block.first(":authority"),
      !section.isValueUnknown(host), !section.isValueUnknown(authority)
    else { return nil }
    let scheme = section.block.value(":scheme")
    let one = plain(section.block.value(host), scheme)
    let other = plain(section.block.value(authority), scheme)
    return one == other ? nil : HeadFlaw(host, ":authority and host name different servers")
  }

  /// In lower case, without the port that the scheme has anyway.
  private static func plain(_ name: String, _ scheme: String?) -> String {
    let name = name.lowercased()
    let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ""
    return !port.isEmpty && name.hasSuffix(port) ? String(name.dropLast(port.count)) : name
  }
}
