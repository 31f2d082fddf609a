import Citation
import Events
import HTTPSemantics

/// An early answer that a reset may have erased.
enum EarlyResponseLost: ClosedConnectionRule {
  static let info = RuleInfo(
    id: "http/early-response-lost", severity: .error, confidence: .medium,
    summary: "The server's early answer was followed by a reset, which can erase it.",
    explanation: """
      The server answered, closed, and met the rest of the upload with a reset. On the client a reset discards what \
      was received and not yet read, so the app sees "connection reset" or "broken pipe" instead of the 401 or 413 \
      that is on the wire. The server's log shows the answer, the client's log an error of the network.
      """,
    evidence: """
      The answer, and the reset that follows it while the request's body was being sent. Whether the app read the answer \
      in between is not on the wire; the shorter the time, the less likely. A client that has closed behind the answer \
      had it.
      """,
    fix: """
      Server or proxy: after an early answer close only the sending side, and read and discard the rest of the upload for \
      some seconds (nginx: lingering_close on; client_max_body_size as large as needed). Client: Expect: 100-continue for \
      large bodies.
      """,
    specifications: [
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6")
    ],
    thresholds: [.sameMoment], since: "0.1")

  static func judge(_ closed: ClosedConnection, in context: FlowContext, report: (Finding) -> Void) {
    guard let exchange = closed.early, let request = exchange.request, let response = exchange.response,
      let reset = closed.story.serverReset(after: response.first)
    else { return }
    let after = reset.time.since(response.last.time)
    let isSending = !request.isComplete || request.last.number > response.first.number
    guard isSending, after <= context.crossing, request.isWhollyCaptured, !hasClosed(closed, response, before: reset)
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        .erased(exchange, request, after: after), cost: .failed(.exchange),
        fix: info.fix,
        evidence: [
          Evidence(.packet(response.first, response.direction), "the answer, before the request was over"),
          Evidence(.packet(request.lastBody ?? request.last, request.direction), "the client is still sending"),
          Evidence(.packet(reset, .toClient), "the server's RST: what the client had not read yet is gone"),
        ]))
  }
}

extension EarlyResponseLost {
  /// A client that closes behind the answer has read it, or wants nothing more.
  private static func hasClosed(_ closed: ClosedConnection, _ response: Message, before reset: PacketRef) -> Bool {
    closed.story.fins.toServer.map { $0.number > response.last.number && $0.number < reset.number } ?? false
  }
}

extension FindingMessage {
  fileprivate static func erased(_ exchange: ExchangeRecord, _ request: Message, after: Int64) -> Self {
    """
    \(exchange.title): the server answered after \(Wording.bytes(exchange.requestBytesAtResponse ?? 0)) of the upload, \
    and reset the connection \(Wording.duration(after)) after its answer, while the client was sending.
    """
  }
}
