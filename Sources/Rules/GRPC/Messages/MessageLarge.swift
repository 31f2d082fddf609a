import Events

/// More than is taken.
enum MessageLarge: GRPCMessageRule {
  static let info = RuleInfo(
    id: "grpc/message-large", severity: .warning,
    summary: "A message of gRPC is larger than receivers take.",
    explanation: "Unless they are told otherwise, receivers refuse messages above 4 MiB with RESOURCE_EXHAUSTED.",
    evidence: "The prefix of the message.",
    fix: "Receiver: raise the limit. Sender: send pages, or a stream of smaller messages.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ messages: GRPCMessages, in context: FlowContext, report: (Finding) -> Void) {
    guard messages.side.largest > 4_194_304, let packet = messages.side.largestAt else { return }
    let isHurt = messages.exchange.grpcStatus == 8 || messages.exchange.end.resetCode != nil
    report(
      finding(
        messages, context, "a message of \(Wording.bytes(messages.side.largest)) was announced",
        cost: isHurt ? .failed(.exchange) : .none, severity: isHurt ? .error : .warning,
        [Evidence(.packet(packet, messages.direction), "the prefix of the message")]))
  }
}
