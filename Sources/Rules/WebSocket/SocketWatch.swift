import Citation
import Events
import WebSocketSemantics

/// What is sent on a WebSocket connection, from its first frame to its end.
struct SocketWatch: Sendable {
  /// Of the exchange that opened it.
  let key: ExchangeKey
  private var story = SocketStory()
  private var terms = BothDirections(repeating: FrameTerms(isClients: true, mayCompress: true, isExtended: true))
  private var faults = FrameFaults()
  private var masks = MaskKeys()
  private var messages = SocketMessageFaults()
  private var drops = Drops()
  private var pace = Pace()
  private var coalesced = CoalescedUnanswered()
  private var misread = SplitFrameMisread()
  private var segments = SegmentPerFrame()
  /// Made at the first retransmission.
  private var halfOpen = Rare<HalfOpen>()
  /// Most connections never fragment, ping or speak after a Close.
  private var fragments = Rare<Fragments>()
  private var order = Rare<CloseOrder>()
  private var pings = Rare<Pings>()
  private var heartbeats = Rare<AppHeartbeats>()
  /// Once it is over.
  @Rare private(set) var record: WebSocketRecord?

  init(_ key: ExchangeKey) {
    self.key = key
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .socketOpened(let opening): open(opening)
    case .frame(let frame, let direction, _): take(frame, direction, context.thresholds)
    case .plainFrames(let frames, _): take(frames, context.thresholds)
    case .socketMessage(let message, _):
      messages.observe(message, &story)
      if !fragments.isEmpty { fragments.value.observe(message, context.thresholds) }
      if !message.isOneFrame { pace.observe(message) }
    case .segment(let seen):
      story.note(seen)
      pace.observe(seen)
      noteLoss(seen)
    case .directionEnded(let end, let direction, let packet): story.note(end, direction, packet)
    case .socketEnded(let end, let direction, _): story.note(stream: end, direction)
    case .socketClosed(let record):
      for direction in Direction.allCases where record.sides[direction].lostAt != nil {
        story.sides[direction].isLost = true
      }
      self.record = record
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func open(_ opening: WebSocketOpening) {
    story.opening = opening
    let hasOthers = opening.extensions.map { opening.deflate == nil || $0.contains(",") } ?? false
    for direction in Direction.allCases {
      terms[direction] = FrameTerms(
        isClients: direction == opening.client, mayCompress: opening.deflate != nil || opening.isMidstream,
        isExtended: hasOthers)
    }
  }

  private mutating func take(_ frame: Frame, _ direction: Direction, _ thresholds: Thresholds) {
    faults.observe(frame, direction, terms[direction], &story)
    if direction == story.client, frame.headerReleased != nil {
      masks.observe(frame)
      drops.observe(frame, story)
    }
    if fragments.isEmpty, frame.isFragment { fragments = Rare(Fragments()) }
    if !fragments.isEmpty { fragments.value.observe(frame, direction, &story, thresholds) }
    if story.close(of: direction) != nil {
      order.make(CloseOrder())
      order.value.observe(frame, direction, story)
    }
    if frame.opcode == .ping || frame.opcode == .pong {
      pings.make(Pings())
      pings.value.observe(frame, direction, story)
    }
    if frame.length == 1, frame.opcode == .text,
      let plain = PlainFrame(frame, direction, isMasked: frame.isMasked)
    {
      noteHeartbeat(plain)
    }
    pace.observe(frame, direction, thresholds)
    if frame.isMessage { pace.observe(plain: frame, direction) }
    coalesced.observe(frame, direction, story.client)
    misread.observe(frame, firstPart: frame.firstPart, direction, story.client)
    if !frame.opcode.isControl { segments.observe(frame.released, length: frame.length, direction) }
    story.note(frame, direction)
  }

  /// Frames that none of the rules about single frames can mind.
  private mutating func take(_ frames: [PlainFrame], _ thresholds: Thresholds) {
    let framePause = thresholds[.framePause]
    for frame in frames {
      if frame.direction == story.client { masks.observe(frame) }
      pace.observe(frame, framePause)
      coalesced.observe(frame, story.client)
      misread.observe(frame, story.client)
      segments.observe(frame.last, length: frame.length, frame.direction)
      if AppHeartbeats.mayBe(frame) { noteHeartbeat(frame) }
    }
    drops.observe(frames, story)
    story.note(frames)
  }

  @inline(never)
  private mutating func noteHeartbeat(_ frame: PlainFrame) {
    guard story.firstClose == nil else { return }
    heartbeats.make(AppHeartbeats())
    heartbeats.value.observe(frame, client: story.client)
  }

  private mutating func noteLoss(_ seen: TCPObservation) {
    switch seen.kind {
    case .retransmissionTimeout, .retransmission, .neverAcknowledged:
      halfOpen.make(HalfOpen())
      halfOpen.value.observe(seen)
    default: break
    }
  }

  private func close(in context: FlowContext, report: (Finding) -> Void) {
    guard let record else { return }
    faults.close(story, in: context, report: report)
    messages.close(story, in: context, report: report)
    let closed = ClosedSocket(
      story: story, record: record, masks: masks, fragments: fragments.copy, order: order.copy ?? CloseOrder(),
      drops: drops, pings: pings.copy ?? Pings(), heartbeats: heartbeats.copy, pace: pace, coalesced: coalesced,
      misread: misread, segments: segments, halfOpen: halfOpen.copy)
    for rule in RuleIndex.socketRules { rule.judge(closed, in: context, report: report) }
  }
}

extension Frame {
  /// A part of a message.
  fileprivate var isFragment: Bool { !opcode.isControl && (opcode == .continuation || !isFinal) }

  /// It is a message by itself (see WebSocketMessage.isOneFrame).
  fileprivate var isMessage: Bool {
    isComplete && isFinal && (opcode == .text || opcode == .binary) && !hasRSV1
      && length <= WebSocketMessage.plainLimit
  }
}
