import Events
import HTTPSemantics

/// An end that says nothing.
enum StatusMissing: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/status-missing", severity: .error,
    summary: "A call of gRPC ended without a status.",
    explanation: """
      The status stands in trailers behind the messages. Without it the client reports INTERNAL or UNKNOWN, whatever \
      the call did. Mostly a hop dropped the trailers: HTTP/1 in between, a load balancer that does not know gRPC, a \
      CDN.
      """,
    evidence: "The end of the response.",
    fix: "Proxy: pass trailers on, over HTTP/2 to the end. Server: end each call with a status.",
    specifications: [.grpcProtocol], causedBy: ["proxy/truncation-hidden"], since: "0.1")

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = call.response, response.isComplete, response.status.code == 200,
      let head = response.head, head.block.grpcType == .plain, call.status == nil, response.end?.isCaptured == true,
      // It may be what stands there.
      response.trailers.map({ !$0.fields.isEmpty && !$0.lacksFields }) ?? true
    else { return }
    let silence = response.end.flatMap { LastSilence(response, until: $0.packet) }
    var finding = finding(
      call, context, .toClient, "the response ended without grpc-status\(silence?.words ?? "")",
      cost: .failed(.exchange),
      [Evidence(.packet(response.last, .toClient), "the end of the response")])
    if let silence { finding.fix = silence.fix(isCall: true) }
    report(finding)
  }
}
