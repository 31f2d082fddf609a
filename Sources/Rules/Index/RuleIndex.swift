// Written by .ci/index from the sources in Sources/Rules. Not to be edited.
import Events

/// The lists of each shape, of all families.
enum RuleIndex {
  static let exchangeRules: [any ExchangeRule.Type] = all(
    ChunkedIndex.exchangeRules,
    SSEIndex.exchangeRules,
    SniffIndex.exchangeRules,
    StreamIndex.exchangeRules)

  static let heldBodyRules: [any HeldBodyRule.Type] = all(
    SniffIndex.heldBodyRules)

  static let heldStreamRules: [any HeldStreamRule.Type] = all(
    SSEIndex.heldStreamRules,
    StreamIndex.heldStreamRules)

  static let hopPairRules: [any HopPairRule.Type] = all(
    CaseIndex.hopPairRules)

  static let messageRules: [any MessageRule.Type] = all(
    CaseIndex.messageRules,
    ChunkedIndex.messageRules)

  static let pollRules: [any PollRule.Type] = all(
    PollIndex.pollRules)

  static let reconnectionRules: [any ReconnectionRule.Type] = all(
    SSEIndex.reconnectionRules)

  static let surplusChunkRules: [any SurplusChunkRule.Type] = all(
    ChunkedIndex.surplusChunkRules)

  private static func all<Shape>(_ lists: [Shape]...) -> [Shape] { lists.flatMap { $0 } }
}

/// All watchers of one connection.
struct ConnectionWatchers: Sendable {
  static let interests: EventKinds = [
    CaptureConnectionWatchers.interests,
    CaseConnectionWatchers.interests,
    ChunkedConnectionWatchers.interests,
    SniffConnectionWatchers.interests,
    StreamConnectionWatchers.interests,
  ]

  private var captureWatchers = CaptureConnectionWatchers()
  private var caseWatchers = CaseConnectionWatchers()
  private var chunkedWatchers = ChunkedConnectionWatchers()
  private var sniffWatchers = SniffConnectionWatchers()
  private var streamWatchers = StreamConnectionWatchers()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    captureWatchers.observe(exchange, in: context, report: report)
    caseWatchers.observe(exchange, in: context, report: report)
    chunkedWatchers.observe(exchange, in: context, report: report)
    sniffWatchers.observe(exchange, in: context, report: report)
    streamWatchers.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !CaptureConnectionWatchers.interests.isDisjoint(with: kind) {
      captureWatchers.observe(event, in: context, report: report)
    }
    if !CaseConnectionWatchers.interests.isDisjoint(with: kind) {
      caseWatchers.observe(event, in: context, report: report)
    }
    if !ChunkedConnectionWatchers.interests.isDisjoint(with: kind) {
      chunkedWatchers.observe(event, in: context, report: report)
    }
    if !SniffConnectionWatchers.interests.isDisjoint(with: kind) {
      sniffWatchers.observe(event, in: context, report: report)
    }
    if !StreamConnectionWatchers.interests.isDisjoint(with: kind) {
      streamWatchers.observe(event, in: context, report: report)
    }
  }
}

/// All watchers of a capture.
struct CaptureWatchers: Sendable {
  private(set) var pairingMissing = PairingMissing()
  private(set) var polls = Polls()
  private(set) var reconnections = Reconnections()
  private(set) var repeatedCuts = RepeatedCuts()
  private(set) var sixConnections = SixConnections()
  private(set) var totalDurationCap = TotalDurationCap()
  private(set) var truncated = Truncated()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    pairingMissing.observe(exchange, in: context, report: report)
    polls.observe(exchange, in: context, report: report)
    reconnections.observe(exchange, in: context, report: report)
    repeatedCuts.observe(exchange, in: context, report: report)
    sixConnections.observe(exchange, in: context, report: report)
    totalDurationCap.observe(exchange, in: context, report: report)
    truncated.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    pairingMissing.observe(asked, in: context, report: report)
    polls.observe(asked, in: context, report: report)
    reconnections.observe(asked, in: context, report: report)
    repeatedCuts.observe(asked, in: context, report: report)
    sixConnections.observe(asked, in: context, report: report)
    totalDurationCap.observe(asked, in: context, report: report)
    truncated.observe(asked, in: context, report: report)
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    pairingMissing.observe(event, thresholds, in: context, report: report)
    polls.observe(event, thresholds, in: context, report: report)
    reconnections.observe(event, thresholds, in: context, report: report)
    repeatedCuts.observe(event, thresholds, in: context, report: report)
    sixConnections.observe(event, thresholds, in: context, report: report)
    totalDurationCap.observe(event, thresholds, in: context, report: report)
    truncated.observe(event, thresholds, in: context, report: report)
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    pairingMissing.finish(capture, thresholds, report: report)
    polls.finish(capture, thresholds, report: report)
    reconnections.finish(capture, thresholds, report: report)
    repeatedCuts.finish(capture, thresholds, report: report)
    sixConnections.finish(capture, thresholds, report: report)
    totalDurationCap.finish(capture, thresholds, report: report)
    truncated.finish(capture, thresholds, report: report)
  }

  mutating func review(_ finding: inout Finding) {
    pairingMissing.review(&finding)
    polls.review(&finding)
    reconnections.review(&finding)
    repeatedCuts.review(&finding)
    sixConnections.review(&finding)
    totalDurationCap.review(&finding)
    truncated.review(&finding)
  }
}
