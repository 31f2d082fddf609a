import Citation
import Events
import HTTPSemantics

/// Something else than messages.
enum MessagePrefix: GRPCMessageRule {
  static let info = RuleInfo(
    id: "grpc/message-prefix", severity: .error,
    summary: "A message of gRPC begins with a byte that cannot be.",
    explanation: """
      The first byte says whether the message is compressed. Where another one stands, the body is something else: \
      JSON, or a page.
      """,
    evidence: "The first five bytes.",
    fix: "Sender: put each message behind a prefix of five bytes.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ messages: GRPCMessages, in context: FlowContext, report: (Finding) -> Void) {
    guard let prefix = messages.side.badPrefix, messages.message.head?.block.grpcType != nil else { return }
    report(
      finding(
        messages, context, "a message begins with the byte \(prefix.bytes.first ?? 0)", cost: .failed(.exchange),
        [
          Evidence(
            .packet(prefix.packet, messages.direction), excerpt: Excerpt(prefix.bytes.span, isPayload: true),
            "the prefix of a message")
        ]))
  }
}
