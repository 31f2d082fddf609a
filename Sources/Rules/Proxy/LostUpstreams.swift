import Citation
import Events

/// Connections on which large segments vanish: when such a connection is one of a proxy to its origin, the proxy waits for
/// an answer that was sent, and what it tells its client follows from that.
///
/// Bounded: the first `limit`.
struct LostUpstreams: Sendable {
  private struct Loss: Sendable {
    let host: IPAddress
    let from: UInt64
    let to: UInt64
  }

  private static let limit = 256
  /// What a response that a proxy cuts is called.
  private static let cuts: Set<RuleID> = [
    CutAfterRoundSilence.info.id, CutAtKnownTimeout.info.id, MissingLastChunk.info.id, CLShort.info.id,
  ]

  private var losses: [Loss] = []

  mutating func note(_ finding: Finding) {
    guard finding.rule == MSSBlackhole.info.id, losses.count < Self.limit, case .failed = finding.cost,
      finding.direction == .toClient, let parties = finding.parties
    else { return }
    losses.append(
      Loss(host: parties.client.address, from: finding.firstPacket.number, to: finding.lastPacket.number))
  }

  /// What explains that a proxy cut its response.
  func cause(of finding: Finding) -> RuleID? {
    guard Self.cuts.contains(finding.rule), let parties = finding.parties else { return nil }
    return cause(ofProxy: parties.server.address, after: finding.firstPacket, before: finding.lastPacket)
  }

  /// What explains an answer of a proxy for an origin that it had asked meanwhile.
  func cause(ofProxy host: IPAddress, after asked: PacketRef, before answered: PacketRef) -> RuleID? {
    let isMeanwhile = losses.contains { $0.host == host && $0.from < answered.number && $0.to > asked.number }
    return isMeanwhile ? MSSBlackhole.info.id : nil
  }
}
