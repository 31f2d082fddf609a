import Citation
import Events

/// Compression that was agreed for nothing.
enum PMDNegotiatedUnused: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/pmd-negotiated-unused", severity: .note, summary: "Compression was agreed and never used.",
    explanation: """
      The receiver keeps a window of up to 32 KiB for each connection, for nothing. Clients that cannot compress agree to it all \
      the same, and senders have a threshold below which they do not.
      """,
    evidence: "The first and the last message of the direction.",
    fix: "Sender: compress, or do not offer permessage-deflate.", specifications: [.deflate("6")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let gain = CompressionGain(direction, of: socket), gain.figures.messages == 0,
      gain.side.wireBytes == gain.side.bytes, gain.side.lostAt == nil
    else { return }
    report(
      socket.story.finding(
        info, direction,
        "Compression was agreed, and \(Wording.sender(direction)) sent \(Wording.count(gain.side.messages, "message")), none of them compressed.",
        gain.evidence, in: context))
  }
}
