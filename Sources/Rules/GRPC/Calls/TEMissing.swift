import Events
import HTTPSemantics

/// A field that a hop removed.
enum TEMissing: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/te-missing", severity: .note,
    summary: "A call of gRPC lacks te: trailers.",
    explanation: """
      Clients send it so that a proxy that drops trailers is found out. Where it is missing, a hop has removed it; \
      some servers refuse such a call.
      """,
    evidence: "The head of the request.",
    fix: "Proxy: pass te: trailers on.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard call.asked.block.first("te") == nil, !call.asked.block.lacksFields else { return }
    let isHurt = call.response == nil || call.response.map { $0.status.isError } ?? true
    report(
      finding(
        call, context, .toServer, "the request lacks te: trailers", cost: isHurt ? .failed(.exchange) : .none,
        severity: isHurt ? .warning : .note, [Evidence(.bytes(call.asked.span, .toServer), "the head of the request")]))
  }
}
