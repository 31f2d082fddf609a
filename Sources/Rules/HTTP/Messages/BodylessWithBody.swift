import Citation
import Events
import HTTPSemantics

/// A body behind a response that has none by definition.
enum BodylessWithBody: SurplusRule, ExchangeRule {
  static let info = RuleInfo(
    id: "http/bodyless-with-body", severity: .error,
    summary: "A response that cannot have a body is followed by one.",
    explanation: """
      Responses to HEAD, and those with a status of 1xx, 204 or 304, end with their head, whatever their fields say. A \
      server that sends content after one leaves bytes on the connection that the client reads as the next response: \
      the next exchange fails or, worse, gets the wrong answer. With 205 the content is read, and forbidden. It is seen \
      only where connections are kept, so tests with one request each pass.
      """,
    evidence: """
      The head, and the bytes behind it, which begin no message. A second response there does not count. Where the \
      request was not seen, or bytes are missing from the capture, the rule is silent.
      """,
    fix: """
      Server: send no body with 1xx, 204, 205 and 304, nor in answer to HEAD: let the framework drop it, and look at \
      error handlers and filters that write after the head. If the content matters, answer 200.
      """,
    specifications: [
      Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"),
      Specification("RFC 9110 §6.4.1", "https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1"),
      Specification("RFC 9110 §15.3.6", "https://www.rfc-editor.org/rfc/rfc9110#section-15.3.6"),
    ],
    // Of two messages on the same bytes, what the longer one has more looks like a surplus.
    causedBy: ["tcp/overlap-conflict"], since: "0.1")

  static func judge(_ surplus: SurplusBytes.Surplus, in context: FlowContext, report: (Finding) -> Void) {
    guard surplus.direction == .toClient, let owner = surplus.owner, owner.framing == Framing.none else { return }
    let what = owner.reason == .headRequest ? "answers HEAD" : "a \(owner.status.code) has no body"
    var evidence = [
      Evidence(.packet(owner.head, surplus.direction), what),
      Evidence(
        .bytes(surplus.span, surplus.direction), excerpt: surplus.excerpt,
        surplus.isBlank ? "line ends where the next response should begin" : "and this is no beginning of a response"),
    ]
    if let next = surplus.unanswered {
      evidence.append(
        Evidence(.packet(next.packet, surplus.direction.opposite), "the next request: no readable answer"))
    }
    report(
      Finding(
        Self.info, confidence: context.isMidstream ? .medium : .high, subject: .connection(context.id),
        exchange: owner.exchange, direction: surplus.direction, .followed(surplus, owner),
        cost: surplus.unanswered == nil ? .none : .failed(.exchange),
        fix: info.fix,
        evidence: evidence))
  }

  static var needs: ExchangeFacts { [.response, .body] }

  /// 205 is framed like any other response, and must be empty.
  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.status.code == 205, response.bodyBytes > 0,
      let first = response.firstBody, let head = response.head
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): a 205 asks the client to reset its form and has no content; this one has \(Wording.bytes(response.bodyBytes)).",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(head.span.first, response.direction), "205"),
          Evidence(.packet(first, response.direction), "the first byte of its body"),
        ]))
  }
}

extension FindingMessage {
  fileprivate static func followed(_ surplus: SurplusBytes.Surplus, _ owner: SurplusBytes.Owner) -> Self {
    let whose =
      owner.reason == .headRequest ? "The response \(owner.status.code) to HEAD" : "The response \(owner.status.code)"
    let hurt =
      surplus.unanswered.map { " The next request on the connection, exchange \($0.exchange), got no readable answer." }
      ?? ""
    return
      "\(whose) ends with its head, but \(surplus.size) follow that begin no other response.\(hurt)"
  }
}
