import Citation
import Events

/// A window that is too small for its path.
enum HTTP2WindowLimited: CreditRule {
  static let info = RuleInfo(
    id: "h2/window-limited", severity: .warning,
    summary: "A body was slow because its window is too small for the round trip.",
    explanation: """
      A sender that used its window up waits a round trip for more. 64 KiB over a path of 100 ms is 5 Mbit/s, however \
      fast the network is. Until the window is used up for the first time TCP is the limit, which starts slowly: from \
      then on the sender's waits count, and they must be a good part of the whole body, too.
      """,
    evidence: "The first and the last DATA of the body.",
    fix: """
      Receiver: a window of at least bandwidth times round trip, for streams and for the connection, or one that adapts.
      """,
    specifications: [.flowControl], thresholds: [.limitedShare, .limitedWhole, .limitedTrip],
    causedBy: ["h2/stream-window-stall", "h2/connection-window-stall"], since: "0.1")

  static func judge(
    _ credit: CreditRecord, _ sender: Direction, of exchange: ExchangeRecord, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    let message = exchange.request?.direction == sender ? exchange.request : exchange.response
    guard credit.waits >= 4, let message, let first = message.firstBody, let last = message.lastBody,
      let trip = context.roundTrip.total, trip >= context.thresholds[.limitedTrip]
    else { return }
    let whole = last.time.since(first.time)
    let share = context.thresholds[.limitedShare]
    let lost = message.silence[.retransmission] &+ message.silence[.zeroWindow] &+ message.silence[.receiverLimited]
    let limited = last.time.nanoseconds &- credit.waitedSince
    guard whole > 0, Double(credit.waited) * 100 >= Double(limited) * Double(share),
      Double(credit.waited) * 100 >= Double(whole) * Double(context.thresholds[.limitedWhole]), lost < whole / 2
    else { return }
    let rate = Double(message.bodyBytes) / (Double(whole) / 1_000_000_000)
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: sender.opposite,
        "\(exchange.title): \(Wording.sender(sender)) waited \(Wording.count(credit.waits, "time")) for credit, \(Wording.duration(credit.waited)) of \(Wording.duration(whole)); \(Wording.bytes(UInt64(max(0, min(rate, 1e15))))) a second came.",
        cost: .delay(nanoseconds: credit.waited), fix: info.fix,
        evidence: [
          Evidence(.packet(first, sender), "the first DATA"), Evidence(.packet(last, sender), "the last DATA"),
        ]))
  }
}

extension Threshold {
  static let limitedShare = Threshold(
    "h2.limited-share", .percent, 50,
    "a sender without credit for less of the time, since it used its window up, was not limited by it")
  static let limitedWhole = Threshold(
    "h2.limited-whole", .percent, 25, "and the same of the time of the whole body")
  static let limitedTrip = Threshold(
    "h2.limited-rtt", .nanoseconds, 5_000_000, "on a shorter round trip no window is too small")
}
