import Events

/// What a finding is about, the same in a later run: the rule and the endpoint, without ports, times or packets.
package struct FindingName {
  package let rule: String
  package let method: String
  package let host: String
  package let path: String

  package init(_ finding: Finding) {
    rule = finding.rule.text
    method = finding.place?.method ?? ""
    host = finding.place.map { Self.withoutPort($0.host) } ?? ""
    path = finding.place?.path ?? ""
  }

  /// Test servers listen on any free port.
  package static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber),
      host.first == "[" ? host[..<colon].last == "]" : !host[..<colon].contains(":")
    else { return host }
    return String(host[..<colon])
  }
}

/// Numbers findings of the same name within a run.
package struct FindingOrdinals: Sendable {
  /// Of more names the further ones are not numbered apart: a capture can make up any number.
  private static let limit = 100_000
  private var seen: [String: Int] = [:]

  package init() {}

  package mutating func fingerprint(of name: FindingName) -> String {
    let key = Fingerprint.of([name.rule, name.method, name.host, name.path])
    let ordinal = seen[key, default: 0] + 1
    if ordinal > 1 || seen.count < Self.limit { seen[key] = ordinal }
    return "\(key):\(ordinal)"
  }
}
