import Citation
import Events
import HTTPSemantics

/// `Connection: close` was said, and the connection was kept or used on.
struct CloseNotHonoured: ConnectionRule {
  static let info = RuleInfo(
    id: "http/close-not-honoured", severity: .warning,
    summary: "Connection: close was sent, and the connection stayed open.",
    explanation: """
      After a message with Connection: close, and its answer, the server closes and the client sends nothing more. A \
      server that keeps the connection open delays every client that reads until the end; a client that sends another \
      request loses it, because the server need not read it.
      """,
    evidence: """
      The field, and what came after: another request, or a close that was long in coming. A capture that ends before the \
      close proves nothing and is left alone.
      """,
    fix: """
      Server: close at once after the response. Client: drop the connection from the pool when either side sent \
      Connection: close; do not set the field by hand where the library does not know of it.
      """,
    specifications: [
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6")
    ],
    thresholds: [.closeDelay], since: "0.1")

  static var interests: EventKinds { .connectionClosed }

  private var closing: (message: Message, exchange: ExchangeRecord)?

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let closing, let request = exchange.request {
      self.closing = nil
      // What was on its way before the server announced the close is innocent; who announced it knew.
      let isOwn = closing.exchange.isRequest(closing.message)
      let isLater = closing.exchange.response.map { request.first.number > $0.last.number } ?? false
      if isOwn || isLater { report(reused(closing.message, exchange, request, context)) }
      return
    }
    if let request = exchange.request, request.head?.saysClose == true, request.framing != .tunnel {
      closing = (request, exchange)
    } else if let response = exchange.response, response.isComplete, response.framing != .close,
      response.framing != .tunnel, response.head?.saysClose == true
    {
      closing = (response, exchange)
    }
  }

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .connectionClosed = event, let closing, let head = closing.message.head,
      let field = head.block.first("connection"),
      let first = context.firstEnd, let response = closing.exchange.response, response.isComplete,
      response.framing != .close, response.framing != .tunnel
    else { return }
    let kept = first.time.since(closing.exchange.last.time)
    guard kept >= context.thresholds[.closeDelay] else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: closing.exchange.number, direction: .toClient,
        "\(closing.exchange.title): \(Wording.sender(closing.message.direction)) sent Connection: close, and the connection stayed open for \(Wording.duration(kept)).",
        cost: .none, fix: Self.info.fix,
        evidence: [
          .field(field, head, closing.message.direction, "the end is announced"),
          Evidence(.packet(first, context.closedBy), "the first side closes"),
        ]))
  }

  private func reused(
    _ message: Message, _ exchange: ExchangeRecord, _ request: Message, _ context: FlowContext
  ) -> Finding {
    let isLost = exchange.isUnanswered && (exchange.end.isBroken)
    return Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
      "\(exchange.title): the request was sent on a connection that \(Wording.sender(message.direction)) had announced to close.",
      cost: isLost ? .failed(.exchange) : .none,
      fix: Self.info.fix,
      evidence: [Evidence.field("connection", of: message, "the end is announced")].compactMap { $0 }
        + [Evidence(.packet(request.first, .toServer), "another request")])
  }
}

extension Threshold {
  static let closeDelay = Threshold(
    "http.close-delay", .nanoseconds, 2_000_000_000, "a promised close this late was not honoured")
}
