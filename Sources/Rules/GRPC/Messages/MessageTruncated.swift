import Citation
import Events

/// A message without its end.
enum MessageTruncated: GRPCMessageRule {
  static let info = RuleInfo(
    id: "grpc/message-truncated", severity: .error,
    summary: "A stream ended inside a message of gRPC.",
    explanation: """
      Each message says in front how long it is. The receiver fails the call, because the last message is not whole.
      """,
    evidence: "The end of the stream.",
    fix: "Sender: end the stream behind a whole message. Proxy: pass bodies on to their end.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ messages: GRPCMessages, in context: FlowContext, report: (Finding) -> Void) {
    guard messages.isRead, let part = messages.side.open else { return }
    report(
      finding(
        messages, context, "the stream ended after \(part.have) of \(Wording.bytes(part.need)) of a message",
        cost: .lost(bytes: part.need - min(part.need, part.have)),
        [Evidence(.packet(messages.message.last, messages.direction), "the end of the stream")]))
  }
}
