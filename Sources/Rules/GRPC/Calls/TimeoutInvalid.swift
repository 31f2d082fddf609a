import Events
import HTTPSemantics

/// A number that is none.
enum TimeoutInvalid: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/timeout-invalid", severity: .error,
    summary: "A call has a timeout that cannot be read.",
    explanation: """
      The value is up to eight digits and one letter. Servers refuse the call, or go on without a deadline.
      """,
    evidence: "The field grpc-timeout.",
    fix: "Client: write whole numbers and one of H M S m u n.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let field = call.asked.block.first("grpc-timeout"), call.timeout == nil else { return }
    let value = call.asked.block.value(field)
    guard !value.hasPrefix("(unknown entry ") else { return }
    report(
      finding(
        call, context, .toServer, "grpc-timeout cannot be read", cost: .none,
        [GRPCCall.evidence(field, call.asked.block, .toServer, "grpc-timeout")]))
  }
}
