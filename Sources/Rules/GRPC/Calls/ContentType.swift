import Events
import HTTPSemantics

/// A call under another name.
enum ContentType: ExchangeRule {
  static let info = RuleInfo(
    id: "grpc/content-type", severity: .error,
    summary: "A client of gRPC sent a call with another type.",
    explanation: "A server of gRPC answers 415, and a proxy does not know that it is a call.",
    evidence: "The type of the request.",
    fix: "Client: send application/grpc.",
    specifications: [.grpcProtocol], since: "0.1")

  static var needs: ExchangeFacts { .http2 }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let head = exchange.request?.head, head.block.value("te") == "trailers",
      head.block.value("user-agent")?.hasPrefix("grpc-") == true, let field = head.block.first("content-type"),
      !head.block.value(field).lowercased().hasPrefix("application/grpc"), !head.block.lacksFields
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): the type of a call is \(head.block.contentType?.essence ?? "missing").",
        cost: exchange.isFailed ? .failed(.exchange) : .none, fix: info.fix,
        evidence: [GRPCCall.evidence(field, head.block, .toServer, "content-type")]))
  }
}
