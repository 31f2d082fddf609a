import Citation
import Events
import HTTPSemantics

/// What a proxy only passed on: the origin's response broke off, or was late, and so the client's was. It is reported on the
/// origin's side, and that of the client's is a consequence.
///
/// Bounded: the last `limit` exchanges of each kind.
struct PassedOn: Sendable {
  private struct Place: MixedKey {
    var flow: FlowID
    var exchange: Int
    var isWait: Bool

    init(_ flow: FlowID, _ exchange: Int, isWait: Bool) {
      self.flow = flow
      self.exchange = exchange
      self.isWait = isWait
    }

    init(_ hop: Hop, isWait: Bool) {
      self.init(hop.context.id, hop.exchange.number, isWait: isWait)
    }

    func mix(into mixer: inout WordMixer) {
      flow.mix(into: &mixer)
      mixer.combine(exchange)
      mixer.combine(isWait ? 1 : 0)
    }
  }

  private static let limit = 1_024
  /// A proxy passes on the end of a response at once.
  private static let together: Int64 = 200_000_000

  /// The origin's side of exchanges of the client's.
  private var behind = BoundedTable<Place, Place>(limit: limit)
  /// The first finding about the break or the wait of an exchange.
  private var told = BoundedTable<Place, RuleID>(limit: limit)

  mutating func note(_ pair: HopPair, _ thresholds: Thresholds) {
    if Self.isCut(pair) { join(pair, isWait: false) }
    if let wait = pair.inner.exchange.wait, wait > thresholds[.firstByteWait],
      let whole = pair.outer.exchange.wait, whole &- wait < thresholds[.firstByteWait]
    {
      join(pair, isWait: true)
    }
  }

  private mutating func join(_ pair: HopPair, isWait: Bool) {
    let inner = Place(pair.inner, isWait: isWait)
    behind.update(Place(pair.outer, isWait: isWait), orMake: inner) { $0 = inner }
  }

  /// The rule by which the origin's side is reported, for a finding about the client's.
  mutating func cause(of finding: Finding) -> RuleID? {
    guard finding.isDiagnosis, finding.causedBy == nil, let exchange = finding.exchange, finding.direction == .toClient,
      case .connection(let flow) = finding.subject
    else { return nil }
    let isWait = finding.rule == TTFBSlow.info.id
    if !isWait {
      guard case .failed = finding.cost else { return nil }
    }
    let place = Place(flow, exchange, isWait: isWait)
    if let inner = behind[place], let cause = told[inner] { return cause }
    told.update(place, orMake: finding.rule) { _ in }
    return nil
  }

  /// The origin ended its response before its end, and the proxy the client's right behind it.
  private static func isCut(_ pair: HopPair) -> Bool {
    guard let response = pair.outer.exchange.response, let came = pair.inner.exchange.response, !response.isComplete,
      !came.isComplete, let end = broken(response, of: pair.outer), let first = broken(came, of: pair.inner)
    else { return false }
    return first.number < end.number && end.time.since(first.time) <= together
  }

  /// Where the sender of a response ended it.
  private static func broken(_ response: Message, of hop: Hop) -> PacketRef? {
    guard response.incomplete?.cause == .fin || response.incomplete?.cause == .reset, response.end?.isCaptured == true
    else { return nil }
    let closing = hop.context.closing(of: hop.exchange)
    return closing.by == response.direction ? closing.firstEnd ?? closing.at : nil
  }
}
