import Events

/// A message that stands still in its middle.
enum MessageStall: GRPCMessageRule {
  static let info = RuleInfo(
    id: "grpc/message-stall", severity: .warning,
    summary: "A gRPC message stalled in its middle.",
    explanation: "A receiver sees nothing of a message before its last byte is there.",
    evidence: """
      The packets between which nothing of the message came, for 200 ms and two round trips at least. A message that is \
      large, or comes over a slow link, takes its time and is no stall.
      """,
    fix: "Sender: write a message as a whole. Network: find what delayed it.",
    specifications: [.grpcProtocol],
    causedBy: [
      "h2/stream-window-stall", "h2/connection-window-stall", "tcp/zero-window", "tcp/retransmission-gap",
      "tcp/path-stall", "tcp/host-silent",
    ], since: "0.1")

  static func judge(_ messages: GRPCMessages, in context: FlowContext, report: (Finding) -> Void) {
    guard let pause = messages.side.longestPause,
      pause.nanoseconds >= max(200_000_000, 2 &* (context.roundTrip.total ?? 0))
    else { return }
    report(
      finding(
        messages, context, "nothing of a message came for \(Wording.duration(pause.nanoseconds)) after it had begun",
        cost: .delay(nanoseconds: pause.nanoseconds),
        [
          Evidence(.packet(pause.from, messages.direction), "the last of it before"),
          Evidence(.packet(pause.to, messages.direction), "it goes on"),
        ]))
  }
}
