import Citation
import Events
import HTTPSemantics
import WebSocketSemantics

/// Both sides of a proxy that a WebSocket went through, and how each ended: a proxy whose timer ran out ends both without a
/// Close. It is reported as for any other response (see proxy/read-timeout), and what each side shows follows from it. Where
/// the server ended it, the proxy only passed that on: it is reported on the server's side.
///
/// Bounded: the last `limit` of them.
struct SocketHops: Sendable {
  private static let limit = 256

  private static let fix = """
    Proxy: raise its timeout for this path (nginx: proxy_read_timeout and proxy_send_timeout; haproxy: timeout tunnel; \
    Apache: ProxyTimeout; Varnish: pipe_timeout; squid: read_timeout). Server or client: send a ping at least every half of \
    that time.
    """

  /// How one side ended.
  private struct End: Sendable {
    /// The last frame of either side.
    let last: PacketRef
    let first: PacketRef
    let by: Direction

    /// nil where a Close was sent, or where it did not end. Some servers answer a FIN with a Close, which is then their last
    /// frame: what came before is known of the other side of the proxy.
    init?(_ record: WebSocketRecord, _ context: FlowContext) {
      guard record.sides.toServer.lostAt == nil, record.sides.toClient.lostAt == nil,
        let first = context.firstEnd ?? context.closedAt, let by = context.closing.firstBy ?? context.closedBy
      else { return nil }
      let closes = Direction.allCases.compactMap { record.sides[$0].close?.span.first.number }
      guard closes.allSatisfy({ $0 > first.number }) else { return nil }
      let lasts = [record.sides.toServer.last, record.sides.toClient.last, record.opening.released]
      guard
        let last = lasts.compactMap({ $0 }).filter({ $0.number < first.number }).max(by: { $0.number < $1.number })
      else { return nil }
      (self.last, self.first, self.by) = (last, first, by)
    }
  }

  /// The first Close of each side.
  private struct Closes: Sendable {
    let toServer: Frame?
    let toClient: Frame?

    init(_ record: WebSocketRecord) {
      (toServer, toClient) = (record.sides.toServer.close, record.sides.toClient.close)
    }

    /// Whose Close was the first.
    func isBegun(by direction: Direction) -> Bool {
      let (own, other) = direction == .toServer ? (toServer, toClient) : (toClient, toServer)
      guard let own else { return false }
      return other.map { own.span.first.number < $0.span.first.number } ?? true
    }
  }

  /// By either side.
  private var pairs = BoundedTable<ExchangeKey, HopPair>(limit: 2 * limit)
  private var ends = BoundedTable<ExchangeKey, End>(limit: limit)
  private var closes = BoundedTable<ExchangeKey, Closes>(limit: limit)
  private var told = BoundedTable<ExchangeKey, Bool>(limit: limit)
  /// The server's side of those that the server ended, by the client's.
  private var passedOn = BoundedTable<ExchangeKey, ExchangeKey>(limit: limit)
  /// Sides on which the proxy repeated a Close of the other side.
  private var repeated = BoundedTable<ExchangeKey, Bool>(limit: limit)
  private var both = PassedFindings()
  /// Connections of which a side had left keep-alive probes unanswered: no timer of the proxy ended them.
  private var givenUp: [Int] = []
  /// How an end without a Close is reported.
  private var missing = BoundedTable<ExchangeKey, RuleID>(limit: limit)
  private static let missingRules: Set<RuleID> = [
    CloseMissingFIN.info.id, CloseMissingRST.info.id, IdleCut.info.id,
  ]

  mutating func join(_ match: KeyMatch) {
    guard match.areHops, let outer = match.first.hop, let inner = match.second.hop else { return }
    let pair = HopPair(outer: outer, inner: inner)
    both.join(pair)
    for leg in [outer.leg, inner.leg] { pairs.update(leg, orMake: pair) { $0 = pair } }
  }

  mutating func close(_ record: WebSocketRecord, _ context: FlowContext, report: (Finding) -> Void) {
    guard let number = record.opening.exchange else { return }
    let leg = ExchangeKey(connection: context.number, number: number)
    guard let pair = pairs[leg] else { return }
    compare(Closes(record), of: leg, pair)
    guard let end = End(record, context) else { return }
    ends.update(leg, orMake: end) { $0 = end }
    guard let outer = ends[pair.outer.leg], let inner = ends[pair.inner.leg] else { return }
    judge(pair, outer, inner, report: report)
  }

