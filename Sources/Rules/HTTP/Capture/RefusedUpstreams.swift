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

    /// Whose connection it was, as seen from a proxy.
    func place(beside proxy: IPAddress) -> String { host == proxy || host.isLoopback ? "its host" : "\(host)" }

    var evidence: Evidence {
      let place = connection.map { ", on connection #\($0)" } ?? ""
      return Evidence(.packet(packet, .toClient), "\(server) refuses a connection of \(host)\(place)")
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
        packet: packet))
  }

  /// What a host was refused between a request of its client and the answer.
  func refusal(of host: IPAddress, after asked: PacketRef, before answered: PacketRef) -> Refusal? {
    refusals.first { $0.host == host && asked.number < $0.packet.number && $0.packet.number < answered.number }
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
        let isPrompt = answered.time.since(refusal.packet.time) <= Self.prompt && refusal.host != client
        return isBetween && (isOverLoopback || isPrompt)
      }
  }
}
