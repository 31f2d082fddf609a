import Citation
import Events

extension Threshold {
  static let creditStall = Threshold(
    "h2.stall", .nanoseconds, 200_000_000, "a sender without credit for longer, beyond the round trip, waited for it")
  static let creditStallError = Threshold(
    "h2.stall-error", .nanoseconds, 5_000_000_000, "such a wait from here on is an error")
  static let promptAfterCredit = Threshold(
    "h2.prompt-after-credit", .nanoseconds, 50_000_000, "what follows credit as soon had waited for it")
}

/// The waits of one direction for credit that are worth a finding.
struct CreditWaits {
  let stalls: [CreditRecord.Stall]
  /// The one that credit never ended, where there is one; else the longest.
  let worst: CreditRecord.Stall
  let nanoseconds: Int64

  /// nil where there are none.
  init?(_ record: CreditRecord, in context: FlowContext) {
    let trip = max(0, context.roundTrip.total ?? 0)
    let least = context.thresholds[.creditStall]
    let prompt = context.thresholds[.promptAfterCredit]
    stalls = record.stalls.filter { stall in
      stall.nanoseconds &- trip >= least && (!stall.isOver || stall.credited != nil && stall.delay <= prompt)
    }
    guard let longest = stalls.max(by: { $0.nanoseconds < $1.nanoseconds }) else { return nil }
    worst = stalls.last { !$0.isOver } ?? longest
    nanoseconds = stalls.reduce(0) { $0 &+ ($1.nanoseconds &- trip) &* Int64(clamping: max(1, $1.waiting)) }
  }

  var isEndless: Bool { !worst.isOver }

  func severity(in context: FlowContext) -> Severity {
    isEndless || worst.nanoseconds >= context.thresholds[.creditStallError] ? .error : .warning
  }

  /// How long the sender had no credit, as the end of a sentence.
  var words: String { "for \(Wording.duration(worst.nanoseconds))\(isEndless ? ", and none came" : "")" }

  var cost: Cost { isEndless ? .failed(.exchange) : .delay(nanoseconds: nanoseconds) }

  /// The worst wait, packet by packet.
  func evidence(_ sender: Direction, _ window: String) -> [Evidence] {
    var evidence = [Evidence(.packet(worst.emptied, sender), "the DATA that used the credit of the \(window) up")]
    if let credited = worst.credited {
      evidence.append(Evidence(.packet(credited, sender.opposite), "the WINDOW_UPDATE that ended it"))
    }
    evidence.append(Evidence(.packet(worst.resumed, nil), worst.isOver ? "the next DATA" : "the end, without credit"))
    return evidence
  }
}

/// Judges exchanges that flow control held up.
protocol CreditRule: ExchangeRule {
  static func judge(
    _ credit: CreditRecord, _ sender: Direction, of exchange: ExchangeRecord, in context: FlowContext,
    report: (Finding) -> Void)
}

extension CreditRule {
  static var needs: ExchangeFacts { .http2 }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let credit = exchange.credit else { return }
    for sender in Direction.allCases where !credit[sender].isEmpty {
      judge(credit[sender], sender, of: exchange, in: context, report: report)
    }
  }
}
