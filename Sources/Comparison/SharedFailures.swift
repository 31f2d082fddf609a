import Citation
import Events

/// Failures of one request on two hops, reported once.
enum SharedFailures {
  /// What failed and was asked alike failed because of the same exchange behind a proxy, where that one failed, too,
  /// and is reported why.
  static func join(_ findings: inout [Finding], _ pairs: [ComparedPair]) {
    for side in CompareSide.allCases { join(&findings, pairs, side) }
  }

  private static func join(_ findings: inout [Finding], _ pairs: [ComparedPair], _ side: CompareSide) {
    var told: [ExchangeKey: RuleID] = [:]
    for finding in findings where finding.side == side && finding.causedBy == nil {
      if let leg = finding.leg, told[leg] == nil { told[leg] = finding.rule }
    }
    var unexplained: [ExchangeKey: Failure] = [:]
    var explained: [Failure] = []
    for pair in pairs {
      guard let failed = pair.verdict(.failed) else { continue }
      let failure = Failure(pair[side])
      if pair.causes.isEmpty {
        unexplained[failure.leg] = failure
      } else if failed.side == side {
        explained.append(failure)
      }
    }
    for at in findings.indices where findings[at].side == side && findings[at].causedBy == nil {
      guard findings[at].rule == "proxy/capture-diff", let leg = findings[at].leg, let outer = unexplained[leg],
        let inner = explained.first(where: { $0.isInside(outer) })
      else { continue }
      findings[at].causedBy = told[inner.leg]
    }
  }
}

/// An exchange that failed in one of the captures, as far as it matters here: many may have.
private struct Failure {
  let leg: ExchangeKey
  private let first: UInt64
  private let last: Timestamp
  private let method: String

  init(_ exchange: ComparedExchange) {
    leg = exchange.leg
    first = exchange.record.first.number
    last = exchange.record.last.time
    method = exchange.record.method
  }

  func isInside(_ other: Failure) -> Bool {
    first > other.first && last <= other.last && method == other.method && leg != other.leg
  }
}

extension Finding {
  /// The exchange that it is about.
  fileprivate var leg: ExchangeKey? {
    guard let connection, let exchange else { return nil }
    return ExchangeKey(connection: connection, number: exchange)
  }
}
