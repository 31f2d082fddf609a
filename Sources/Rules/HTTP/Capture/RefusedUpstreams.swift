import Citation
import Events

/// Connections that were refused, by the host that tried: what a proxy could not reach explains how it answers.
///
/// Bounded: the first `limit`.
struct RefusedUpstreams: Sendable {
  struct Refusal: Sendable {
    let host: IPAddress
    let server: Endpoint
    let connection: Int?
    /// The SYN and what refused it.
    let asked: PacketRef
    let packet: PacketRef
    /// Its SYNs were not answered; `packet` is the last of them.
    let isSilent: Bool

    /// That a SYN was lost is only a warning: it is no cause of an error, but evidence for it.
    var cause: RuleID? { isSilent ? nil : ConnectRefused.info.id }

    /// Whose connection it was, as seen from a proxy.
    func place(beside proxy: IPAddress) -> String { host == proxy || host.isLoopback ? "its host" : "\(host)" }

    var evidence: Evidence {
      let place = connection.map { ", on connection #\($0)" } ?? ""
      return isSilent
        ? Evidence(.packet(asked, .toServer), "a SYN of \(host) for \(server), never answered\(place)")
        : Evidence(.packet(packet, .toClient), "\(server) refuses a connection of \(host)\(place)")
    }

    func words(beside proxy: IPAddress) -> String {
      "\(server) had \(isSilent ? "not answered" : "refused") a connection of \(place(beside: proxy))"
    }

    var fix: String {
      isSilent
        ? "Proxy: it connects to \(server), which does not answer its SYNs: a filter between them, a host that is gone, or a wrong address."
        : "Proxy: it connects to \(server), which refuses: start that, or correct its address."
    }
  }

  private static let limit = 1_024
  /// A proxy that is refused answers at once.
  private static let prompt: Int64 = 20_000_000

  private var refusals: [Refusal] = []

  mutating func note(_ finding: Finding) {
    guard finding.rule == ConnectRefused.info.id, refusals.count < Self.limit, let parties = finding.parties,
      let asked = finding.evidence.first?.packet, let packet = finding.evidence.last?.packet
    else { return }
    refusals.append(
      Refusal(
        host: parties.client.address, server: parties.server, connection: finding.connection, asked: asked,
        packet: packet, isSilent: false))
  }

  /// A connection is over: SYNs that nothing answered.
  mutating func note(_ end: ConnectionEnd, in context: FlowContext) {
    guard refusals.count < Self.limit, let opening = context.opening, SYNRetry.tells(opening, end, context.thresholds),
      opening.answer == nil
    else { return }
    refusals.append(
      Refusal(
        host: context.client.address, server: context.server, connection: context.number, asked: opening.syn,
        packet: opening.lastSyn, isSilent: true))
  }

  /// What a host was refused between a request of its client and the answer.
  func refusal(of host: IPAddress, after asked: PacketRef, before answered: PacketRef) -> Refusal? {
    refusals.first { refusal in
      // A SYN may be retransmitted when its sender's program has given up.
      let at = refusal.isSilent ? refusal.asked.number : refusal.packet.number
      return refusal.host == host && asked.number < at && at < answered.number
    }
  }

  /// The same for a proxy: its origin may be on its own host, which asks it over loopback, or it asks from another address
  /// than it is asked at, and then at once.
  func refusal(
    ofProxy host: IPAddress, of client: IPAddress, after asked: PacketRef, before answered: PacketRef
  ) -> Refusal? {
    refusal(of: host, after: asked, before: answered)
      ?? refusals.first { refusal in
        let isBetween = asked.number < refusal.asked.number && refusal.packet.number < answered.number
        let isOverLoopback = refusal.host.isLoopback && refusal.server.address.isLoopback
        let isPrompt =
          !refusal.isSilent && answered.time.since(refusal.packet.time) <= Self.prompt && refusal.host != client
        return isBetween && (isOverLoopback || isPrompt)
      }
  }
}