  /// The rule under which a finding about one side stands.
  func cause(of finding: Finding) -> RuleID? {
    guard let leg = finding.leg else { return nil }
    return told.has(leg) ? ReadTimeout.info.id : nil
  }

  /// The rule of what the other side shows, which is a finding of another connection.
  func origin(of finding: Finding) -> RuleID? {
    guard let leg = finding.leg else { return nil }
    if finding.rule == CloseErrorCode.info.id { return repeated.has(leg) ? finding.rule : nil }
    guard Self.missingRules.contains(finding.rule), let inner = passedOn[leg] else { return both.cause(of: finding) }
    return missing[inner]
  }

  mutating func note(_ finding: Finding) {
    both.note(finding)
    if finding.rule == KeepaliveFail.info.id, let connection = finding.connection {
      if givenUp.count == Self.limit { givenUp.removeFirst() }
      givenUp.append(connection)
    }
    guard Self.missingRules.contains(finding.rule), finding.isDiagnosis, let leg = finding.leg else { return }
    missing.update(leg, orMake: finding.rule) { _ in }
  }

  /// A server's Close comes to the proxy first, and so does a client's. The answer to it has the same code, and goes the
  /// other way.
  private mutating func compare(_ own: Closes, of leg: ExchangeKey, _ pair: HopPair) {
    closes.update(leg, orMake: own) { $0 = own }
    guard let outer = closes[pair.outer.leg], let inner = closes[pair.inner.leg] else { return }
    if inner.isBegun(by: .toClient), Self.isRepeated(inner.toClient, by: outer.toClient) {
      repeated.update(pair.outer.leg, orMake: true) { _ in }
    }
    if outer.isBegun(by: .toServer), Self.isRepeated(outer.toServer, by: inner.toServer) {
      repeated.update(pair.inner.leg, orMake: true) { _ in }
    }
  }

  private static func isRepeated(_ close: Frame?, by other: Frame?) -> Bool {
    guard let close, let other, close.closeCode == other.closeCode else { return false }
    let (first, second) = (close.span.first, other.span.first)
    return first.number < second.number && second.time.since(first.time) <= ProxyCut.together
  }

  private mutating func judge(_ pair: HopPair, _ outer: End, _ inner: End, report: (Finding) -> Void) {
    if outer.by == .toClient, inner.by == .toClient, inner.first.number < outer.first.number,
      outer.first.time.since(inner.first.time) <= ProxyCut.together
    {
      return passedOn.update(pair.outer.leg, orMake: pair.inner.leg) { _ in }
    }
    let last = outer.last.number > inner.last.number ? outer.last : inner.last
    let first = outer.first.number < inner.first.number ? outer.first : inner.first
    let waited = first.time.since(last.time)
    guard outer.by == .toClient, inner.by == .toServer, waited >= ProxyCut.silence,
      !givenUp.contains(pair.outer.context.number),
      outer.first.time.apart(from: inner.first.time) <= ProxyCut.together
    else { return }
    for leg in [pair.outer.leg, pair.inner.leg] { told.update(leg, orMake: true) { _ in } }
    var finding = pair.finding(
      ReadTimeout.info,
      "\(pair.outer.exchange.title): \(pair.proxy) ended both sides of the WebSocket \(Wording.duration(waited)) after the last frame, without a Close: APIs show 1006.",
      of: .toClient, cost: .failed(.connection),
      evidence: [
        Evidence(.packet(last, nil), "the last frame"),
        Evidence(.packet(inner.first, .toServer), "the proxy ends the server's connection"),
        Evidence(.packet(outer.first, .toClient), "and the client's"),
      ])
    finding.fix =
      ProxyTimer(pair.outer.exchange.response, besides: pair.inner.exchange.response).map {
        "Proxy (\($0.name)): raise \($0.socket) for this path. Server or client: send a ping at least every half of that time."
      } ?? Self.fix
    report(finding)
  }
}

extension KeyMatch.Sighting {
  /// The exchange of an accepted handshake as one side of a proxy.
  fileprivate var hop: Hop? {
    guard upgrade.acceptance != nil else { return nil }
    return AskedExchange(upgrade.exchange, context).map { Hop($0, context) }
  }
}
