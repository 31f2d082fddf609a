import Citation
import Decode

/// The answer of a server that still holds an earlier connection on the ports of a new SYN.
package struct Challenge: Sendable {
  /// The first such answer, and how many there were.
  package let packet: PacketRef
  /// The client's RST, which tells the server that it has forgotten that connection.
  package internal(set) var reset: PacketRef?
  /// What the newest of them acknowledges: the sequence number of that RST.
  var acknowledgment: UInt32
  var count: UInt8 = 1
}

// A client that uses its port again before the server knows that the last connection is over (RFC 9293 §3.5.1): the
// server takes the SYN for one of the old connection and acknowledges what it had received of that (RFC 5961 §4). The
// client has never sent such a byte and resets; its next SYN is answered as any other. Nothing of all this belongs to
// the new stream, and its numbers would move the new stream's beginning by anything up to 4 GiB.
extension Connection {
  /// An acknowledgement this far past everything sent is none of the new connection; below it, the capture may have
  /// missed what was sent.
  static let farthestAcknowledgement: Int64 = 16 << 20
  /// A server answers each SYN so at most. Whoever sends more is none that waits for a RST.
  private static let challengeLimit: UInt8 = 16

  /// Takes a segment of the server that belongs to an earlier connection; false where it does not.
  ///
  /// Until the server's stream has a beginning nothing else is known of it; once the client has acknowledged anything,
  /// both sides agree, whatever the capture shows of their handshake.
  mutating func noteOlderConnection(
    _ segment: TCPSegment, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    guard direction == .toClient, half.toClient.origin == nil, handshake.syn != nil, handshake.synAck == nil,
      segment.flags.contains(.ack), segment.flags.lacks(.syn | .rst),
      let acknowledged = half.toServer.offset(of: SequenceNumber(segment.acknowledgment)),
      acknowledged < 0 || acknowledged > Int64(half.toServer.highest) &+ Self.farthestAcknowledgement,
      handshake.challenge.map({ $0.count < Self.challengeLimit }) ?? true
    else { return false }
    guard segment.payloadLength == 0, !segment.flags.contains(.fin) else {
      // What the earlier connection had still under way.
      outputs.observe(
        TCPObservation(.outOfWindow, segment.packet, direction, value: UInt64(segment.payloadLength)))
      return true
    }
    if handshake.challenge == nil {
      handshake.challenge = Challenge(packet: segment.packet, acknowledgment: segment.acknowledgment)
      if handshake.synCount == 1, let syn = handshake.syn, handshake.serverNanoseconds == nil {
        handshake.serverNanoseconds = segment.packet.time.since(syn.time)
      }
    } else {
      handshake.challenge?.count &+= 1
      handshake.challenge?.acknowledgment = segment.acknowledgment
    }
    outputs.observe(TCPObservation(.challengeAck, segment.packet, direction, earlier: handshake.lastSyn))
    half[direction].recent.add(segment)
    return true
  }

  /// Takes the client's RST for the earlier connection: it stands where the challenge ACK said, and not at the SYN.
  mutating func endsOlderConnection(
    _ segment: TCPSegment, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    guard let challenge = handshake.challenge, direction == .toServer, handshake.synAck == nil,
      segment.sequence == challenge.acknowledgment
    else { return false }
    handshake.challenge?.reset = challenge.reset ?? segment.packet
    outputs.observe(TCPObservation(.challengeReset, segment.packet, direction, earlier: challenge.packet))
    return true
  }
}
