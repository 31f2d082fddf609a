import Citation
import Events
import HTTPSemantics

/// Ends that come only with what follows them: an event's empty line, or a chunk's line end.
enum EndWithNext: ExchangeRule {
  static let info = RuleInfo(
    id: "stream/end-with-next", severity: .warning,
    summary: "The end of each event or chunk is sent only with the next one.",
    explanation: """
      The empty line makes an event: until it is there nothing is delivered. A program that writes the separator in \
      front of each event instead of behind it delays every event by one, and the last one until the stream ends. With \
      chunks it is the line end after the data: most readers pass the data on before it, some wait for the whole \
      chunk.
      """,
    evidence: """
      The packet with the last byte of an event (or of a chunk's data), and the one that brought its end together with the \
      beginning of the next; the longest of several. An end that comes in a packet of its own is not counted.
      """,
    fix: "Sender: write each event, or chunk, with its end in one call.",
    specifications: [
      Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1"),
      Specification(
        "HTML §9.2.6", "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation"),
    ],
    thresholds: [.heldEnds, .heldEnd], since: "0.1")

  static var needs: ExchangeFacts { [.response, .body] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.isChunked || response.isReadByItem else { return }
    guard let chunks = response.chunks, response.isWhollyCaptured else {
      if response.isWhollyCaptured { _ = items(exchange, response, context, report) }
      return
    }
    if items(exchange, response, context, report) { return }
    guard let held = chunks.heldEnd, isNotable(chunks.heldEnds, held, context) else { return }
    report(
      finding(
        exchange, response, held, chunks.heldEnds, context,
        "\(exchange.title): the line end of \(Wording.count(chunks.heldEnds, "chunk")) came only with the next chunk, up to \(Wording.duration(held.nanoseconds)) after the data; a reader of whole chunks is late by one.",
        cost: .none, ("the data of a chunk ends", "its line end, and the next chunk")))
  }

  private static func items(
    _ exchange: ExchangeRecord, _ response: Message, _ context: FlowContext, _ report: (Finding) -> Void
  ) -> Bool {
    guard response.isReadByItem, response.record.$stream.value.heldEnds > 0, let stream = response.stream,
      let held = stream.heldEnd, isNotable(stream.heldEnds, held, context)
    else {
      return false
    }
    let item = stream.kind.item
    report(
      finding(
        exchange, response, held, stream.heldEnds, context,
        "\(exchange.title): \(Wording.count(stream.heldEnds, item)) ended only with the next one, up to \(Wording.duration(held.nanoseconds)) late: no client can read \(stream.kind.oneItem) before its end.",
        cost: .delay(nanoseconds: held.nanoseconds),
        ("all of \(stream.kind.oneItem) but its end", "its end, and the next one")))
    return true
  }

  private static func isNotable(_ count: UInt64, _ held: MessageRecord.Pause, _ context: FlowContext) -> Bool {
    count >= UInt64(max(1, context.thresholds[.heldEnds])) && held.nanoseconds >= context.thresholds[.heldEnd]
  }

  private static func finding(
    _ exchange: ExchangeRecord, _ response: Message, _ held: MessageRecord.Pause, _ count: UInt64,
    _ context: FlowContext, _ message: FindingMessage, cost: Cost, _ notes: (String, String)
  ) -> Finding {
    var finding = Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction, message,
      cost: cost, fix: info.fix,
      evidence: [
        Evidence(.packet(held.from, response.direction), notes.0),
        Evidence(.packet(held.to, response.direction), notes.1),
      ])
    finding.count = count
    return finding
  }
}

extension Threshold {
  static let heldEnds = Threshold(
    "stream.held-ends", .count, 2, "ends of one body that came only with what follows them")
  static let heldEnd = Threshold(
    "stream.held-end", .nanoseconds, 100_000_000, "the longest such wait, at least")
}
