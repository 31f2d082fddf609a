import Citation
import Events

/// Bytes that the capture lacks, and frames that could not be read for it.
enum DecodeGap: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/decode-gap", severity: .note,
    summary: "The capture lacks bytes of a WebSocket, and what follows could not be read.",
    explanation: """
      Nothing in the bytes marks where a frame begins, so reading stops for that direction. Closes, pings and \
      fragments that need what is missing are not judged.
      """,
    evidence: "The last packet before the missing bytes.",
    fix: "Capture again with a larger buffer, and whole packets.",
    specifications: [.webSocket("5.2")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let packet = socket.record.sides[direction].lostAt else { return }
    report(
      socket.story.remark(
        info, direction,
        "Bytes of \(Wording.sender(direction)) are missing in the capture; its frames are read up to there.",
        Evidence(.packet(packet, direction), "bytes behind this are missing"), in: context))
  }
}
