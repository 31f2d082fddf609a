import Citation
import Events
import HTTPSemantics

/// A chunked upload whose parts are all there, and whose end is not.
enum StreamOpenStall: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/stream-open-stall", severity: .warning,
    summary: "The closing delimiter was sent, and the end of the chunked body was withheld.",
    explanation: """
      All parts had arrived, but HTTP did not know it: a chunked body goes on until the chunk of size zero. The \
      library asks the app's stream for more, and a stream that never reports its end (an InputStream subclass whose \
      hasBytesAvailable stays true, a generator that is not closed) keeps the request open until one side times out.
      """,
    evidence: """
      The closing delimiter, and what came next: the last chunk, late, or the end of the connection. Where a \
      successful answer came in the meantime it cost nothing, and is a note.
      """,
    fix: "Client: let the body's stream report its end as soon as the closing delimiter is written.",
    specifications: [
      .multipartBoundary, Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1"),
    ],
    thresholds: [.multipartWait], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = body.record else { return }
    let (message, exchange) = (body.message, body.exchange)
    guard exchange.isRequest(message), message.framing == .chunked, let close = record.close,
      record.epilogue == nil, message.isWhollyCaptured
    else { return }
    let answer = exchange.response?.first
    var until: (packet: PacketRef, direction: Direction)?
    if let end = message.chunks?.terminator {
      until = (end.first, message.direction)
    } else if !message.isComplete {
      until = exchange.firstEnd
      if let answer, answer.number > close.last.number, answer.number < until?.packet.number ?? .max {
        until = (answer, .toClient)
      }
    }
    guard let until else { return }
    let wait = until.packet.time.since(close.last.time)
    guard wait >= context.thresholds[.multipartWait] else { return }
    let isLate = message.chunks?.terminator != nil
    let isAnswered = answer != nil && !exchange.status.isError
    let wasMeanwhile = (answer?.number ?? .max) < until.packet.number
    let cost: Cost =
      isAnswered ? wasMeanwhile ? .none : .delay(nanoseconds: wait) : .failed(.exchange)
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        isLate
          ? "\(exchange.title): the closing delimiter was sent, and the last chunk came \(Wording.duration(wait)) later."
          : "\(exchange.title): the closing delimiter was sent, and \(Wording.duration(wait)) later the last chunk had not come.",
        cost: cost, fix: info.fix,
        evidence: [
          Evidence(.bytes(close, message.direction), "the closing delimiter: all parts are there"),
          Evidence(
            .packet(until.packet, until.direction), isLate ? "the last chunk" : "ends the wait; there is no last chunk"),
        ]))
  }
}
