import Citation
import Events
import HTTPSemantics

/// What a proxy only passed on: the origin's response broke off, or was late, and so the client's was. It is reported on the
/// origin's side, and that of the client's is a consequence.
///
/// Bounded: the last `limit` exchanges of each kind.
struct PassedOn: Sendable {
  private struct Kind: Sendable {
    /// The origin's side of exchanges of the client's.
    var behind = BoundedTable<ExchangeKey, ExchangeKey>(limit: limit)
    /// The first finding of this kind about an exchange.
    var told = BoundedTable<ExchangeKey, RuleID>(limit: limit)

    mutating func join(_ pair: HopPair) {
      behind.update(pair.outer.leg, orMake: pair.inner.leg) { $0 = pair.inner.leg }
    }

    mutating func cause(of rule: RuleID, at leg: ExchangeKey) -> RuleID? {
      if let inner = behind[leg], let cause = told[inner] { return cause }
      told.update(leg, orMake: rule) { _ in }
      return nil
    }
  }

  private static let limit = 1_024
  /// A proxy passes on the end of a response at once.
  private static let together: Int64 = 200_000_000

  private var cuts = Kind()
  private var waits = Kind()

  mutating func note(_ pair: HopPair, _ thresholds: Thresholds) {
    if Self.isCut(pair) { cuts.join(pair) }
    if let wait = pair.inner.exchange.wait, wait > thresholds[.firstByteWait],
      let whole = pair.outer.exchange.wait, whole &- wait < thresholds[.firstByteWait]
    {
      waits.join(pair)
    }
  }

  /// The rule by which the origin's side is reported, for a finding about the client's.
  mutating func cause(of finding: Finding) -> RuleID? {
    guard finding.causedBy == nil, finding.direction == .toClient, let leg = finding.leg else { return nil }
    switch finding.cost {
    case .failed: return cuts.cause(of: finding.rule, at: leg)
    case .delay where finding.rule == TTFBSlow.info.id: return waits.cause(of: finding.rule, at: leg)
    default: return nil
    }
  }

  /// The origin ended its response before its end, and the proxy the client's right behind it.
  private static func isCut(_ pair: HopPair) -> Bool {
    guard let end = broken(pair.outer), let first = broken(pair.inner) else { return false }
    return first.number < end.number && end.time.since(first.time) <= together
  }

  /// Where the sender of a response ended it before its end.
  private static func broken(_ hop: Hop) -> PacketRef? {
    guard let response = hop.exchange.response, !response.isComplete, response.end?.isCaptured == true,
      response.incomplete?.cause == .fin || response.incomplete?.cause == .reset
    else { return nil }
    let closing = hop.context.closing(of: hop.exchange)
    return closing.by == response.direction ? closing.firstEnd ?? closing.at : nil
  }
}
