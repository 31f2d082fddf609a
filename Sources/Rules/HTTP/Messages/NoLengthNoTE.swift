import Citation
import Events
import HTTPSemantics

/// A request whose method comes with content, and that frames none.
enum NoLengthNoTE: UnframedRequestRule {
  static let info = RuleInfo(
    id: "http/no-length-no-te", severity: .warning,
    summary: "A POST, PUT or PATCH request has neither Content-Length nor Transfer-Encoding.",
    explanation: """
      Without either field a request has no body, whatever follows it: the server takes it for an empty upload, or \
      answers 411. Bytes that are sent all the same are read as the next request. It happens where a client streams a \
      body and a proxy or library drops the Transfer-Encoding: the server accepts the upload and never sees a byte of \
      it. A few servers take such a body up to the close: Icecast does, and ffmpeg publishes to it so.
      """,
    evidence: """
      The request's head, and what follows it, if anything does. Where the server answers 100 and then success, it reads \
      what follows, and nothing is lost. Content-Length: 0 with a type is \
      http/post-empty-with-type; a Transfer-Encoding without chunked is a matter of chunked/.
      """,
    fix:
      "Client: send Content-Length, 0 where there is no content, or Transfer-Encoding: chunked. Proxy: do not drop it.",
    specifications: [
      Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"),
      Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6"),
    ],
    since: "0.1")

  static func judge(_ unframed: UnframedRequest, in context: FlowContext, report: (Finding) -> Void) {
    let exchange = unframed.exchange
    let isRefused = exchange.status.code == 411 || exchange.status.code == 400
    var evidence = [
      Evidence(.packet(unframed.head.span.first, .toServer), "neither Content-Length nor Transfer-Encoding")
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    var finding = Finding(
      info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
      "\(exchange.title): the request frames no body, and is taken for empty.",
      cost: isRefused ? .failed(.exchange) : .none,
      fix: info.fix, evidence: evidence)
    if !exchange.status.isError, exchange.interim.contains(where: { $0.status.code == 100 }) {
      finding.severity = .note
      finding.message =
        "\(exchange.title): the request frames no body, and the server said 100 to it: its content goes up to the close."
    } else {
      for surplus in unframed.surpluses { add(surplus, to: &finding) }
    }
    report(finding)
  }

  /// Bytes behind such a head are the body that is not read.
  private static func add(_ surplus: SurplusBytes.Surplus, to finding: inout Finding) {
    finding.severity = .error
    finding.message = FindingMessage(
      "The request frames no body, but \(surplus.size) follow that begin no other request: its content is not read.")
    if finding.cost == .none { finding.cost = .lost(bytes: surplus.span.count) }
    finding.evidence.insert(
      Evidence(.bytes(surplus.span, .toServer), excerpt: surplus.excerpt, "a body without a frame"), at: 1)
    if surplus.span.first.number > finding.lastPacket.number { finding.lastPacket = surplus.span.first }
  }
}
