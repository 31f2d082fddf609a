import Events

/// The rules over the capture as a whole. They see exchanges in the merger's order, and the capture when it is read;
/// what they keep is bounded.
package struct CaptureRules: Sendable {
  private var watchers = CaptureWatchers()
  private var counterproof = Counterproof()
  /// The values in force, which are the same for every connection. What is reported at the end has no connection to
  /// ask.
  private let thresholds: Thresholds

  package init(_ thresholds: Thresholds = Thresholds()) {
    self.thresholds = thresholds
  }

  /// What is no exchange.
  package mutating func observe(_ event: Event, in context: FlowContext?, report: (Finding) -> Void) {
    let thresholds = thresholds
    func tell(_ finding: Finding) { report(finding.compared(with: thresholds)) }
    if case .captureEnded(let capture) = event {
      var found: [Finding] = []
      watchers.finish(capture, thresholds) { found.append($0) }
      for var finding in found {
        if finding.causedBy == nil { finding.causedBy = lateCause(of: finding) }
        tell(finding)
      }
    } else {
      watchers.observe(event, thresholds, in: context, report: tell)
    }
  }

  package mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    let thresholds = thresholds
    guard exchange.key.stream != nil else {
      return judge(exchange, in: context) { report($0.compared(with: thresholds)) }
    }
    let isSocket = exchange.isSocketStream
    judge(exchange, in: context) { finding in
      if Versions.judges(finding.rule, isSocket: isSocket) { report(finding.compared(with: thresholds)) }
    }
  }

  private mutating func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    watchers.observe(exchange, in: context, report: report)
    guard let asked = AskedExchange(exchange, context) else { return }
    var found: [Finding] = []
    watchers.observe(asked, in: context) { found.append($0) }
    for finding in found { watchers.dnsWatch.explain(finding, asked, in: context, report: report) }
  }

  /// Uplinks and downlinks that belong together, both ways; known when the capture is read.
  package var pairs: [ExchangeKey: ExchangeKey] { watchers.pairingMissing.pairs }

  /// What a finding that was held is a consequence of, by what is known meanwhile; `isAlone` where
  /// findings of other connections are not reported.
  package func cause(of finding: Finding, isAlone: Bool) -> RuleID? {
    let cause =
      watchers.serverError.cause(of: finding) ?? watchers.keyMatches.hops.cause(of: finding)
      ?? watchers.hopMatcher.cause(of: finding)
    guard cause == nil, !isAlone else { return cause }
    return watchers.keyMatches.hops.origin(of: finding) ?? watchers.hopMatcher.origin(of: finding)
  }

  /// What one that is found at the end is a consequence of, on the other side of a proxy: which gave the request up and
  /// answered its client, or was left by it; or which passed the answers on.
  private func lateCause(of finding: Finding) -> RuleID? {
    if watchers.hopMatcher.isPassedOn(finding) { return finding.rule }
    guard finding.rule == RetriedRequest.info.id, let leg = finding.leg else { return nil }
    return watchers.serverError.cause(ofUnanswered: leg) ?? watchers.hopMatcher.cause(ofUnanswered: leg)
  }

  /// What is to be done about one that was held, by what is known meanwhile.
  package func fix(of finding: Finding) -> String? { watchers.hopMatcher.fix(of: finding) }

  /// How soon after a request that was lost its client asked again, and was answered.
  func repetition(of leg: ExchangeKey) -> Int64? { watchers.retriedRequest.repetition(of: leg) }

  /// What the findings before it make of a finding of one connection.
  package mutating func review(_ finding: inout Finding) {
    counterproof.review(&finding)
    watchers.review(&finding)
  }
}
