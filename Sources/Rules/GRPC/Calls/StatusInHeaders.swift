import Events
import HTTPSemantics

/// A status that is not the end.
enum StatusInHeaders: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/status-in-headers", severity: .error,
    summary: "The status of a call stands in a head that does not end the response.",
    explanation: """
      A response without messages is one header block that ends the stream. Where a proxy splits it, or a server \
      adds the field to its head, clients ignore the status.
      """,
    evidence: "The field grpc-status.",
    fix: "Proxy: pass the header block on as one. Server: send grpc-status last.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = call.response, let head = response.head, response.framing != .none,
      let field = head.block.first("grpc-status")
    else { return }
    report(
      finding(
        call, context, .toClient, "grpc-status stands in a head that does not end the response",
        cost: .failed(.exchange),
        [GRPCCall.evidence(field, head.block, .toClient, "grpc-status")]))
  }
}
