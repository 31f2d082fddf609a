import Citation
import Events
import HTTPSemantics

/// Data without the empty line that makes it an event.
enum SSENoBlankLine: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/no-blank-line", severity: .error,
    summary: "The empty line that ends an event is late or never comes.",
    explanation: """
      Lines of data are only collected; the empty line hands them on. A server that writes "data: x" with one line \
      feed sends nothing, as far as receivers are concerned, and what is left when the stream ends is discarded. On \
      the wire, in curl and in logs everything looks right.
      """,
    evidence: """
      The packet with the last line, and the one that at last brought the empty line or the end of the stream. An \
      event that a buffer cut in two does not count, nor does a stream that broke off in the middle of a line.
      """,
    fix:
      "Server: end every event with an empty line (two line feeds), the last one too, and write it together with the event.",
    specifications: [.eventStreamFormat],
    thresholds: [.eventEnd], causedBy: ["stream/end-with-next", "sse/buffered", "stream/block-buffered"], since: "0.1")

  static var needs: ExchangeFacts { .events }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let events = exchange.eventResponse, events.message.isWhollyCaptured else { return }
    let response = events.message
    if let tail = events.stream.tail, tail.carriesData {
      if response.isComplete { return report(lost(tail, exchange, response, events.stream, context)) }
      let closing = context.closing(of: exchange)
      if !tail.isMidLine, let end = closing.lastEnd ?? closing.at,
        end.time.since(tail.last.time) >= context.thresholds[.eventEnd]
      {
        return report(awaited(tail, end, exchange, response, context))
      }
    }
    if let hold = events.stream.longestHold, hold.nanoseconds >= context.thresholds[.eventEnd],
      !events.stream.wasCutOnce(hold)
    {
      report(late(hold, exchange, response, context))
    }
  }

  private static func lost(
    _ tail: ItemRecord.Tail, _ exchange: ExchangeRecord, _ response: Message, _ stream: ItemRecord,
    _ context: FlowContext
  ) -> Finding {
    let what = stream.items == 0 ? "no event at all" : "the last event is lost"
    var evidence = [Evidence(.packet(tail.first, response.direction), "data, with no empty line behind")]
    if response.last.number != tail.first.number {
      evidence.append(Evidence(.packet(response.last, response.direction), "the stream ends"))
    }
    return Finding(
      Self.info, severity: stream.items == 0 ? .error : .warning, subject: .connection(context.id),
      exchange: exchange.number, direction: response.direction,
      "\(exchange.title): the stream ends with \(Wording.bytes(tail.bytes)) of data and no empty line behind: receivers discard them (\(what)).",
      cost: .lost(bytes: tail.bytes), fix: info.fix,
      evidence: evidence)
  }

  private static func awaited(
    _ tail: ItemRecord.Tail, _ end: PacketRef, _ exchange: ExchangeRecord, _ response: Message,
    _ context: FlowContext
  ) -> Finding {
    let waited = end.time.since(tail.last.time)
    return Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
      "\(exchange.title): \(Wording.bytes(tail.bytes)) of data had no empty line behind them for \(Wording.duration(waited)), and then the connection ended: receivers never delivered them.",
      cost: .lost(bytes: tail.bytes), fix: info.fix,
      evidence: [
        Evidence(.packet(tail.last, response.direction), "the last line of data"),
        Evidence(.packet(end, nil), "the connection ends"),
      ])
  }

  private static func late(
    _ hold: MessageRecord.Pause, _ exchange: ExchangeRecord, _ response: Message, _ context: FlowContext
  ) -> Finding {
    Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
      "\(exchange.title): the empty line that ends an event came \(Wording.duration(hold.nanoseconds)) after it; no receiver could read the event before.",
      cost: .delay(nanoseconds: hold.nanoseconds), fix: info.fix,
      evidence: [
        Evidence(.packet(hold.from, response.direction), "the last line of an event"),
        Evidence(.packet(hold.to, response.direction), "its empty line"),
      ])
  }
}

extension ItemRecord {
  /// The empty line came with what is behind it, as it seldom does in this stream: a buffer on the way was full there.
  fileprivate func wasCutOnce(_ hold: MessageRecord.Pause) -> Bool {
    heldEnd?.to == hold.to && heldEnds &* 4 < items
  }
}

extension Threshold {
  static let eventEnd = Threshold(
    "sse.event-end", .nanoseconds, 2_000_000_000, "an event whose empty line is awaited so long has none")
}
