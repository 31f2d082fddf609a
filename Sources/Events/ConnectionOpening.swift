import Citation

/// The handshake of a connection and its outcome; nil if its SYN was not captured.
package struct ConnectionOpening: Sendable, Equatable {
  package var syn: PacketRef
  package var lastSyn: PacketRef
  package var synCount: UInt64
  /// The SYN-ACK, the last one before the client's ACK where there were several.
  package var answer: PacketRef?
  /// The first of several.
  package var firstAnswer: PacketRef?
  /// By its clock the SYN-ACK answers the first of several SYNs: that had arrived.
  package var isFirstSynAnswered = false
  /// By its clock the client's ACK takes the first of several SYN-ACKs: that was held, and not lost.
  package var isFirstAnswerTaken = false
  /// The first ICMP error that came before any answer.
  package var unreachable: PacketRef?
  /// The first ACK of an earlier connection on these ports that came in place of a SYN-ACK, and the client's RST for it.
  package var challenge: PacketRef?
  package var challengeReset: PacketRef?
  /// The first RST that refused a SYN; there may have been another SYN, and an answer, after it.
  package var refusal: PacketRef?
  /// Data was sent on it.
  package var isUsed: Bool
  /// A fold of the link-layer source of the SYN; zero where the link has none.
  package var linkSource: UInt32

  package init(
    syn: PacketRef, lastSyn: PacketRef, synCount: UInt64, answer: PacketRef?, unreachable: PacketRef?, isUsed: Bool,
    linkSource: UInt32
  ) {
    self.syn = syn
    self.lastSyn = lastSyn
    self.synCount = synCount
    self.answer = answer
    self.unreachable = unreachable
    self.isUsed = isUsed
    self.linkSource = linkSource
  }
}
