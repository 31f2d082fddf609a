// Written by .ci/index from the sources in Sources/Rules/Stream. Not to be edited.
import Events

enum StreamIndex {
  static let rules: [any Rule.Type] = [
    BlockBuffered.self,
    BufferedUntilEnd.self,
    Cacheable.self,
    CompressionOnStream.self,
    CutAfterRoundSilence.self,
    CutAtKnownTimeout.self,
    CutByMiddlebox.self,
    EndWithNext.self,
    HTTP10Upstream.self,
    LengthKnownButDripped.self,
    NoHeartbeat.self,
    PairingMissing.self,
    PeerGone.self,
    SilentBlackhole.self,
    Stalled.self,
    StalledTogether.self,
    TotalDurationCap.self,
  ]

  static let comparisonRules: [any ComparisonRule.Type] = [CutByMiddlebox.self]

  static let exchangeRules: [any ExchangeRule.Type] = [
    Cacheable.self,
    CutAfterRoundSilence.self,
    EndWithNext.self,
    HTTP10Upstream.self,
    LengthKnownButDripped.self,
    NoHeartbeat.self,
  ]

  static let heldStreamRules: [any HeldStreamRule.Type] = [
    BlockBuffered.self,
    BufferedUntilEnd.self,
    CompressionOnStream.self,
  ]
}

struct StreamConnectionWatchers: Sendable {
  static var interests: EventKinds {
    CutAtKnownTimeout.interests
      | CutByMiddlebox.interests
      | HeldStreams.interests
      | PeerGone.interests
      | SilentBlackhole.interests
  }

  private var cutAtKnownTimeout = CutAtKnownTimeout()
  private var cutByMiddlebox = CutByMiddlebox()
  private var heldStreams = HeldStreams()
  private var peerGone = PeerGone()
  private var silentBlackhole = SilentBlackhole()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    cutAtKnownTimeout.observe(exchange, in: context, report: report)
    cutByMiddlebox.observe(exchange, in: context, report: report)
    heldStreams.observe(exchange, in: context, report: report)
    peerGone.observe(exchange, in: context, report: report)
    silentBlackhole.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !CutAtKnownTimeout.interests.isDisjoint(with: kind) {
      cutAtKnownTimeout.observe(event, in: context, report: report)
    }
    if !CutByMiddlebox.interests.isDisjoint(with: kind) {
      cutByMiddlebox.observe(event, in: context, report: report)
    }
    if !HeldStreams.interests.isDisjoint(with: kind) {
      heldStreams.observe(event, in: context, report: report)
    }
    if !PeerGone.interests.isDisjoint(with: kind) {
      peerGone.observe(event, in: context, report: report)
    }
    if !SilentBlackhole.interests.isDisjoint(with: kind) {
      silentBlackhole.observe(event, in: context, report: report)
    }
  }
}
