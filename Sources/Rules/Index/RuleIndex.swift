// Written by .ci/index from the sources in Sources/Rules. Not to be edited.
import Events

/// The lists of each shape, of all families.
enum RuleIndex {
  static let exchangeRules: [any ExchangeRule.Type] =
    SSEIndex.exchangeRules + SniffIndex.exchangeRules

  static let heldBodyRules: [any HeldBodyRule.Type] =
    SniffIndex.heldBodyRules

  static let messageRules: [any MessageRule.Type] =
    []

  static let reconnectionRules: [any ReconnectionRule.Type] =
    SSEIndex.reconnectionRules
}

/// All watchers of one connection.
struct ConnectionWatchers: Sendable {
  static let interests: EventKinds = [
    CaptureConnectionWatchers.interests,
    SniffConnectionWatchers.interests,
  ]

  private var captureWatchers = CaptureConnectionWatchers()
  private var sniffWatchers = SniffConnectionWatchers()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    captureWatchers.observe(exchange, in: context, report: report)
    sniffWatchers.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !CaptureConnectionWatchers.interests.isDisjoint(with: kind) {
      captureWatchers.observe(event, in: context, report: report)
    }
    if !SniffConnectionWatchers.interests.isDisjoint(with: kind) {
      sniffWatchers.observe(event, in: context, report: report)
    }
  }
}

/// All watchers of a capture.
struct CaptureWatchers: Sendable {
  private(set) var reconnections = Reconnections()
  private(set) var sixConnections = SixConnections()
  private(set) var truncated = Truncated()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    reconnections.observe(exchange, in: context, report: report)
    sixConnections.observe(exchange, in: context, report: report)
    truncated.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    reconnections.observe(asked, in: context, report: report)
    sixConnections.observe(asked, in: context, report: report)
    truncated.observe(asked, in: context, report: report)
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    reconnections.observe(event, thresholds, in: context, report: report)
    sixConnections.observe(event, thresholds, in: context, report: report)
    truncated.observe(event, thresholds, in: context, report: report)
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    reconnections.finish(capture, thresholds, report: report)
    sixConnections.finish(capture, thresholds, report: report)
    truncated.finish(capture, thresholds, report: report)
  }

  mutating func review(_ finding: inout Finding) {
    reconnections.review(&finding)
    sixConnections.review(&finding)
    truncated.review(&finding)
  }
}
