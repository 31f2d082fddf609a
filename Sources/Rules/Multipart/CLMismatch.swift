import Citation
import Events
import HTTPSemantics

/// A Content-Length that does not fit the multipart body under it.
struct CLMismatch: ConnectionRule {
  static let info = RuleInfo(
    id: "multipart/cl-mismatch", severity: .error,
    summary: "Content-Length does not fit the multipart body: the closing delimiter says where it ends.",
    explanation: """
      Code that adds up the parts by hand omits a line end, counts characters instead of bytes, or leaves out the \
      closing delimiter. With too small a length the body ends inside its last delimiter, and the rest is taken for \
      the next request; with too large a length the server waits for bytes that never come, until it times out.
      """,
    evidence: """
      Too small: the body ends inside a delimiter. Too large: the closing delimiter is there, bytes are outstanding, and \
      nothing came for the time shown. A difference of 2 or 4 is one or two line ends.
      """,
    fix: "Client: build the body first and take its length, or let a library do it.",
    specifications: [
      .multipartBoundary, Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6"),
    ],
    thresholds: [.multipartWait], since: "0.1")

  static var interests: EventKinds { .stray | .connectionClosed }

  /// A message whose length cuts its closing delimiter: what follows it is reported later, once enough of it is there.
  private struct Pending: Sendable {
    var message: Message
    var exchange: ExchangeRecord
    var missing: Int
    var field: Evidence
  }

  private var pending: Pending?

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    for message in exchange.messages {
      guard message.isReadByPart, let record = message.multipart else { continue }
      judge(record, of: message, exchange, in: context, report: report)
    }
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .stray(.error(let error), let direction, let key):
      // Bytes stand behind a message, and begin no other one.
      guard error.kind == .unexpectedBytes, let pending, pending.exchange.number == key.number,
        pending.message.direction == direction
      else { return }
      tooSmall(pending, rest: error, context, report)
      self.pending = nil
    case .connectionClosed: finish(in: context, report: report)
    default: break
    }
  }

  /// What follows the message is no longer reported.
  private mutating func finish(in context: FlowContext, report: (Finding) -> Void) {
    guard let pending else { return }
    self.pending = nil
    tooSmall(pending, rest: nil, context, report)
  }

  private mutating func judge(
    _ record: MultipartRecord, of message: Message, _ exchange: ExchangeRecord, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    guard message.framing == .length, let head = message.head, message.isWhollyCaptured,
      let field = Evidence.field("content-length", of: message, "the length that is announced")
    else { return }
    if record.close != nil {
      tooLarge(record, message, head, field, exchange, context, report)
    } else if record.isWhole, record.closeMissing > 0 {
      finish(in: context, report: report)
      pending = Pending(message: message, exchange: exchange, missing: record.closeMissing, field: field)
    }
  }

  private func tooSmall(
    _ pending: Pending, rest: FramingError?, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    let message = pending.message
    let exchange = pending.exchange
    // A whole line that only lacks its dashes was written so, unless they follow.
    if message.multipart?.lenience(.closeDashesMissing) != nil, rest?.excerpt.bytes.starts(with: [0x2D, 0x2D]) != true {
      return
    }
    guard let last = message.lastBody else { return }
    let harm = MultipartHarm(message, exchange, in: context)
    var evidence = [
      pending.field, Evidence(.packet(last, message.direction), "the body ends inside its closing delimiter"),
    ]
    if let rest { evidence.append(.error(rest, message.direction, "the rest, behind the end of the body")) }
    report(
      Finding(
        Self.info, confidence: harm.confidence, subject: .connection(context.id), exchange: exchange.number,
        direction: message.direction,
        """
        \(exchange.title): Content-Length is too small; the body ends \(Wording.bytes(UInt64(pending.missing))) before \
        the end of its closing delimiter\(rest == nil ? "" : ", and the rest follows").
        """, cost: harm.cost, fix: Self.info.fix,
        evidence: evidence + harm.evidence))
  }

  private func tooLarge(
    _ record: MultipartRecord, _ message: Message, _ head: MessageHead, _ field: Evidence, _ exchange: ExchangeRecord,
    _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard !message.isComplete, record.epilogue == nil, head.contentLength > message.bodyBytes,
      let close = record.close, let last = message.lastBody
    else { return }
    // Who gave up first: the server with an answer, or either side with an end.
    var until = exchange.firstEnd
    if exchange.isRequest(message), let answer = exchange.response?.first, answer.number > last.number,
      answer.number < until?.packet.number ?? .max
    {
      until = (answer, .toClient)
    }
    guard let until else { return }
    let wait = until.packet.time.since(last.time)
    guard wait >= context.thresholds[.multipartWait] else { return }
    let missing = head.contentLength &- message.bodyBytes
    let isAnswered = exchange.isRequest(message) && !exchange.status.isError && exchange.response != nil
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        """
        \(exchange.title): Content-Length is too large by \(Wording.bytes(missing)); the closing delimiter was there, and \
        nothing followed for \(Wording.duration(wait)).
        """, cost: isAnswered ? .delay(nanoseconds: wait) : .failed(.exchange),
        fix: Self.info.fix,
        evidence: [
          field,
          Evidence(
            .bytes(close, message.direction), "the closing delimiter, with \(Wording.bytes(missing)) outstanding"),
          Evidence(.packet(until.packet, until.direction), "ends the wait"),
        ]))
  }
}
