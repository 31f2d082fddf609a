import Citation
import Events

/// What a proxy passes on is found on both of its sides: an error in a stream, a pause, a WebSocket that ends with a code.
/// It is reported of the origin's side, and the client's is a consequence of that.
///
/// Bounded: the last `limit` pairs and exchanges.
struct PassedFindings: Sendable {
  /// About what came from behind the proxy, or from either end of a WebSocket.
  static let rules: Set<RuleID> = [
    ErrorInStream.info.id, NoEndMarker.info.id, Stall.info.id, Buffered.info.id, StatusError.info.id,
    MessageStall.info.id, AppError.info.id, CloseAppCode.info.id, KeepaliveTimeout.info.id,
  ]
  /// One side alone does not show who did it.
  private static let unproven: Set<RuleID> = [Buffered.info.id]

  private static let limit = 1_024

  /// The origin's side by the client's, and its server by itself.
  private var origins = BoundedTable<ExchangeKey, ExchangeKey>(limit: limit)
  private var servers = BoundedTable<ExchangeKey, Endpoint>(limit: limit)
  private struct Told: Sendable {
    let rule: RuleID
    /// 0 for what cost no time.
    let delay: Int64
  }

  private var told = BoundedTable<ExchangeKey, [Told]>(limit: limit)
  /// Errors of the server by the endpoint that the client asked: how many came from behind the proxy.
  private var errors: [EndpointName: UInt64] = [:]
  private static let endpointLimit = 256

  mutating func join(_ pair: HopPair) {
    let (origin, server) = (pair.inner.leg, pair.inner.context.server)
    origins.update(pair.outer.leg, orMake: origin) { $0 = origin }
    servers.update(origin, orMake: server) { $0 = server }
    let answered = pair.outer.exchange
    guard answered.status.code >= 500, let endpoint = answered.endpoint else { return }
    if errors[endpoint] != nil || errors.count < Self.endpointLimit { errors[endpoint, default: 0] += 1 }
  }

  /// Whether all errors of an endpoint came from behind the proxy, where they are reported.
  func areErrors(of finding: Finding) -> Bool {
    guard finding.rule == ServerError.info.id, let endpoint = finding.place else { return false }
    return errors[endpoint] == finding.count
  }

  mutating func note(_ finding: Finding) {
    guard Self.rules.contains(finding.rule), finding.isDiagnosis, let leg = finding.leg else { return }
    let new = Told(rule: finding.rule, delay: finding.delay)
    told.update(leg, orMake: []) { known in if !known.contains(where: { $0.rule == new.rule }) { known.append(new) } }
  }

  /// The rule that was found of the origin's side, too: what cost twice the time on the client's has a cause there.
  func cause(of finding: Finding) -> RuleID? {
    guard Self.rules.contains(finding.rule), let origin = finding.leg.flatMap({ origins[$0] }),
      let passed = told[origin]?.first(where: { $0.rule == finding.rule }), finding.delay / 2 <= passed.delay
    else { return nil }
    return finding.rule
  }

  /// Of the origin's side: it is proven who did it.
  func fix(of finding: Finding) -> String? {
    guard Self.unproven.contains(finding.rule), let server = finding.leg.flatMap({ servers[$0] }) else { return nil }
    return """
      Origin \(server): it came to the proxy like this. Flush after each event; compress no event streams, or flush the \
      compressor, too.
      """
  }
}

extension Finding {
  fileprivate var delay: Int64 { if case .delay(let nanoseconds) = cost { nanoseconds } else { 0 } }
}
