import Citation
import Events
import HTTPSemantics

/// An answer that came when the client had closed, and was dropped.
enum ReplyAfterClose: ClosedConnectionRule {
  static let info = RuleInfo(
    id: "http/reply-after-close", severity: .warning,
    summary: "The answer came after the client had closed, and was refused with a reset.",
    explanation: """
      The client sent its request and closed without waiting for the answer, or gave up too early. The answer arrived \
      at a closed socket, so the client's system dropped it and reset the connection. The answer is lost, and the \
      server may count the request as served.
      """,
    evidence: """
      The client's FIN, the answer that began after it, and the client's RST. A client that closes only its sending \
      side and reads the answer does not count: it sends no reset.
      """,
    fix: """
      Client: read until the answer is complete, or until the server closes, before closing (shutdown of the sending side \
      first, close after the read returns 0). Raise its timeout if it closed because of that.
      """,
    specifications: [
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6"),
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6"),
    ],
    since: "0.1")

  static func judge(_ closed: ClosedConnection, in context: FlowContext, report: (Finding) -> Void) {
    guard let exchange = closed.late, let response = exchange.response, let request = exchange.request,
      let fin = closed.story.fins.toServer, let reset = closed.story.reset, reset.direction == .toServer,
      reset.packet.number > response.first.number
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        .thrownAway(exchange, request, response, fin), cost: .failed(.exchange),
        fix: info.fix,
        evidence: [
          Evidence(.packet(fin, .toServer), "the client closes"),
          Evidence(.packet(response.first, response.direction), "the answer begins"),
          Evidence(.packet(reset.packet, .toServer), "the client's system refuses it"),
        ]))
  }
}

extension FindingMessage {
  fileprivate static func thrownAway(
    _ exchange: ExchangeRecord, _ request: Message, _ response: Message, _ fin: PacketRef
  ) -> Self {
    """
    \(exchange.title): the client closed \(Wording.duration(fin.time.since(request.last.time))) after its request; the \
    answer came \(Wording.duration(response.first.time.since(fin.time))) after that, and was never read.
    """
  }
}
