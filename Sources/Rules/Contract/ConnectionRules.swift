import Citation
import Events

/// The state of all rules of one connection, made at the first event that any of them is interested in.
package struct ConnectionRules: Sendable {
  /// Of what is no exchange.
  package static var interests: EventKinds { ConnectionWatchers.interests }

  private var watchers = ConnectionWatchers()
  /// Frames of HTTP/2 were told.
  private var isHTTP2 = false

  package init() {}

  /// What is no exchange.
  package mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let thresholds = context.thresholds
    let kind = event.kind
    if !isHTTP2, !kind.isDisjoint(with: .http2) { isHTTP2 = true }
    guard !ConnectionWatchers.interests.isDisjoint(with: kind) else { return }
    let isHTTP2 = isHTTP2
    watchers.observe(event, in: context) { finding in
      if isHTTP2, !Versions.judges(finding.rule, isSocket: false) { return }
      report(finding.compared(with: thresholds))
    }
  }

  package mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    let thresholds = context.thresholds
    let isHTTP2 = isHTTP2
    let isSocket = exchange.isSocketStream
    // A function and not a closure in a constant, which would be allocated for each exchange.
    func tell(_ finding: Finding) {
      if isHTTP2 || isSocket, !Versions.judges(finding.rule, isSocket: isSocket) { return }
      report(finding.compared(with: thresholds))
    }
    if exchange.key.stream == nil {
      ExchangeTable.plain.judge(exchange, in: context, report: tell)
    } else {
      ExchangeTable.streams.judge(exchange, in: context, report: tell)
    }
    watchers.observe(exchange, in: context, report: tell)
  }
}

extension Finding {
  /// With the values that were in force.
  func compared(with values: Thresholds) -> Finding {
    guard !thresholds.isEmpty, values.areChanged else { return self }
    var finding = self
    for threshold in thresholds.keys { finding.thresholds[threshold] = values[threshold] }
    return finding
  }
}
