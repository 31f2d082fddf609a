import Citation
import Events

/// A FIN or RST that does not look like the packets of the endpoint it claims to come from.
struct CutByMiddlebox: ConnectionRule, ComparisonRule {
  static let info = RuleInfo(
    id: "stream/cut-by-middlebox", severity: .error, confidence: .medium,
    summary: "A middlebox cut a stream in the name of one of its ends.",
    explanation: """
      Firewalls, NATs and load balancers keep a table of flows and evict those that are idle for a while, or forbid what \
      was allowed before. Some send each end a reset in the other's name. Each side's log then blames the other: "connection reset by peer", \
      although neither sent it. The packet itself shows it: it started somewhere else, so its TTL has counted other \
      hops, and its IP identification is not the next of the sender's series.
      """,
    evidence: """
      The last bytes, and the packet that ended the stream after a silence, or the reset that cut an exchange, with its TTL and IP identification beside those \
      of its supposed sender's other packets. A packet whose TTL fits, or whose identification continues the series, \
      is taken to be genuine, and one that answers a FIN to end nothing. Several paths with different hop counts look the same; then a reset is not all that \
      changes.
      """,
    fix: """
      Network: find the middlebox as many hops away as the TTL says (64, 128 or 255 less the TTL), and raise its idle \
      timeout for these flows. Sender: write something before half of the silence is over; a TCP keep-alive helps \
      against a NAT, not against a proxy.
      """,
    specifications: [
      Specification("RFC 5382 §5", "https://www.rfc-editor.org/rfc/rfc5382#section-5"),
      Specification("RFC 3360", "https://www.rfc-editor.org/rfc/rfc3360"),
    ],
    thresholds: [.cutIdle], since: "0.1")

  static var interests: EventKinds { .connectionClosed }

  /// Bytes that are no older were followed by more.
  private static let stillComing: Int64 = 500_000_000

  private var isTold = false

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard !isTold, context.closing(of: exchange).origin?.hasOtherTimeToLive == true else { return }
    guard Self.wasOpen(exchange, context.closing(of: exchange)), let finding = finding(exchange, context) else {
      return
    }
    isTold = true
    report(finding)
  }

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .connectionClosed = event, !isTold, context.endOrigin?.hasOtherTimeToLive == true,
      let finding = finding(nil, context)
    else { return }
    report(finding)
  }

  /// Of an exchange that was over nothing was cut. What was not read to its end, because bytes were not captured, was cut
  /// where bytes came until the reset.
  private static func wasOpen(_ exchange: ExchangeRecord, _ closing: Ending) -> Bool {
    guard let response = exchange.response else { return exchange.end.cut == .reset || exchange.end.cut == .fin }
    switch response.incomplete?.cause {
    case .reset, .fin: return true
    case .gap:
      guard closing.isReset, let end = closing.at, let last = closing.silentSince else { return false }
      return end.time.since(last.time) < stillComing || lacksItsEnd(exchange, last)
    default: return false
    }
  }

  /// Its last bytes may be what the capture lacks: then it was not silent for as long as it seems.
  private static func lacksItsEnd(_ exchange: ExchangeRecord?, _ last: PacketRef) -> Bool {
    exchange?.messages.contains { message in
      message.stalls.contains { $0.cause == .captureLoss && $0.from.number >= last.number }
    } ?? false
  }

  private func finding(_ exchange: ExchangeRecord?, _ context: FlowContext) -> Finding? {
    let closing = exchange.map { context.closing(of: $0) } ?? context.closing
    guard let origin = closing.origin, let side = closing.by, let end = closing.at, let last = closing.silentSince,
      // A reset that answers a FIN ended nothing.
      end.number > last.number, closing.firstEnd.map({ $0 == end }) ?? true
    else { return nil }
    let silence = end.time.since(last.time)
    let isIdle = silence >= context.thresholds[.cutIdle] && !Self.lacksItsEnd(exchange, last)
    // Nothing goes on after a reset of an exchange that was under way, in whichever name it was sent.
    guard isIdle || exchange != nil && closing.isReset else { return nil }
    // What was silent may have been spoken to by a side that was not captured.
    if isIdle, context.isOneSided { return nil }
    // What is refused as soon as an idle flow is used again had been evicted: another rule's.
    if !isIdle, let sent = context.unanswered, sent.nanoseconds >= context.thresholds[.blackholeIdle] { return nil }
    // The next number of the series is hard to forge by chance: the sender's, by another way.
    if origin.identification != nil, origin.lastIdentification != nil, !origin.isOutOfSeries { return nil }
    return Finding(
      Self.info, confidence: origin.isOutOfSeries && !context.isMidstream ? .high : .medium,
      subject: .connection(context.id), exchange: exchange?.number, direction: side,
      .forged(exchange, isIdle ? silence : nil, side), cost: exchange == nil ? .none : .failed(.exchange),
      fix: isIdle
        ? """
        Network: find the middlebox that ends flows idle for \(Wording.duration(silence)) (its packet's TTL is \
        \(origin.timeToLive)), and raise its timer. Sender: write something at least every \(Wording.duration(silence / 2)).
        """
        : "Network: find the box that rejects this flow with a reset (its packet's TTL is \(origin.timeToLive)): a firewall whose rules were changed, or that found something in the stream, or a NAT that lost its entry (flushed, restarted, failed over).",
      evidence: [
        Evidence(.packet(last, nil), isIdle ? "the last bytes before the silence" : "the last bytes"),
        Evidence(.packet(end, side), Self.words(origin, side)),
      ])
  }

  private static func words(_ origin: EndOrigin, _ side: Direction) -> String {
    var text =
      "in the name of \(Wording.sender(side)): TTL \(origin.timeToLive), where its packets have \(origin.usualTimeToLive)"
    if origin.isOutOfSeries, let own = origin.identification, let last = origin.lastIdentification {
      text += "; IP identification \(own) after \(last)"
    }
    return text
  }
}

extension Threshold {
  static let cutIdle = Threshold(
    "stream.cut-idle", .nanoseconds, 1_000_000_000, "a connection silent this long was idle when it was cut")
}

extension FindingMessage {
  /// `silence` is nil where the stream was not idle.
  fileprivate static func forged(_ exchange: ExchangeRecord?, _ silence: Int64?, _ side: Direction) -> Self {
    """
    \(exchange.map { $0.title + ": cut" } ?? "The connection was ended")\
    \(silence.map { " after \(Wording.duration($0)) of silence" } ?? " while bytes came,") by a packet that did not come \
    from \(Wording.sender(side)), in whose name it was sent.
    """
  }
}
