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

/// All watchers of one connection.
struct ConnectionWatchers: Sendable {
  static var interests: EventKinds {
    CaptureConnectionWatchers.interests
      | CaseConnectionWatchers.interests
      | ChunkedConnectionWatchers.interests
      | GRPCConnectionWatchers.interests
      | HTTPConnectionWatchers.interests
      | HTTP2ConnectionWatchers.interests
      | MultipartConnectionWatchers.interests
      | SniffConnectionWatchers.interests
      | StreamConnectionWatchers.interests
      | TCPConnectionWatchers.interests
      | TLSConnectionWatchers.interests
      | WebSocketConnectionWatchers.interests
  }

  private var captureWatchers = CaptureConnectionWatchers()
  private var caseWatchers = CaseConnectionWatchers()
  private var chunkedWatchers = ChunkedConnectionWatchers()
  private var grpcWatchers = GRPCConnectionWatchers()
  private var httpWatchers = HTTPConnectionWatchers()
  private var hTTP2Watchers = HTTP2ConnectionWatchers()
  private var multipartWatchers = MultipartConnectionWatchers()
  private var sniffWatchers = SniffConnectionWatchers()
  private var streamWatchers = StreamConnectionWatchers()
  private var tcpWatchers = TCPConnectionWatchers()
  private var tlsWatchers = TLSConnectionWatchers()
  private var webSocketWatchers = WebSocketConnectionWatchers()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    captureWatchers.observe(exchange, in: context, report: report)
    caseWatchers.observe(exchange, in: context, report: report)
    chunkedWatchers.observe(exchange, in: context, report: report)
    grpcWatchers.observe(exchange, in: context, report: report)
    httpWatchers.observe(exchange, in: context, report: report)
    hTTP2Watchers.observe(exchange, in: context, report: report)
    multipartWatchers.observe(exchange, in: context, report: report)
    sniffWatchers.observe(exchange, in: context, report: report)
    streamWatchers.observe(exchange, in: context, report: report)
    tcpWatchers.observe(exchange, in: context, report: report)
    tlsWatchers.observe(exchange, in: context, report: report)
    webSocketWatchers.observe(exchange, in: context, report: report)
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
    if !GRPCConnectionWatchers.interests.isDisjoint(with: kind) {
      grpcWatchers.observe(event, in: context, report: report)
    }
    if !HTTPConnectionWatchers.interests.isDisjoint(with: kind) {
      httpWatchers.observe(event, in: context, report: report)
    }
    if !HTTP2ConnectionWatchers.interests.isDisjoint(with: kind) {
      hTTP2Watchers.observe(event, in: context, report: report)
    }
    if !MultipartConnectionWatchers.interests.isDisjoint(with: kind) {
      multipartWatchers.observe(event, in: context, report: report)
    }
    if !SniffConnectionWatchers.interests.isDisjoint(with: kind) {
      sniffWatchers.observe(event, in: context, report: report)
    }
    if !StreamConnectionWatchers.interests.isDisjoint(with: kind) {
      streamWatchers.observe(event, in: context, report: report)
    }
    if !TCPConnectionWatchers.interests.isDisjoint(with: kind) {
      tcpWatchers.observe(event, in: context, report: report)
    }
    if !TLSConnectionWatchers.interests.isDisjoint(with: kind) {
      tlsWatchers.observe(event, in: context, report: report)
    }
    if !WebSocketConnectionWatchers.interests.isDisjoint(with: kind) {
      webSocketWatchers.observe(event, in: context, report: report)
    }
  }
}

