import Events
import HTTPSemantics

/// A failure.
enum StatusError: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/status-error", severity: .warning,
    summary: "A call of gRPC failed.",
    explanation: """
      The code says what kind of failure: 12 means that the path is not known, 14 that a hop could not reach the \
      server, 8 that a message was too large or a quota is used up, 4 that the deadline passed.
      """,
    evidence: "The field grpc-status, and grpc-message, which is payload.",
    fix: "Server: look at grpc-message (shown with --no-redact), and at its log at this time.",
    specifications: [.grpcStatusCodes],
    causedBy: ["grpc/deadline-exceeded", "grpc/http-error", "grpc/too-many-pings", "grpc/message-large"],
    since: "0.1")

  static var takesWeb: Bool { true }

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let status = call.status, let code = status.code, GRPCCall.isFailure(code),
      !call.exchange.isAnsweredToNobody(in: context, by: status.packet)
    else { return }
    report(
      finding(
        call, context, .toClient, "the call ended with \(GRPCCall.name(code)) (\(code))", cost: .failed(.exchange),
        [status.evidence] + status.message))
  }
}
