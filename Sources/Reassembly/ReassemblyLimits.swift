/// The bounds of reassembly. Reaching one is an output, never a silent loss.
package struct ReassemblyLimits: Sendable {
  /// Out-of-order bytes and segments held per direction. On a path of 100 Mbit/s a timer of 200 ms lets 3 MB pass behind
  /// what it retransmits.
  package var heldBytes = 4 << 20
  package var heldSegments = 4_096
  /// How long a hole that the receiver has acknowledged waits for a late packet: files merged from several queues are
  /// out of order by a few packets. After this many packets of the connection, those of one moment counted once, or
  /// this long, or when half of what may be held waits behind it, the bytes are given up.
  package var gracePackets = 16
  package var graceNanoseconds: Int64 = 250_000_000
  /// A closed connection stays to collect late packets for so long.
  package var lingerNanoseconds: Int64 = 30_000_000_000
  package var lingering = 32
  /// What the connections of one lane may hold in memory, with what the lane keeps beside them.
  package var laneBytes = 6 << 20
  /// The largest of them may hold so much more, while other lanes hold less than they may.
  package var slackBytes = 0
  /// What the lane keeps of each connection beside it, whatever is said on it.
  package var besideBytes = 3 << 10
  /// Nothing further ahead than the largest window (RFC 7323 §2.3) can belong to the stream.
  package var farthest: Int64 = 1 << 30

  package init() {}
}
