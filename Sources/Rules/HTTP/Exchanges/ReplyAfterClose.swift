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
      side and reads the answer does not count: it sends no reset. Where the server had been silent for long and answers \
      within a round trip of the FIN, the FIN is what it had waited for. A client that closes within a round trip of the \
      last of many requests stopped a loop, as load generators do: no cost.
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
      request.isComplete,
      let fin = closed.story.fins.toServer, let reset = closed.story.reset, reset.direction == .toServer,
      reset.packet.number > response.first.number
    else { return }
    let waited = fin.time.since(request.last.time)
    let delay = response.first.time.since(fin.time)
    // A load generator whose time is over stops everywhere in the middle of its loop.
    let isLoad = exchange.number > Self.manyExchanges && waited <= context.crossing
    let isCaused = waited >= Self.longWait && delay <= context.crossing && delay <= waited / 100
    report(
      Finding(
        Self.info, severity: isLoad ? .note : nil, confidence: isCaused ? .medium : nil,
        subject: .connection(context.id), exchange: exchange.number,
        direction: isCaused ? .toClient : .toServer,
        isCaused ? .caused(exchange, waited, delay) : .thrownAway(exchange, waited, delay),
        cost: isLoad ? .none : .failed(.exchange),
        fix: isCaused
          ? "Server: stop reading a request's body at its length or its last chunk, and not where the stream ends."
          : waited >= Self.longWait ? gaveUpFix : info.fix,
        evidence: [
          Evidence(.packet(fin, .toServer), isCaused ? "the client gives up and closes" : "the client closes"),
          Evidence(.packet(response.first, response.direction), "the answer begins"),
          Evidence(.packet(reset.packet, .toServer), "the client's system refuses it"),
        ]))
  }

  private static let gaveUpFix = """
    Server: find what took longer than the client waits. Client: raise its timer where answers may take so long, and read \
    until the answer is complete.
    """

  /// A server that answers at once behind a shorter wait may have been ready by chance.
  private static let longWait: Int64 = 1_000_000_000
  private static let manyExchanges = 20
}

extension FindingMessage {
  fileprivate static func thrownAway(_ exchange: ExchangeRecord, _ waited: Int64, _ delay: Int64) -> Self {
    """
    \(exchange.title): the client closed \(Wording.duration(waited)) after its request; the answer came \
    \(Wording.duration(delay)) after that, and was never read.
    """
  }

  fileprivate static func caused(_ exchange: ExchangeRecord, _ waited: Int64, _ delay: Int64) -> Self {
    """
    \(exchange.title): the server said nothing for \(Wording.duration(waited)), and answered \
    \(Wording.duration(delay)) after the client had given up and closed: it seems to have waited for the end of the \
    stream.
    """
  }
}
