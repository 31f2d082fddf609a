import Citation
import Events
import HTTPSemantics

/// The last chunk came long after the last data.
enum TerminatorLate: ExchangeRule {
  static let info = RuleInfo(
    id: "chunked/terminator-late", severity: .warning, confidence: .medium,
    summary: "The end of a chunked body came long after its last data.",
    explanation: """
      All content had arrived, and the chunk of size zero was missing: callers that wait for the whole response waited \
      for a line of five bytes. A server that writes at once and ends late holds the end in a buffer, or does work \
      (logging, closing files, a middleware) between the last write and the end. Or TCP held the small last segment \
      back until the receiver acknowledged the one before (Nagle's algorithm).
      """,
    evidence: """
      The packet of the last data, and the one of the last chunk. Bodies that came in several bursts and event streams \
      are left alone: they may have waited for more to send, and one in a single burst may have, too. So there is a cost \
      only where an acknowledgement between the two shows that the last segment was ready and held.
      """,
    fix: "Server: end the response right after the last write, in the same buffer, or set TCP_NODELAY.",
    specifications: [.chunkedCoding], thresholds: [.terminatorLate],
    causedBy: ["chunked/early-terminator", "chunked/nagle-stall"], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .response] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let chunks = response.chunks, let last = chunks.last,
      let zero = chunks.terminator, !response.isDrip, response.isWhollyCaptured
    else { return }
    let late = zero.first.time.since(last.time)
    guard late >= context.thresholds[.terminatorLate], late > 2 &* (context.roundTrip.total ?? 0),
      response.head?.block.value("content-type")?.lowercased().contains("event-stream") != true
    else { return }
    // One more segment that waited for its acknowledgement: then the server had written it in time.
    let held = response.heldWrites.first {
      $0.packet.number == zero.first.number && $0.followsAcknowledgement(response.direction, context)
    }
    var evidence = [Evidence(.packet(last, response.direction), "the last data")]
    if let held {
      evidence.append(
        Evidence(.packet(held.acknowledgement, response.direction.opposite), "its delayed acknowledgement"))
    }
    evidence.append(Evidence(.bytes(zero, response.direction), "the last chunk"))
    let why = held == nil ? "" : ", when the segment before it had been acknowledged"
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the body was there, and its end came \(Wording.duration(late)) after the last data\(why).",
        cost: held == nil ? .none : .delay(nanoseconds: late),
        fix: info.fix,
        evidence: evidence))
  }
}

extension Threshold {
  static let terminatorLate = Threshold(
    "chunked.terminator-late", .nanoseconds, 200_000_000, "from the last data to the last chunk")
}
