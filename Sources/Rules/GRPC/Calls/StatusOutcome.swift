import Events
import HTTPSemantics

/// What the application says.
enum StatusOutcome: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/status-outcome", severity: .note,
    summary: "A call of gRPC was answered with a status that is not OK.",
    explanation: """
      Codes like NOT_FOUND and INVALID_ARGUMENT are answers of the application, and nothing has to be wrong.
      """,
    evidence: "The field grpc-status, and grpc-message, which is payload.",
    fix: "Server: look at grpc-message (shown with --no-redact), and at its log at this time.",
    specifications: [.grpcStatusCodes], since: "0.1")

  static var takesWeb: Bool { true }

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let status = call.status, let code = status.code, code != 0 && !GRPCCall.isFailure(code) else { return }
    report(
      finding(
        call, context, .toClient, "the call ended with \(GRPCCall.name(code)) (\(code))", cost: .none,
        [status.evidence] + status.message))
  }
}
