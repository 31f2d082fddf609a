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
    let packet: PacketRef

    var evidence: Evidence {
      let place = connection.map { ", on connection #\($0)" } ?? ""
      return Evidence(.packet(packet, .toClient), "\(server) refuses a connection of the same host\(place)")
    }
  }

  private static let limit = 1_024

  private var refusals: [Refusal] = []

  mutating func note(_ finding: Finding) {
    guard finding.rule == ConnectRefused.info.id, refusals.count < Self.limit, let parties = finding.parties,
      let packet = finding.evidence.last?.packet
    else { return }
    refusals.append(
      Refusal(
        host: parties.client.address, server: parties.server, connection: finding.connection, packet: packet))
  }

  /// What a host was refused between two packets. The origin of a proxy may be on its own host, which asks it over loopback.
  func refusal(
    of host: IPAddress, after asked: PacketRef, before answered: PacketRef, orLoopback: Bool
  ) -> Refusal? {
    refusals.first {
      ($0.host == host || orLoopback && $0.host.isLoopback && $0.server.address.isLoopback)
        && asked.number < $0.packet.number && $0.packet.number < answered.number
    }
  }
}