/// All watchers of a capture.
struct CaptureWatchers: Sendable {
  private(set) var clientIdle = ClientIdle()
  private(set) var clientRejectsCert = ClientRejectsCert()
  private(set) var closeWaitLinger = CloseWaitLinger()
  private(set) var connectAttempts = ConnectAttempts()
  private(set) var connectionReuse = ConnectionReuse()
  private(set) var dnsWatch = DNSWatch()
  private(set) var directCookieLost = DirectCookieLost()
  private(set) var h2Fallback = H2Fallback()
  private(set) var hsSecondInConnecting = HSSecondInConnecting()
  private(set) var httpCookieLost = HTTPCookieLost()
  private(set) var highRTT = HighRTT()
  private(set) var hopMatcher = HopMatcher()
  private(set) var hostIPLiteral = HostIPLiteral()
  private(set) var keyMatches = KeyMatches()
  private(set) var mitmInPath = MITMInPath()
  private(set) var noResumption = NoResumption()
  private(set) var noSNI = NoSNI()
  private(set) var packetsLost = PacketsLost()
  private(set) var pairingMissing = PairingMissing()
  private(set) var polls = Polls()
  private(set) var proxyHopFrames = ProxyHopFrames()
  private(set) var reconnectLoop = ReconnectLoop()
  private(set) var reconnections = Reconnections()
  private(set) var redirectDropsBody = RedirectDropsBody()
  private(set) var repeatedCuts = RepeatedCuts()
  private(set) var retriedRequest = RetriedRequest()
  private(set) var retryTruncatedStream = RetryTruncatedStream()
  private(set) var serverError = ServerError()
  private(set) var serverFeatures = ServerFeatures()
  private(set) var siblingDifference = SiblingDifference()
  private(set) var sixConnections = SixConnections()
  private(set) var streamRepeats = StreamRepeats()
  private(set) var totalDurationCap = TotalDurationCap()
  private(set) var truncated = Truncated()
  private(set) var uploadBuffered = UploadBuffered()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    clientIdle.observe(exchange, in: context, report: report)
    clientRejectsCert.observe(exchange, in: context, report: report)
    closeWaitLinger.observe(exchange, in: context, report: report)
    connectAttempts.observe(exchange, in: context, report: report)
    connectionReuse.observe(exchange, in: context, report: report)
    dnsWatch.observe(exchange, in: context, report: report)
    directCookieLost.observe(exchange, in: context, report: report)
    h2Fallback.observe(exchange, in: context, report: report)
    hsSecondInConnecting.observe(exchange, in: context, report: report)
    httpCookieLost.observe(exchange, in: context, report: report)
    highRTT.observe(exchange, in: context, report: report)
    hopMatcher.observe(exchange, in: context, report: report)
    hostIPLiteral.observe(exchange, in: context, report: report)
    keyMatches.observe(exchange, in: context, report: report)
    mitmInPath.observe(exchange, in: context, report: report)
    noResumption.observe(exchange, in: context, report: report)
    noSNI.observe(exchange, in: context, report: report)
    packetsLost.observe(exchange, in: context, report: report)
    pairingMissing.observe(exchange, in: context, report: report)
    polls.observe(exchange, in: context, report: report)
    proxyHopFrames.observe(exchange, in: context, report: report)
    reconnectLoop.observe(exchange, in: context, report: report)
    reconnections.observe(exchange, in: context, report: report)
    redirectDropsBody.observe(exchange, in: context, report: report)
    repeatedCuts.observe(exchange, in: context, report: report)
    retriedRequest.observe(exchange, in: context, report: report)
    retryTruncatedStream.observe(exchange, in: context, report: report)
    serverError.observe(exchange, in: context, report: report)
    serverFeatures.observe(exchange, in: context, report: report)
    siblingDifference.observe(exchange, in: context, report: report)
    sixConnections.observe(exchange, in: context, report: report)
    streamRepeats.observe(exchange, in: context, report: report)
    totalDurationCap.observe(exchange, in: context, report: report)
    truncated.observe(exchange, in: context, report: report)
    uploadBuffered.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    clientIdle.observe(asked, in: context, report: report)
    clientRejectsCert.observe(asked, in: context, report: report)
    closeWaitLinger.observe(asked, in: context, report: report)
    connectAttempts.observe(asked, in: context, report: report)
    connectionReuse.observe(asked, in: context, report: report)
    dnsWatch.observe(asked, in: context, report: report)
    directCookieLost.observe(asked, in: context, report: report)
    h2Fallback.observe(asked, in: context, report: report)
    hsSecondInConnecting.observe(asked, in: context, report: report)
    httpCookieLost.observe(asked, in: context, report: report)
    highRTT.observe(asked, in: context, report: report)
    hopMatcher.observe(asked, in: context, report: report)
    hostIPLiteral.observe(asked, in: context, report: report)
    keyMatches.observe(asked, in: context, report: report)
    mitmInPath.observe(asked, in: context, report: report)
    noResumption.observe(asked, in: context, report: report)
    noSNI.observe(asked, in: context, report: report)
    packetsLost.observe(asked, in: context, report: report)
    pairingMissing.observe(asked, in: context, report: report)
    polls.observe(asked, in: context, report: report)
    proxyHopFrames.observe(asked, in: context, report: report)
    reconnectLoop.observe(asked, in: context, report: report)
    reconnections.observe(asked, in: context, report: report)
    redirectDropsBody.observe(asked, in: context, report: report)
    repeatedCuts.observe(asked, in: context, report: report)
    retriedRequest.observe(asked, in: context, report: report)
    retryTruncatedStream.observe(asked, in: context, report: report)
    serverError.observe(asked, in: context, report: report)
    serverFeatures.observe(asked, in: context, report: report)
    siblingDifference.observe(asked, in: context, report: report)
    sixConnections.observe(asked, in: context, report: report)
    streamRepeats.observe(asked, in: context, report: report)
    totalDurationCap.observe(asked, in: context, report: report)
    truncated.observe(asked, in: context, report: report)
    uploadBuffered.observe(asked, in: context, report: report)
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    clientIdle.observe(event, thresholds, in: context, report: report)
    clientRejectsCert.observe(event, thresholds, in: context, report: report)
    closeWaitLinger.observe(event, thresholds, in: context, report: report)
    connectAttempts.observe(event, thresholds, in: context, report: report)
    connectionReuse.observe(event, thresholds, in: context, report: report)
    dnsWatch.observe(event, thresholds, in: context, report: report)
    directCookieLost.observe(event, thresholds, in: context, report: report)
    h2Fallback.observe(event, thresholds, in: context, report: report)
    hsSecondInConnecting.observe(event, thresholds, in: context, report: report)
    httpCookieLost.observe(event, thresholds, in: context, report: report)
    highRTT.observe(event, thresholds, in: context, report: report)
    hopMatcher.observe(event, thresholds, in: context, report: report)
    hostIPLiteral.observe(event, thresholds, in: context, report: report)
    keyMatches.observe(event, thresholds, in: context, report: report)
    mitmInPath.observe(event, thresholds, in: context, report: report)
    noResumption.observe(event, thresholds, in: context, report: report)
    noSNI.observe(event, thresholds, in: context, report: report)
    packetsLost.observe(event, thresholds, in: context, report: report)
    pairingMissing.observe(event, thresholds, in: context, report: report)
    polls.observe(event, thresholds, in: context, report: report)
    proxyHopFrames.observe(event, thresholds, in: context, report: report)
    reconnectLoop.observe(event, thresholds, in: context, report: report)
    reconnections.observe(event, thresholds, in: context, report: report)
    redirectDropsBody.observe(event, thresholds, in: context, report: report)
    repeatedCuts.observe(event, thresholds, in: context, report: report)
    retriedRequest.observe(event, thresholds, in: context, report: report)
    retryTruncatedStream.observe(event, thresholds, in: context, report: report)
    serverError.observe(event, thresholds, in: context, report: report)
    serverFeatures.observe(event, thresholds, in: context, report: report)
    siblingDifference.observe(event, thresholds, in: context, report: report)
    sixConnections.observe(event, thresholds, in: context, report: report)
    streamRepeats.observe(event, thresholds, in: context, report: report)
    totalDurationCap.observe(event, thresholds, in: context, report: report)
    truncated.observe(event, thresholds, in: context, report: report)
    uploadBuffered.observe(event, thresholds, in: context, report: report)
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    clientIdle.finish(capture, thresholds, report: report)
    clientRejectsCert.finish(capture, thresholds, report: report)
    closeWaitLinger.finish(capture, thresholds, report: report)
    connectAttempts.finish(capture, thresholds, report: report)
    connectionReuse.finish(capture, thresholds, report: report)
    dnsWatch.finish(capture, thresholds, report: report)
    directCookieLost.finish(capture, thresholds, report: report)
    h2Fallback.finish(capture, thresholds, report: report)
    hsSecondInConnecting.finish(capture, thresholds, report: report)
    httpCookieLost.finish(capture, thresholds, report: report)
    highRTT.finish(capture, thresholds, report: report)
    hopMatcher.finish(capture, thresholds, report: report)
    hostIPLiteral.finish(capture, thresholds, report: report)
    keyMatches.finish(capture, thresholds, report: report)
    mitmInPath.finish(capture, thresholds, report: report)
    noResumption.finish(capture, thresholds, report: report)
    noSNI.finish(capture, thresholds, report: report)
    packetsLost.finish(capture, thresholds, report: report)
    pairingMissing.finish(capture, thresholds, report: report)
    polls.finish(capture, thresholds, report: report)
    proxyHopFrames.finish(capture, thresholds, report: report)
    reconnectLoop.finish(capture, thresholds, report: report)
    reconnections.finish(capture, thresholds, report: report)
    redirectDropsBody.finish(capture, thresholds, report: report)
    repeatedCuts.finish(capture, thresholds, report: report)
    retriedRequest.finish(capture, thresholds, report: report)
    retryTruncatedStream.finish(capture, thresholds, report: report)
    serverError.finish(capture, thresholds, report: report)
    serverFeatures.finish(capture, thresholds, report: report)
    siblingDifference.finish(capture, thresholds, report: report)
    sixConnections.finish(capture, thresholds, report: report)
    streamRepeats.finish(capture, thresholds, report: report)
    totalDurationCap.finish(capture, thresholds, report: report)
    truncated.finish(capture, thresholds, report: report)
    uploadBuffered.finish(capture, thresholds, report: report)
  }

  mutating func review(_ finding: inout Finding) {
    clientIdle.review(&finding)
    clientRejectsCert.review(&finding)
    closeWaitLinger.review(&finding)
    connectAttempts.review(&finding)
    connectionReuse.review(&finding)
    dnsWatch.review(&finding)
    directCookieLost.review(&finding)
    h2Fallback.review(&finding)
    hsSecondInConnecting.review(&finding)
    httpCookieLost.review(&finding)
    highRTT.review(&finding)
    hopMatcher.review(&finding)
    hostIPLiteral.review(&finding)
    keyMatches.review(&finding)
    mitmInPath.review(&finding)
    noResumption.review(&finding)
    noSNI.review(&finding)
    packetsLost.review(&finding)
    pairingMissing.review(&finding)
    polls.review(&finding)
    proxyHopFrames.review(&finding)
    reconnectLoop.review(&finding)
    reconnections.review(&finding)
    redirectDropsBody.review(&finding)
    repeatedCuts.review(&finding)
    retriedRequest.review(&finding)
    retryTruncatedStream.review(&finding)
    serverError.review(&finding)
    serverFeatures.review(&finding)
    siblingDifference.review(&finding)
    sixConnections.review(&finding)
    streamRepeats.review(&finding)
    totalDurationCap.review(&finding)
    truncated.review(&finding)
    uploadBuffered.review(&finding)
  }
}
