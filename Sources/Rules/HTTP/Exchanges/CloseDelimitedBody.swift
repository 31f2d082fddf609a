import Citation
import Events
import HTTPSemantics

/// A response whose end is the end of the connection.
enum CloseDelimitedBody: ExchangeRule {
  static let info = RuleInfo(
    id: "http/close-delimited-body", severity: .note,
    summary: "The end of the response is the end of the connection.",
    explanation: """
      Without Content-Length and without chunks nothing distinguishes a whole body from a truncated one: a crash, a \
      timeout and success look the same. The connection cannot be used again, and proxies often hold such a body until \
      it is over. It costs in three ways. A reset in place of the close means that the sender died or was cut off, and \
      the client may still take what came for all. A server that promises keep-alive does not close, and the client \
      waits for an end that only an idle timer brings. A client that gives up first never knows whether it had \
      everything.
      """,
    evidence: """
      The head, which announces no end, the last bytes of the body, and what ended the connection. A body that goes on \
      until the server closes it orderly is true to HTTP, and only worth knowing, unless a part of a multipart body lacks \
      bytes of its own Content-Length. A client that leaves an endless stream is not counted as having waited.
      """,
    fix: """
      Server: answer with HTTP/1.1 and chunks, or with a Content-Length. Proxy: ask the origin with HTTP/1.1 so that it \
      may use chunks; that alone does not help an application that frames nothing.
      """,
    specifications: [
      Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"),
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3"),
    ],
    thresholds: [.endAwaited], since: "0.1")

  /// How such a body ended.
  fileprivate enum Ending {
    /// `open`: the capture does not show the server's end, or it is not the first.
    case orderly, open
    /// The server's RST.
    case reset
    /// The server's close, so many bytes before the end of a part of the body that has a length of its own.
    case short(UInt64)
    /// The server had promised to keep the connection, and closed it so long after the last byte.
    case promised(Int64)
    /// The client closed so long after the last byte.
    case client(Int64)
  }

  static var needs: ExchangeFacts { [.response, .body, .untilClose] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, head.framing == .close, head.status.code > 0,
      response.bodyBytes > 0
    else { return }
    let ending = ending(of: response, head, context)
    let (severity, cost) = weight(ending, response, head, context)
    let last = response.lastBody ?? response.last
    var evidence = [
      Evidence(.packet(head.span.first, response.direction), "no Content-Length, no Transfer-Encoding: chunked"),
      Evidence(.packet(last, response.direction), "the body's last bytes"),
    ]
    if let end = end(ending, response, context) { evidence.append(end) }
    report(
      Finding(
        Self.info, severity: severity,
        confidence: !head.isRequestKnown ? .low : response.isWhollyCaptured ? .high : .medium,
        subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        .unframed(exchange, response, ending), cost: cost,
        fix: info.fix, evidence: evidence))
  }

  private static func ending(of response: Message, _ head: MessageHead, _ context: FlowContext) -> Ending {
    guard let end = response.end, let last = response.lastBody, let closed = context.closedAt else { return .open }
    let waited = max(0, closed.time.since(last.time))
    // A client that shuts its own side down and reads on has not given up.
    let isHalf = closed.number < last.number
    let isClients = context.closedBy == response.direction.opposite && !isHalf
    switch end.outcome {
    case .complete:
      if isClients { return .client(waited) }
      if isHalf { return .open }
      if let parts = response.multipart, parts.isWhole, parts.partMissing > 0 { return .short(parts.partMissing) }
      return head.block.contains("keep-alive", in: "connection") ? .promised(waited) : .orderly
    case .incomplete(let incomplete):
      guard incomplete.cause == .reset || incomplete.cause == .fin else { return .open }
      if isClients { return .client(waited) }
      guard incomplete.cause == .reset, context.closedBy == response.direction else { return .open }
      // It had left before: the reset only shows that its last data was not read.
      if let first = context.endOfReceiver(response) { return .client(max(0, first.time.since(last.time))) }
      return .reset
    }
  }

  private static func weight(
    _ ending: Ending, _ response: Message, _ head: MessageHead, _ context: FlowContext
  ) -> (Severity, Cost) {
    switch ending {
    case .orderly, .open: return (.note, .none)
    case .reset, .short: return (.error, response.isWhollyCaptured ? .failed(.exchange) : .none)
    case .promised(let waited):
      return (.warning, waited >= context.thresholds[.endAwaited] ? .delay(nanoseconds: waited) : .none)
    case .client(let waited):
      let isAwaited = waited >= context.thresholds[.endAwaited] && !response.isDrip && !isStream(head)
      return (.warning, isAwaited ? .delay(nanoseconds: waited) : .none)
    }
  }

  /// Types whose readers do not wait for an end.
  private static func isStream(_ head: MessageHead) -> Bool {
    switch head.block.contentType?.essence {
    case "text/event-stream", "application/x-ndjson", "application/stream+json", "multipart/x-mixed-replace": true
    default: false
    }
  }

  private static func end(_ ending: Ending, _ response: Message, _ context: FlowContext) -> Evidence? {
    guard let packet = context.closedAt else { return nil }
    if case .client = ending, let first = context.endOfReceiver(response) {
      return Evidence(.packet(first, response.direction.opposite), "the client closes first")
    }
    switch ending {
    case .reset: return Evidence(.packet(packet, response.direction), "a reset, and not a close")
    case .promised, .orderly, .short: return Evidence(.packet(packet, response.direction), "the close that ends it")
    case .client: return Evidence(.packet(packet, response.direction.opposite), "the client closes first")
    case .open: return nil
    }
  }
}

extension Threshold {
  static let endAwaited = Threshold(
    "http.end-awaited", .nanoseconds, 1_000_000_000, "a client that waits this long for the end of a body has lost time"
  )
}

extension FindingMessage {
  fileprivate static func unframed(
    _ exchange: ExchangeRecord, _ response: Message, _ ending: CloseDelimitedBody.Ending
  ) -> Self {
    let body = "the body of \(Wording.bytes(response.bodyBytes)) has no announced end"
    switch ending {
    case .orderly, .open: return "\(exchange.title): \(body); a cut would look like success."
    case .reset: return "\(exchange.title): \(body), and a reset ended it: what came may not be all."
    case .short(let missing):
      return
        "\(exchange.title): the server closed \(Wording.bytes(missing)) before the end of the part whose length it had announced; \(body), so that only the part shows the cut."
    case .promised(let waited):
      return
        "\(exchange.title): \(body), and the head promises keep-alive: the end came with the close, \(Wording.duration(waited)) after the last byte."
    case .client(let waited):
      return
        "\(exchange.title): \(body), and the client closed first, \(Wording.duration(waited)) after the last byte: nothing told it that this was all."
    }
  }
}
