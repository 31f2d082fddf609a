import Events
import HTTPSemantics

/// The wrong version.
enum OverHTTP1: ExchangeRule {
  static let info = RuleInfo(
    id: "grpc/over-http1", severity: .error,
    summary: "A call of gRPC goes over HTTP/1.",
    explanation: """
      gRPC needs HTTP/2 from end to end: servers close such a connection, and trailers are lost. Mostly a proxy \
      speaks HTTP/2 to the client and HTTP/1 to the server.
      """,
    evidence: "The type of the request.",
    fix: "Proxy: speak HTTP/2 to the server (nginx: grpc_pass instead of proxy_pass).",
    specifications: [.grpcProtocol], since: "0.1")

  static var needs: ExchangeFacts { [.body, .contentType] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.key.stream == nil, let head = exchange.request?.head, let field = head.block.first("content-type"),
      head.block.grpcType == .plain
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): a call of gRPC over HTTP/\(head.version.description).", cost: .failed(.exchange),
        fix: info.fix, evidence: [GRPCCall.evidence(field, head.block, .toServer, "content-type")]))
  }
}
