import Citation
import Events

/// What is legal in a request, and only unusual, is suspected where the server answers that it did not understand. Where it
/// has answered the same of the same client otherwise before, that is no cause.
///
/// Bounded: the last `limit` of these.
struct Counterproof: Sendable {
  private struct Key: MixedKey {
    /// Its place among the suspicions.
    let rule: Int
    /// What stands in responses proves nothing.
    let direction: Direction?
    let client: IPAddress
    let server: Endpoint

    func mix(into mixer: inout WordMixer) {
      mixer.combine(rule << 1 | (direction == .toServer ? 1 : 0))
      client.mix(into: &mixer)
      server.address.mix(into: &mixer)
      mixer.combine(Int(server.port))
    }
  }

  private static let limit = 256
  private static let suspicions: [RuleID] = [
    H2CUpgradeIgnored.info.id, TokenValue.info.id, TECase.info.id, TEAndCL.info.id, TEHTTP10.info.id,
    TrailerForbidden.info.id, TEListEmptyElement.info.id, TEIdentity.info.id, ExtPresent.info.id,
    SizeLeadingZeros.info.id, SizeTrailingWS.info.id,
  ]

  private var taken = BoundedTable<Key, Bool>(limit: limit)

  mutating func review(_ finding: inout Finding) {
    guard let rule = Self.suspicions.firstIndex(of: finding.rule), let parties = finding.parties else { return }
    let key = Key(
      rule: rule, direction: finding.direction, client: parties.client.address, server: parties.server)
    guard finding.isDiagnosis else { return taken.update(key, orMake: true) { _ in } }
    if taken.has(key) { finding.cost = .none }
  }
}
