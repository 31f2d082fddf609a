import Citation
import Events
import HTTPSemantics

/// An answer that began before the request was over.
enum EarlyResponse: ExchangeRule {
  static let info = RuleInfo(
    id: "http/early-response", severity: .warning,
    summary: "The server answered before the request was over.",
    explanation: """
      That is legal, and the way to refuse an upload without reading it. Clients do different things then: some stop \
      sending, some send everything before they look at the answer, and some proxies end the upload as soon as the \
      response begins. What is sent after an error answer is sent for nothing. 413 is a limit on the size of bodies. 408 is a \
      timer of the server's: it gave up a request that was still coming.
      """,
    evidence: """
      The head of the answer, and the last of the request's body. A body whose end came within a round trip of the \
      answer costs nothing.
      """,
    fix: """
      Server: to refuse, answer, send Connection: close, and go on reading for a while before closing. Client: watch \
      for an answer while sending; with a large body ask first (Expect: 100-continue).
      """,
    specifications: [
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3"),
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6"),
    ],
    thresholds: [.sameMoment],
    causedBy: [
      "http/early-response-lost", "http/duplex-unsupported", "chunked/te-case", "http/upload-stall",
      "http/slow-body-rate-limit", "http/server-error",
      "chunked/request-rejected-411-501",
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .response }

  private static let timeoutFix = """
    Server: allow more time for a whole request on this path (Node: server.requestTimeout; Go: ReadTimeout; Apache: \
    RequestReadTimeout). Client: send faster, or in several requests.
    """

  private static let tooLargeFix = """
    Server or proxy: allow larger bodies on this path (nginx: client_max_body_size, 1 MiB unless it is set). Client: stop \
    sending when the answer is there.
    """

  private static let continuedFix = """
    Server: refuse before it answers 100 (Continue). Client: watch for an answer while sending.
    """

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.isAnsweredEarly, let sent = exchange.requestBytesAtResponse, let request = exchange.request,
      let response = exchange.response,
      // Both sides of a call may talk at once.
      !exchange.isCall || response.status.isError
    else { return }
    let after = request.bodyBytes &- min(sent, request.bodyBytes)
    // Of one that was reset, the last packet is the reset, and may be the server's.
    let until = request.isComplete ? request.last : request.lastBody ?? request.headReleased ?? request.first
    // Its last bytes crossed the answer: no client could have kept them back.
    let isOver = request.isComplete && until.time.since(response.first.time) <= context.crossing
    let isTooLarge = response.status.code == 413
    guard !isOver || after > 0, request.isWhollyCaptured || isTooLarge else { return }
    let evidence = [
      Evidence(.packet(response.first, response.direction), "the answer begins"),
      Evidence(.packet(until, request.direction), "the last of the request"),
    ]
    if response.status.code == 408, !request.isComplete {
      return report(
        Finding(
          Self.info, severity: .error, subject: .connection(context.id), exchange: exchange.number,
          direction: .toClient, .timedOut(exchange, request, response), cost: .failed(.exchange), fix: timeoutFix,
          evidence: evidence))
    }
    let isWasted = response.status.isError && after > 0 && !isOver
    // What was sent behind it says more than that it failed.
    let cost: Cost = isWasted ? .lost(bytes: after) : isTooLarge ? .failed(.exchange) : .none
    report(
      Finding(
        Self.info, severity: isWasted || isTooLarge ? .warning : .note, subject: .connection(context.id),
        exchange: exchange.number, direction: .toClient,
        isTooLarge && !isWasted
          ? .refused(exchange, request, sent: sent) : .early(exchange, request, sent: sent, after: after),
        cost: cost, fix: isWasted || isTooLarge ? fix(exchange, response) : nil,
        causedBy: response.status.code >= 500 ? ServerError.info.id : nil, evidence: evidence))
  }
}

extension EarlyResponse {
  private static func fix(_ exchange: ExchangeRecord, _ response: Message) -> String {
    if response.status.code == 413 { return tooLargeFix }
    return exchange.interim.contains { $0.status.code == 100 } ? continuedFix : info.fix
  }
}

extension FindingMessage {
  fileprivate static func timedOut(_ exchange: ExchangeRecord, _ request: Message, _ response: Message) -> Self {
    """
    \(exchange.title): the server gave up the request \(Wording.duration(response.first.time.since(request.first.time))) \
    after it had begun, when \(Wording.bytes(request.bodyBytes)) of its body had come; the rest was lost.
    """
  }

  fileprivate static func refused(_ exchange: ExchangeRecord, _ request: Message, sent: UInt64) -> Self {
    let size = request.framing == .length ? request.head.map { " of \(Wording.bytes($0.contentLength))" } ?? "" : ""
    return """
      \(exchange.title): the server, or a proxy in front of it, refused the request's body\(size) as too large when \
      \(Wording.bytes(sent)) had been sent.
      """
  }

  fileprivate static func early(_ exchange: ExchangeRecord, _ request: Message, sent: UInt64, after: UInt64) -> Self {
    let announced =
      request.framing == .length ? request.head.map { " of \(Wording.bytes($0.contentLength))" } ?? "" : ""
    let end = request.isComplete ? "" : ", and the request was never finished"
    return """
      \(exchange.title): the answer began when \(Wording.bytes(sent))\(announced) of the request's body had been sent; \
      \(Wording.bytes(after)) followed\(end).
      """
  }
}

extension ExchangeRecord {
  /// The response began before the request was over.
  var isAnsweredEarly: Bool {
    requestBytesAtResponse != nil && request != nil && response?.head?.isRequestKnown == true
  }
}
