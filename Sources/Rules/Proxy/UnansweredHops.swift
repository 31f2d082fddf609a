import Citation
import Events

/// Both sides of a proxy that gave an origin up, and ended the client's connection without an answer. It is reported as for
/// any other response (see proxy/read-timeout), and what each side shows follows from it.
///
/// Bounded: the first requests without an answer, as UnansweredUpstreams keeps them.
struct UnansweredHops: Sendable {
  private static let fix = """
    Proxy: raise its timeout for this path, or have it answer 504 when it gives up. Origin: find the request in its log, \
    and what took so long.
    """

  private var requests = UnansweredUpstreams()
  private var told = BoundedTable<ExchangeKey, Bool>(limit: 1_024)
  /// The proxy's side of requests that their client gave up: the proxy left with it.
  private var left = BoundedTable<ExchangeKey, Bool>(limit: 1_024)

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.isUnanswered else { return }
    requests.note(exchange, context)
    guard let request = requests[exchange.key] else { return }
    if let inner = requests.left(with: request) { left.update(inner.hop.leg, orMake: true) { _ in } }
    guard let (outer, inner) = requests.pair(of: request), inner.waited >= ProxyCut.silence else { return }
    let pair = HopPair(outer: outer.hop, inner: inner.hop)
    for leg in [pair.outer.leg, pair.inner.leg] { told.update(leg, orMake: true) { _ in } }
    var finding = pair.finding(
      ReadTimeout.info,
      "\(pair.outer.exchange.title): \(pair.proxy) gave up \(inner.server) after \(Wording.duration(inner.waited)), and ended both sides without an answer.",
      of: .toClient, cost: .failed(.exchange),
      evidence: [
        Evidence(.packet(inner.asked, .toServer), "the proxy asks \(inner.server)"),
        Evidence(.packet(inner.end, .toServer), "it ends that connection"),
        Evidence(.packet(outer.end, .toClient), "and the client's"),
      ])
    finding.fix = Self.fix
    report(finding)
  }

  /// The rule under which a finding about one side stands.
  func cause(of finding: Finding) -> RuleID? {
    guard let leg = finding.leg, told.has(leg) else { return nil }
    return ReadTimeout.info.id
  }

  /// Of one that the client's side explains, which is a finding of another connection.
  func origin(of finding: Finding) -> RuleID? {
    finding.rule == UnansweredRequest.info.id ? finding.leg.flatMap(cause(ofLeft:)) : nil
  }

  func cause(ofLeft leg: ExchangeKey) -> RuleID? { left.has(leg) ? UnansweredRequest.info.id : nil }
}
