import Citation
import Events
import HTTPSemantics

/// An answer that began before the request was over, and what became of it when the server reset the connection.
struct EarlyResponse: Sendable {
  static let info = RuleInfo(
    id: "http/early-response", severity: .warning,
    summary: "The server answered before the request was over.",
    explanation: """
      That is legal, and the way to refuse an upload without reading it. Clients do different things then: some stop \
      sending, some send everything before they look at the answer, and some proxies end the upload as soon as the \
      response begins. What is sent after an error answer is sent for nothing.
      """,
    evidence: """
      The head of the answer, and the last of the request's body. A body whose end came within a round trip of the answer \
      is not this.
      """,
    fix: """
      Server: to refuse, answer, say Connection: close, and go on reading for a while before closing. Client: watch for an \
      answer while sending; with a large body ask first (Expect: 100-continue).
      """,
    specifications: [
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3"),
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6"),
    ],
    thresholds: [.sameMoment], since: "0.1")

  static let lost = RuleInfo(
    id: "http/early-response-lost", severity: .error, confidence: .medium,
    summary: "The server's early answer was followed by a reset, which can erase it.",
    explanation: """
      The server answered, closed, and met the rest of the upload with a reset. On the client a reset throws away what was \
      received and not yet read, so the app sees "connection reset" or "broken pipe" instead of the 401 or 413 that is on \
      the wire. The server's log shows the answer, the client's log an error of the network.
      """,
    evidence: """
      The answer, and the reset that follows it while the request's body was being sent. Whether the app read the answer \
      in between is not on the wire; the shorter the time, the less likely.
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

  /// The last exchange that was answered early: a reset may follow.
  private var early: ExchangeRecord?

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let sent = exchange.requestBytesAtResponse, let request = exchange.request, let response = exchange.response,
      let head = response.head, head.isRequestKnown
    else { return }
    early = exchange
    let after = request.bodyBytes &- min(sent, request.bodyBytes)
    let until = request.last
    let isOver = request.isComplete && after == 0 && until.time.since(response.first.time) <= context.crossing
    guard !isOver, request.isWhollyCaptured else { return }
    let isWasted = head.status.isError && after > 0
    report(
      Finding(
        Self.info, severity: isWasted ? .warning : .note, subject: .connection(context.id), exchange: exchange.number,
        direction: .toClient, .early(exchange, request, sent: sent, after: after),
        cost: isWasted ? .lost(bytes: after) : .none,
        fix: isWasted ? "Client: look for an answer while sending, and stop at an error." : nil,
        evidence: [
          Evidence(.packet(response.first, response.direction), "the answer begins"),
          Evidence(.packet(until, request.direction), "the last of the request"),
        ]))
  }

  /// The connection is over.
  func finish(_ story: ConnectionStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let exchange = early, let request = exchange.request, let response = exchange.response,
      let reset = story.serverReset(after: response.first)
    else { return }
    let after = reset.time.since(response.last.time)
    let isSending = !request.isComplete || request.last.number > response.first.number
    guard isSending, after <= context.crossing, request.isWhollyCaptured else { return }
    report(
      Finding(
        Self.lost, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        .erased(exchange, request, after: after), cost: .failed(.exchange),
        fix: """
          Server: after the answer close only the sending side, and read the rest of the upload for some seconds before \
          closing (a lingering close).
          """,
        evidence: [
          Evidence(.packet(response.first, response.direction), "the answer, before the request was over"),
          Evidence(.packet(request.lastBody ?? request.last, request.direction), "the client is still sending"),
          Evidence(.packet(reset, .toClient), "the server's RST: what the client had not read yet is gone"),
        ]))
  }
}

extension FindingMessage {
  fileprivate static func early(_ exchange: ExchangeRecord, _ request: Message, sent: UInt64, after: UInt64) -> Self {
    let announced =
      request.framing == .length ? request.head.map { " of \(Wording.bytes($0.contentLength))" } ?? "" : ""
    let end = request.isComplete ? "" : ", and the request was never finished"
    return """
      \(exchange.title): the answer began when \(Wording.bytes(sent))\(announced) of the request's body had been sent; \
      \(Wording.bytes(after)) followed\(end).
      """
  }

  fileprivate static func erased(_ exchange: ExchangeRecord, _ request: Message, after: Int64) -> Self {
    """
    \(exchange.title): the server answered after \(Wording.bytes(exchange.requestBytesAtResponse ?? 0)) of the upload, \
    and reset the connection \(Wording.duration(after)) after its answer, while the client was sending.
    """
  }
}
