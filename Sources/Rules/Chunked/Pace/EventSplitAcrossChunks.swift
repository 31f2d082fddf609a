import Citation
import Events
import HTTPSemantics

/// An event that comes in two chunks, with a pause between.
enum EventSplitAcrossChunks: MessageRule {
  static let info = RuleInfo(
    id: "chunked/event-split-across-chunks", severity: .note,
    summary: "One event came in two chunks, with a pause between.",
    explanation: """
      Chunks are an affair of the transport: an event of an event stream, or a line of JSON, may be spread over \
      several, and a proxy may cut them differently. Receivers that parse each callback on its own work until then, \
      and fail on half an event. A pause inside an event is also a delay of all of it.
      """,
    evidence: "The packets on both sides of the longest such pause.",
    fix:
      "Receiver: join bytes until the empty line or the line end. Sender: write each event in one piece and flush then.",
    specifications: [
      Specification("Server-sent events", "https://html.spec.whatwg.org/multipage/server-sent-events.html"),
      .chunkedCoding,
    ],
    thresholds: [.splitEvent],
    causedBy: ["stream/end-with-next", "sse/no-blank-line", "sse/buffered", "stream/block-buffered"], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let pause = message.splitEvent, pause.nanoseconds >= context.thresholds[.splitEvent] else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): an event began in one chunk and went on in another \(Wording.duration(pause.nanoseconds)) later.",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(pause.from, message.direction), "ends in the middle of an event"),
          Evidence(.packet(pause.to, message.direction), "goes on with it"),
        ]))
  }
}

extension Threshold {
  static let splitEvent = Threshold(
    "chunked.split-event", .nanoseconds, 100_000_000, "a pause between two chunks of one event")
}
