import Citation
import Events
import HTTPSemantics

/// A form that had to be repeated, and was repeated with less of its body.
struct RetryTruncatedStream: CaptureRule {
  static let info = RuleInfo(
    id: "multipart/retry-truncated-stream", severity: .warning, confidence: .medium,
    summary: "An upload was repeated after 401, 407, 307 or 308 with less of its body.",
    explanation: """
      A body that is read from a stream can be read once. When the server asks for credentials or sends the client \
      elsewhere, the library repeats the request and needs the body from its beginning; with a stream that stands at its \
      end, or somewhere in the middle, the second upload is empty or cut. URLSession asks its delegate for a new stream \
      (needNewBodyStream), and without an answer sends what is left.
      """,
    evidence: """
      The first upload, the answer to it, and the second upload by the same client with the same method, with fewer bytes \
      of body. That they are the same upload is inferred from client, method, path and time.
      """,
    fix: """
      Client: give the library a way to open the body again (needNewBodyStream, a file, data), or sign in before the \
      upload.
      """,
    specifications: [
      Specification("RFC 9110 §15.4.8", "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.8"),
      Specification("RFC 9110 §11.6.1", "https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1"),
    ],
    thresholds: [.redirectResend], since: "0.1")

  private struct Sent: Sendable {
    var key: RequestKey
    var status: UInt16
    var bytes: UInt64
    var request: PacketRef
    var answer: PacketRef
  }

  private static let limit = 32

  private var waiting: [Sent] = []

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard asked.head.multipartType != nil else { return }
    let (exchange, request, key) = (asked.exchange, asked.request, asked.key)
    if let at = waiting.firstIndex(where: { isRepeat(key, request, of: $0, context) }) {
      let before = waiting.remove(at: at)
      if request.isComplete, request.isWhollyCaptured, request.bodyBytes < before.bytes {
        report(finding(exchange, request, before, context))
      }
    }
    let status = exchange.status.code
    guard [401, 407, 307, 308].contains(status), request.bodyBytes > 0, let answer = exchange.response?.first else {
      return
    }
    if waiting.count == Self.limit { waiting.removeFirst() }
    waiting.append(
      Sent(key: key, status: status, bytes: request.bodyBytes, request: request.first, answer: answer))
  }

  private func isRepeat(_ key: RequestKey, _ request: Message, of sent: Sent, _ context: FlowContext) -> Bool {
    let isRedirect = sent.status == 307 || sent.status == 308
    return key.asker.address == sent.key.asker.address && key.asker.agent == sent.key.asker.agent
      && key.method == sent.key.method && (isRedirect || key.target == sent.key.target)
      && request.first.number > sent.answer.number
      && request.first.time.since(sent.answer.time) <= context.thresholds[.redirectResend]
  }

  private func finding(
    _ exchange: ExchangeRecord, _ request: Message, _ before: Sent, _ context: FlowContext
  ) -> Finding {
    let isHurt = exchange.status.isError
    return Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
      """
      \(exchange.title): the upload was repeated after \(before.status) with \(Wording.bytes(request.bodyBytes)) of \
      \(Wording.bytes(before.bytes)).
      """, cost: isHurt ? .failed(.exchange) : .lost(bytes: before.bytes &- request.bodyBytes),
      fix: Self.info.fix,
      evidence: [
        Evidence(.packet(before.request, .toServer), "the first upload, \(Wording.bytes(before.bytes))"),
        Evidence(.packet(before.answer, .toClient), "\(before.status)"),
        Evidence(.packet(request.first, .toServer), "the second one, \(Wording.bytes(request.bodyBytes))"),
      ]
    ).on(context.number)
  }
}
