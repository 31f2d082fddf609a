import Events

/// A message that comes late.
enum MessageStall: GRPCMessageRule {
  static let info = RuleInfo(
    id: "grpc/message-stall", severity: .warning,
    summary: "A gRPC message stalled in its middle.",
    explanation: "A receiver sees nothing of a message before its last byte is there.",
    evidence: "The packets of its first and its last byte.",
    fix: "Sender: write a message as a whole. Network: find what delayed it.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ messages: GRPCMessages, in context: FlowContext, report: (Finding) -> Void) {
    guard let pause = messages.side.slowest,
      pause.nanoseconds >= max(200_000_000, 2 &* (context.roundTrip.total ?? 0))
    else { return }
    report(
      finding(
        messages, context, "a message took \(Wording.duration(pause.nanoseconds)) from its first to its last byte",
        cost: .delay(nanoseconds: pause.nanoseconds),
        [
          Evidence(.packet(pause.from, messages.direction), "its first byte"),
          Evidence(.packet(pause.to, messages.direction), "its last byte"),
        ]))
  }
}
