import Citation

/// A host of which nothing came for a while, on any connection, although others sent to it: they had to send again.
package struct HostSilence: Sendable {
  package let host: IPAddress
  /// Who sent to it; nil where several hosts did.
  package var peer: IPAddress?
  /// The last packet of it before.
  package let heard: PacketRef
  /// The first packet since that it had to answer, and the newest.
  package let asked: PacketRef
  package var last: PacketRef
  /// The first packet of it afterwards, once there is one.
  package var back: PacketRef?
  /// How many were sent to it, and on how many connections more than once.
  package var packets: UInt64 = 0
  package var flows = 0

  package init(of host: IPAddress, since heard: PacketRef, asked: PacketRef, by peer: IPAddress) {
    self.host = host
    self.peer = peer
    self.heard = heard
    self.asked = asked
    last = asked
  }

  /// What is sent to a host right after its last packet finds it silent already, and is no attempt yet.
  private static let grace: Int64 = 2_000_000_000

  /// From where on it is known to have been silent for others: they need not have had anything to send before.
  package var start: PacketRef { asked.time.since(heard.time) <= Self.grace ? heard : asked }
  /// Up to where it is known to be silent.
  package var end: PacketRef { back ?? last }
  package var nanoseconds: Int64 { end.time.since(start.time) }
}

/// A connection on which something was retransmitted to a host that is silent.
package struct UnansweredFlow: Sendable {
  package let host: IPAddress
  /// Its side, where it has sent or acknowledged bytes: more than its system does by itself while its program accepts none.
  package let side: Direction?
  package let packet: PacketRef

  package init(_ host: IPAddress, _ side: Direction?, _ packet: PacketRef) {
    self.host = host
    self.side = side
    self.packet = packet
  }
}
