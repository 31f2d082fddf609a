import Citation
import Events
import HTTPSemantics

/// A body shorter than its Content-Length.
enum CLShort: MessageRule {
  static let info = RuleInfo(
    id: "http/cl-short", severity: .error,
    summary: "A body ended before its Content-Length.",
    explanation: """
      The sender announced more bytes than it sent and closed. The receiver has a truncated body; most libraries \
      report it (curl: transfer closed with bytes remaining), some deliver what came.
      """,
    evidence: """
      The announced length, and the last packet of the body. Only a close by the body's own sender counts, and only \
      where the capture lacks none of its bytes. A response whose request was not seen may answer HEAD, and is not \
      judged, nor are the channels of RPC over HTTP, whose length is only an upper bound, or a client that stops when an \
      answer refuses its request.
      """,
    fix: """
      Sender: let the framework set the length, and count bytes, not characters. If the length was right, find what \
      ended the connection: a crash, a timeout in between, a worker that was recycled.
      """,
    specifications: [
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8"),
      Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6"),
    ],
    causedBy: [
      "stream/cut-by-middlebox", "stream/cut-at-known-timeout", "stream/cut-after-round-silence", "proxy/read-timeout",
      "proxy/stream-dropped", "tcp/connect-refused",
    ],
    since: "0.1")

  static var needs: ExchangeFacts { [] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let head = message.head, head.framing == .length, head.isRequestKnown,
      let cut = message.wasCutBySender(context), head.contentLength > message.bodyBytes, !isChannel(exchange),
      !exchange.stoppedForAnswer(message), let field = head.block.first("content-length")
    else { return }
    let missing = head.contentLength - message.bodyBytes
    report(
      Finding(
        Self.info, severity: context.cutSeverity, confidence: context.cutConfidence, subject: .connection(context.id),
        exchange: exchange.number, direction: message.direction, .short(exchange, message, missing, context),
        cost: .failed(.exchange), fix: info.fix,
        evidence: [
          .field(field, head, message.direction, "announces the body"),
          Evidence(
            .packet(message.lastBody ?? message.last, message.direction),
            message.bodyBytes > 0 ? "the last of \(Wording.bytes(message.bodyBytes))" : "nothing of it follows"),
        ]
          + (context.closedAt.map {
            [Evidence(.packet($0, message.direction), cut.cause == .reset ? "the reset" : "the close")]
          } ?? [])))
  }
}

extension CLShort {
  /// A channel of MS-RPCH: its length is only an upper bound of what passes in its life.
  private static func isChannel(_ exchange: ExchangeRecord) -> Bool {
    exchange.method == "RPC_IN_DATA" || exchange.method == "RPC_OUT_DATA"
  }
}

extension FindingMessage {
  fileprivate static func short(
    _ exchange: ExchangeRecord, _ message: Message, _ missing: UInt64, _ context: FlowContext
  ) -> Self {
    "\(exchange.title): \(Wording.sender(message.direction)) closed \(Wording.bytes(missing)) before the end of the body it had announced\(context.unheard(message.direction))."
  }
}
