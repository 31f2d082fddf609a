import Citation
import Events
import HTTPSemantics

/// What a proxy only passed on: the origin's response broke off, or was late, and so the client's was. It is reported once,
/// of the origin's side where that is known first, and the other is a consequence.
///
/// Bounded: the last `limit` exchanges of each kind.
struct PassedOn: Sendable {
  /// The origin's side of a late response.
  private struct Wait: Sendable {
    let inner: ExchangeKey
    let server: Endpoint
    let nanoseconds: Int64
  }

  private static let limit = 1_024
  /// A proxy passes on the end of a response at once.
  private static let together: Int64 = 200_000_000

  /// The origin's side of cut responses of the client's, and the first finding about a cut.
  private var cuts = BoundedTable<ExchangeKey, ExchangeKey>(limit: limit)
  private var toldCuts = BoundedTable<ExchangeKey, RuleID>(limit: limit)
  /// Late responses by the client's side, the client's side of each, and those that were reported.
  private var waits = BoundedTable<ExchangeKey, Wait>(limit: limit)
  private var outers = BoundedTable<ExchangeKey, ExchangeKey>(limit: limit)
  private var toldWaits = BoundedTable<ExchangeKey, Bool>(limit: limit)

  mutating func note(_ pair: HopPair, _ thresholds: Thresholds) {
    if Self.isCut(pair) { cuts.update(pair.outer.leg, orMake: pair.inner.leg) { $0 = pair.inner.leg } }
    if let wait = pair.inner.exchange.wait, wait > thresholds[.firstByteWait],
      let whole = pair.outer.exchange.wait, whole &- wait < thresholds[.firstByteWait]
    {
      let known = Wait(inner: pair.inner.leg, server: pair.inner.context.server, nanoseconds: wait)
      waits.update(pair.outer.leg, orMake: known) { $0 = known }
      outers.update(pair.inner.leg, orMake: pair.outer.leg) { $0 = pair.outer.leg }
    }
  }

  mutating func review(_ finding: inout Finding) {
    guard finding.causedBy == nil, finding.direction == .toClient, let leg = finding.leg else { return }
    switch finding.cost {
    case .failed:
      if let inner = cuts[leg], let cause = toldCuts[inner] {
        // A finding that is written to is copied.
        finding.causedBy = cause
      } else {
        toldCuts.update(leg, orMake: finding.rule) { _ in }
      }
    case .delay where finding.rule == TTFBSlow.info.id: review(late: &finding, at: leg)
    default: break
    }
  }

  /// Of a cut that was held until the origin's side was known.
  func cause(of finding: Finding) -> RuleID? {
    guard case .failed = finding.cost, finding.direction == .toClient, let inner = finding.leg.flatMap({ cuts[$0] })
    else { return nil }
    return toldCuts[inner]
  }

  /// The origin's connection may last longer than the client's, and is reported after it then.
  private mutating func review(late finding: inout Finding, at leg: ExchangeKey) {
    let wait = waits[leg]
    if wait.map({ toldWaits.has($0.inner) }) == true || outers[leg].map({ toldWaits.has($0) }) == true {
      finding.causedBy = TTFBSlow.info.id
    } else if let wait {
      finding.fix = """
        Origin \(wait.server): it took \(Wording.duration(wait.nanoseconds)) of that, on connection #\(wait.inner.connection); \
        find what the time went into.
        """
    }
    toldWaits.update(leg, orMake: true) { _ in }
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
