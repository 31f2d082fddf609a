// Written by .ci/index from the sources in Sources/Rules. Not to be edited.
import Events

/// The lists of each shape, of all families.
enum RuleIndex {
  static let acceptanceRules: [any AcceptanceRule.Type] = all(
    WebSocketIndex.acceptanceRules)

  static let attemptRules: [any AttemptRule.Type] = all(
    TCPIndex.attemptRules)

  static let closedConnectionRules: [any ClosedConnectionRule.Type] = all(
    HTTPIndex.closedConnectionRules)

  static let comparisonRules: [any ComparisonRule.Type] = all(
    ProxyIndex.comparisonRules,
    StreamIndex.comparisonRules,
    WebSocketIndex.comparisonRules)

  static let connectRules: [any ConnectRule.Type] = all(
    WebSocketIndex.connectRules)

  static let connectionHabitRules: [any ConnectionHabitRule.Type] = all(
    HTTPIndex.connectionHabitRules)

  static let controlStoryRules: [any ControlStoryRule.Type] = all(
    GRPCIndex.controlStoryRules,
    HTTP2Index.controlStoryRules)

  static let disturbedExchangeRules: [any DisturbedExchangeRule.Type] = all(
    HTTPIndex.disturbedExchangeRules)

  static let endingRules: [any EndingRule.Type] = all(
    TCPIndex.endingRules)

  static let exchangeRules: [any ExchangeRule.Type] = all(
    ChunkedIndex.exchangeRules,
    GRPCIndex.exchangeRules,
    HTTPIndex.exchangeRules,
    HTTP2Index.exchangeRules,
    LLMIndex.exchangeRules,
    ProxyIndex.exchangeRules,
    SSEIndex.exchangeRules,
    SniffIndex.exchangeRules,
    StreamIndex.exchangeRules,
    TCPIndex.exchangeRules,
    WebSocketIndex.exchangeRules)

  static let failedAddressRules: [any FailedAddressRule.Type] = all(
    DirectIndex.failedAddressRules)

  static let frameRules: [any FrameRule.Type] = all(
    WebSocketIndex.frameRules)

  static let grpcMessageRules: [any GRPCMessageRule.Type] = all(
    GRPCIndex.grpcMessageRules)

  static let heldBodyRules: [any HeldBodyRule.Type] = all(
    SniffIndex.heldBodyRules)

  static let heldStreamRules: [any HeldStreamRule.Type] = all(
    ProxyIndex.heldStreamRules,
    SSEIndex.heldStreamRules,
    StreamIndex.heldStreamRules)

  static let hopPairRules: [any HopPairRule.Type] = all(
    CaseIndex.hopPairRules,
    ProxyIndex.hopPairRules)

  static let idleClosesRules: [any IdleClosesRule.Type] = all(
    HTTPIndex.idleClosesRules)

  static let keepAliveRules: [any KeepAliveRule.Type] = all(
    TCPIndex.keepAliveRules)

  static let keyMatchRules: [any KeyMatchRule.Type] = all(
    WebSocketIndex.keyMatchRules)

  static let lostCookieRules: [any LostCookieRule.Type] = all(
    DirectIndex.lostCookieRules)

  static let messageRules: [any MessageRule.Type] = all(
    CaseIndex.messageRules,
    ChunkedIndex.messageRules,
    HTTPIndex.messageRules,
    HTTP2Index.messageRules,
    ProxyIndex.messageRules,
    WebSocketIndex.messageRules)

  static let misdirectedRequestRules: [any MisdirectedRequestRule.Type] = all(
    DirectIndex.misdirectedRequestRules)

  static let multipartBodyRules: [any MultipartBodyRule.Type] = all(
    MultipartIndex.multipartBodyRules)

  static let openingRules: [any OpeningRule.Type] = all(
    TCPIndex.openingRules)

  static let peerHabitRules: [any PeerHabitRule.Type] = all(
    HTTPIndex.peerHabitRules)

  static let pollRules: [any PollRule.Type] = all(
    PollIndex.pollRules)

  static let reconnectionRules: [any ReconnectionRule.Type] = all(
    SSEIndex.reconnectionRules)

  static let refusalRules: [any RefusalRule.Type] = all(
    WebSocketIndex.refusalRules)

  static let serverFeatureRules: [any ServerFeatureRule.Type] = all(
    WebSocketIndex.serverFeatureRules)

  static let socketMessageRules: [any SocketMessageRule.Type] = all(
    WebSocketIndex.socketMessageRules)

  static let socketRules: [any SocketRule.Type] = all(
    WebSocketIndex.socketRules)

  static let streamRepeatRules: [any StreamRepeatRule.Type] = all(
    HTTP2Index.streamRepeatRules)

  static let surplusChunkRules: [any SurplusChunkRule.Type] = all(
    ChunkedIndex.surplusChunkRules)

  static let surplusRules: [any SurplusRule.Type] = all(
    HTTPIndex.surplusRules)

  static let tlsRules: [any TLSRule.Type] = all(
    TLSIndex.tlsRules,
    WebSocketIndex.tlsRules)

  static let unframedRequestRules: [any UnframedRequestRule.Type] = all(
    HTTPIndex.unframedRequestRules)

  static let upgradeRequestRules: [any UpgradeRequestRule.Type] = all(
    WebSocketIndex.upgradeRequestRules)

  static let upgradeResponseRules: [any UpgradeResponseRule.Type] = all(
    WebSocketIndex.upgradeResponseRules)

  static let upgradeRules: [any UpgradeRule.Type] = all(
    WebSocketIndex.upgradeRules)

  static let wireFaultRules: [any WireFaultRule.Type] = all(
    HTTP2Index.wireFaultRules)

  private static func all<Shape>(_ lists: [Shape]...) -> [Shape] { lists.flatMap { $0 } }
}
