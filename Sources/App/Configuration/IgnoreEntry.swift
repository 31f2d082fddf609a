import Citation
import Events
import Queries
import Reports

/// Findings that are accepted, with the reason.
struct IgnoreEntry: Sendable {
  /// A prefix of rule ids.
  var rule: String
  var host: Pattern?
  var path: Pattern?
  /// Of either end: its address, or address and port.
  var connection: Pattern?
  var reason: String
  /// The last day on which it applies.
  var expires: (day: CivilDate, text: String)?
  var origin: Origin

  func isExpired(on today: CivilDate) -> Bool {
    guard let expires else { return false }
    return expires.day.daysSince1970 < today.daysSince1970
  }

  /// A value that the finding lacks matches no pattern.
  func matches(_ finding: Finding) -> Bool {
    guard finding.rule.text.hasPrefix(rule) else { return false }
    if let host {
      guard let place = finding.place,
        host.matches(place.host) || host.matches(FindingName.withoutPort(place.host))
      else { return false }
    }
    if let path {
      guard let place = finding.place, path.matches(place.path) else { return false }
    }
    if let connection {
      guard let parties = finding.parties else { return false }
      let ends = [parties.client, parties.server]
      let names = ends.map(\.address.description) + ends.map { "\($0)" }
      guard names.contains(where: connection.matches) else { return false }
    }
    return true
  }

  /// `ignore of tcp/ (10.0.0.9 is being replaced)`
  var words: String { "ignore of \(rule) (\(reason))" }
}

extension CivilDate {
  /// `2026-01-31`
  init?(iso text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
      let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
