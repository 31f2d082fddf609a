import Citation
import Events
import HTTPSemantics

/// A request whose method comes with content, and that frames none.
///
/// Kept until the connection is over, because bytes behind the head, told late, make a certainty of it.
struct UnframedRequest: Sendable {
  static let info = RuleInfo(
    id: "http/no-length-no-te", severity: .warning,
    summary: "A POST, PUT or PATCH request has neither Content-Length nor Transfer-Encoding.",
    explanation: """
      Without either field a request has no body, whatever follows it: the server takes it for an empty upload, or \
      answers 411. Bytes that are sent all the same are read as the next request. It happens where a client streams a \
      body and somebody drops the Transfer-Encoding: the server accepts the upload and never sees a byte of it.
      """,
    evidence: """
      The request's head, and what follows it, if anything does. Content-Length: 0 with a type is \
      http/post-empty-with-type; a Transfer-Encoding without chunked is a matter of chunked/.
      """,
    fix:
      "Client: send Content-Length, 0 where there is no content, or Transfer-Encoding: chunked. Proxy: do not drop it.",
    specifications: [
      Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"),
      Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6"),
    ],
    since: "0.1")

  private static let limit = 8
  private var kept: [Finding] = []

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, request.headReleased != nil, let head = request.head,
      head.method == .post || head.method == .put || head.method == .patch, head.framing == .none,
      head.reason == .noFields, head.block.fieldsCut == 0
    else { return }
    let isRefused = exchange.status.code == 411 || exchange.status.code == 400
    var evidence = [
      Evidence(.packet(head.span.first, request.direction), "neither Content-Length nor Transfer-Encoding")
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    let finding = Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
      "\(exchange.title): the request frames no body, and is taken for empty.",
      cost: isRefused ? .failed(.exchange) : .none,
      fix: "Client: send Content-Length (0 without content) or Transfer-Encoding: chunked.", evidence: evidence)
    if kept.count < Self.limit { kept.append(finding) } else { report(finding) }
  }

  /// Bytes behind such a head are the body that nobody reads.
  mutating func judge(_ surplus: SurplusBytes.Surplus) {
    guard surplus.direction == .toServer, let owner = surplus.owner,
      let at = kept.firstIndex(where: { $0.exchange == owner.exchange })
    else { return }
    kept[at].severity = .error
    kept[at].message = FindingMessage(
      "The request frames no body, but \(surplus.size) follow that begin no other request: its content is not read.")
    if kept[at].cost == .none { kept[at].cost = .lost(bytes: surplus.span.count) }
    kept[at].evidence.insert(
      Evidence(.bytes(surplus.span, .toServer), excerpt: surplus.excerpt, "a body without a frame"), at: 1)
    if surplus.span.first.number > kept[at].lastPacket.number { kept[at].lastPacket = surplus.span.first }
  }

  mutating func taken() -> [Finding] {
    defer { kept.removeAll() }
    return kept
  }
}
