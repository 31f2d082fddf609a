import Citation
import Events

/// Judges how a connection began, when it is over: `context.opening` is its handshake.
protocol OpeningRule: StoryRule where Story == ConnectionEnd {}

/// Attempts of one client to reach one service by addresses of both families: side by side, or one after the other.
///
/// Names are not known here: two attempts belong together when the same host on the link sent both, to the same port,
/// in two address families, shortly after one another. A source on the link with several addresses of one family is a
/// router, presumably, and whose attempts it forwarded is unknown. Bounded: the newest attempts are kept.
struct ConnectAttempts: CaptureWatcher {
  private static let limit = 4_096
  private var attempts: [ConnectAttempt] = []
  private var start = 0

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard case .connectionClosed(let end) = event, let context, let opening = context.opening else { return }
    for rule in RuleIndex.openingRules { rule.judge(end, in: context, report: report) }
    // Without a link-layer source it is unknown whose attempts belong together.
    guard opening.linkSource != 0 else { return }
    let attempt = ConnectAttempt(
      id: context.id, number: context.number, client: context.client.address, server: context.server, opening: opening,
      end: end)
    if attempts.count < Self.limit {
      attempts.append(attempt)
    } else {
      attempts[start] = attempt
      start = (start + 1) % Self.limit
    }
  }

  func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let attempts = attempts.sorted { $0.id < $1.id }
    let routers = Self.routers(attempts)
    for (index, first) in attempts.enumerated()
    where !first.opening.isUsed && !routers.contains(first.opening.linkSource) {
      // The next attempt of the same host to the same port is the one to compare with, if it is of the other family.
      for second in attempts[(index + 1)...] {
        let stagger = second.opening.syn.time.since(first.opening.syn.time)
        guard stagger <= thresholds[.mostFallback] else { break }
        guard second.opening.linkSource == first.opening.linkSource, second.server.port == first.server.port else {
          continue
        }
        if second.server.address.isV4 != first.server.address.isV4, let pair = AttemptPair(first, second) {
          for rule in RuleIndex.attemptRules { rule.judge(pair, thresholds, report: report) }
        }
        break
      }
    }
  }

  /// Sources on the link that sent for several addresses of one family.
  private static func routers(_ attempts: [ConnectAttempt]) -> Set<UInt32> {
    var clients: [UInt32: (v4: IPAddress?, v6: IPAddress?)] = [:]
    var routers: Set<UInt32> = []
    for attempt in attempts {
      let source = attempt.opening.linkSource
      var known = clients[source] ?? (nil, nil)
      let other = attempt.client.isV4 ? known.v4 : known.v6
      if let other, other != attempt.client { routers.insert(source) }
      if attempt.client.isV4 { known.v4 = attempt.client } else { known.v6 = attempt.client }
      clients[source] = known
    }
    return routers
  }
}
