import Events
import HTTPSemantics

/// A web page, mostly.
enum HTTPError: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/http-error", severity: .error,
    summary: "A call of gRPC was answered by something that is not gRPC.",
    explanation: """
      The status of HTTP or the type of the response is not one of gRPC: a proxy or a web server answered. Clients \
      map the status to one of gRPC and show nothing else.
      """,
    evidence: "The head of the response.",
    fix: "Proxy: route calls of gRPC to the server, and answer errors with grpc-status.",
    specifications: [.grpcStatusMapping], since: "0.1")

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = call.response, let head = response.head, !head.block.lacksFields,
      head.block.first(":status") != nil, response.status.code != 200 || head.block.grpcType != .plain
    else { return }
    guard !call.exchange.isAnsweredToNobody(in: context) else { return }
    let type = head.block.contentType?.essence ?? ""
    let mapped = GRPCCall.code(ofHTTP: response.status.code)
    let says = type.isEmpty ? " without a Content-Type" : " \(type)"
    var finding = finding(
      call, context, .toClient,
      "the answer is \(response.status.code)\(says), which clients take for \(GRPCCall.name(mapped))",
      cost: .failed(.exchange), [Evidence(.bytes(head.span, .toClient), "the head of the response")])
    if let fix = fix(response.status.code, isOnlyTyped: type.isEmpty && call.status != nil) { finding.fix = fix }
    report(finding)
  }

  /// nil where the call went to something else than a server of gRPC.
  private static func fix(_ status: UInt16, isOnlyTyped: Bool) -> String? {
    if isOnlyTyped {
      return "Server: send content-type: application/grpc with every answer, also with one that is only a status."
    }
    return switch status {
    case 502, 503:
      "Proxy: its log says why no server took the call (down, restarting, refusing); answer that with grpc-status."
    case 504: "Proxy: raise its time limit for this call, or answer earlier; answer what is late with grpc-status."
    case 401, 403: "Client: send the credentials that this hop asks for."
    case 429: "Client: send fewer calls, or wait longer before the next attempt."
    default: nil
    }
  }
}
