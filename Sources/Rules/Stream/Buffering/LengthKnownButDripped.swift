import Citation
import Events
import HTTPSemantics

/// A body of known length that comes slowly, bit by bit.
enum LengthKnownButDripped: ExchangeRule {
  static let info = RuleInfo(
    id: "stream/length-known-but-dripped", severity: .note,
    summary: "A response of announced length is streamed in small pieces.",
    explanation: """
      A Content-Length means that the whole body is known, and many readers and proxies wait until they have it. If it \
      is written bit by bit over seconds, the server means to stream it, and a reader that collects sees nothing until \
      the last byte.
      """,
    evidence:
      "The Content-Length, and the first and last byte of the body; bodies that are merely slow downloads are left out.",
    fix: "Server: stream with chunks and without a length, or write the body at once.",
    specifications: [Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3")],
    thresholds: [.drippedBody, .drippedRate], causedBy: ["sse/content-length"], since: "0.1")

  static var needs: ExchangeFacts { .drip }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.pauses >= 2, response.framing == .length,
      let first = response.firstBody, let last = response.lastBody, response.isWhollyCaptured,
      let length = Evidence.field("content-length", of: response, "the whole length is announced")
    else { return }
    let took = last.time.since(first.time)
    let seconds = UInt64(max(1, took / 1_000_000_000))
    guard took >= context.thresholds[.drippedBody],
      response.bodyBytes / seconds <= UInt64(max(0, context.thresholds[.drippedRate]))
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): \(Wording.bytes(response.bodyBytes)) of announced length took \(Wording.duration(took)), with \(Wording.count(UInt64(response.pauses), "pause")); readers that wait for all of it see nothing until then.",
        cost: .none, fix: info.fix,
        evidence: [
          length, Evidence(.packet(first, response.direction), "the first byte"),
          Evidence(.packet(last, response.direction), "the last byte"),
        ]))
  }
}

extension Threshold {
  static let drippedBody = Threshold(
    "stream.dripped-body", .nanoseconds, 5_000_000_000, "a body of known length that takes so long is streamed")
  static let drippedRate = Threshold(
    "stream.dripped-rate", .bytes, 2_048, "bytes per second of such a body, at most: faster ones are downloads")
}
