import Events
import HTTPSemantics

/// An end that says nothing.
enum WebTrailerMissing: GRPCMessageRule {
  static let info = RuleInfo(
    id: "grpc/web-trailer-missing", severity: .error,
    summary: "A call of gRPC-Web ended without its trailers.",
    explanation: """
      They are the last frame of the body, because web pages do not see trailers of HTTP. Without them the client \
      does not know how the call ended.
      """,
    evidence: "The end of the response.",
    fix: "Proxy: pass the body on to its end.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ messages: GRPCMessages, in context: FlowContext, report: (Finding) -> Void) {
    guard messages.isWeb, messages.direction == .toClient, messages.isRead, messages.message.status.code == 200,
      !messages.side.hasTrailer, let head = messages.message.head, let type = head.block.grpcType, type != .plain,
      head.block.first("grpc-status") == nil
    else { return }
    report(
      finding(
        messages, context, "the response ended without the frame that holds its trailers", cost: .failed(.exchange),
        [Evidence(.packet(messages.message.last, .toClient), "the end of the response")]))
  }
}
