import Citation
import Events
import WebSocketSemantics

/// What the rules about frames share: what was agreed, the last frames of both sides, and how TCP ended.
///
/// Invariant: `order` counts frames of both sides in the order in which they were reported, which is the order of the
/// packets that completed them.
struct SocketStory: Sendable {
  struct End: Sendable {
    var packet: PacketRef
    var by: Direction
    var isReset: Bool
  }

  struct Side: Sendable {
    var frames: UInt64 = 0
    /// The last frame of any kind.
    var last: Frame?
    var lastOrder: UInt64 = 0
    /// Its first Close.
    var close: Frame?
    var closeOrder: UInt64 = 0
    var fin: PacketRef?
    var reset: PacketRef?
    /// Of a stream of HTTP/2: it ended the stream, by END_STREAM or a reset.
    var hasEndedStream = false
    /// What it broke first, by rule and packet.
    var fault: (rule: RuleID, packet: PacketRef)?
    /// Bytes that the capture lacks ended the reading of it.
    var isLost = false
  }

  var opening: WebSocketOpening?
  /// Behind one reference: thirty rules take the story into the hand, and two sides are four frames.
  private var shared = Shared(BothDirections(repeating: Side()))
  var sides: BothDirections<Side> {
    _read { yield shared.value }
    _modify { yield &shared.value }
  }
  /// The first FIN or reset.
  private(set) var end: End?
  private(set) var order: UInt64 = 0
  /// The last frame of either side before the end of TCP.
  private(set) var lastFrame: (packet: PacketRef, direction: Direction)?
  private(set) var lastOpcode = Opcode.continuation
  /// The longest silence between two frames of either side.
  private(set) var silence: (from: PacketRef, to: PacketRef)?
  var pings: UInt64 = 0

  var client: Direction { opening?.client ?? .toServer }
  /// A stream of HTTP/2 carries it, whose ends are no ends of TCP.
  var isStream: Bool { opening?.exchangeKey.stream != nil }
  var carrier: String { isStream ? "the stream" : "TCP" }
  var isMidstream: Bool { opening?.isMidstream ?? true }
  /// Frames can be judged: it was seen what was agreed, and nothing of either side is missing.
  var isWhole: Bool { !sides.toServer.isLost && !sides.toClient.isLost }
  var bothClosed: Bool { sides.toServer.close != nil && sides.toClient.close != nil }

  /// The first Close of a side. By its name: what is read of `sides` by a direction copies both of them.
  func close(of direction: Direction) -> Frame? {
    direction == .toServer ? sides.toServer.close : sides.toClient.close
  }

  /// Asked of a side that has sent a Close.
  func isFirst(toClose direction: Direction) -> Bool {
    let (server, client) = (sides.toServer.closeOrder, sides.toClient.closeOrder)
    return direction == .toServer ? server < client : client < server
  }

  /// Whose Close came first.
  var firstClose: (frame: Frame, direction: Direction)? {
    let server = sides.toServer.close.map { ($0, Direction.toServer, sides.toServer.closeOrder) }
    let client = sides.toClient.close.map { ($0, Direction.toClient, sides.toClient.closeOrder) }
    guard let one = server else { return client.map { ($0.0, $0.1) } }
    guard let other = client else { return (one.0, one.1) }
    return one.2 < other.2 ? (one.0, one.1) : (other.0, other.1)
  }

  /// What a side did that left first: its Close, or the end of TCP where neither side sent one.
  func leaving(of direction: Direction) -> (packet: PacketRef, evidence: Evidence)? {
    let side = Wording.sender(direction)
    if let close = firstClose {
      guard close.direction == direction else { return nil }
      return (close.frame.released, .frame(close.frame, direction, "\(side)'s Close"))
    }
    guard let end, end.by == direction else { return nil }
    return (end.packet, Evidence(.packet(end.packet, direction), "\(side) ends TCP"))
  }

  /// Takes a frame after the rules that compare with those before it.
  mutating func note(_ frame: Frame, _ direction: Direction) {
    order += 1
    // What crosses the end on its way is not what the end followed.
    if !isAfterEnd(frame) {
      if let before = lastFrame?.packet { noteSilence(from: before, to: frame.span.first) }
      lastFrame = (frame.released, direction)
      lastOpcode = frame.opcode
    }
    if frame.opcode == .ping { pings += 1 }
    sides[direction].frames += 1
    sides[direction].last = frame
    sides[direction].lastOrder = order
    if frame.opcode == .close, frame.isComplete, sides[direction].close == nil {
      sides[direction].close = frame
      sides[direction].closeOrder = order
    }
  }

  /// The same of plain frames.
  mutating func note(_ frames: [PlainFrame]) {
    var last = BothDirections<PlainFrame?>(repeating: nil)
    for frame in frames {
      order += 1
      if !isAfterEnd(frame.packet) {
        if let before = lastFrame?.packet { noteSilence(from: before, to: frame.packet) }
        lastFrame = (frame.last, frame.direction)
        lastOpcode = frame.opcode
      }
      sides[frame.direction].frames += 1
      sides[frame.direction].lastOrder = order
      last[frame.direction] = frame
    }
    for direction in Direction.allCases {
      if let frame = last[direction] { sides[direction].last = frame.frame }
    }
  }

  private mutating func noteSilence(from before: PacketRef, to packet: PacketRef) {
    let gap = packet.time.since(before.time)
    if gap > silence.map({ $0.to.time.since($0.from.time) }) ?? 0 { silence = (before, packet) }
  }

  func isAfterEnd(_ packet: PacketRef) -> Bool { end.map { packet.number > $0.packet.number } ?? false }

  /// It was sent when the other side, or its own, had ended TCP.
  func isAfterEnd(_ frame: Frame) -> Bool { end.map { frame.span.first.number > $0.packet.number } ?? false }

  mutating func note(_ seen: TCPObservation) {
    switch seen.kind {
    case .fin:
      if sides[seen.direction].fin == nil { sides[seen.direction].fin = seen.packet }
      if end == nil { end = End(packet: seen.packet, by: seen.direction, isReset: false) }
    case .reset:
      if sides[seen.direction].reset == nil { sides[seen.direction].reset = seen.packet }
      if end == nil { end = End(packet: seen.packet, by: seen.direction, isReset: true) }
    default: break
    }
  }

  /// An end inside of TLS, before TCP's own.
  mutating func note(_ end: DirectionEnd, _ direction: Direction, _ packet: PacketRef) {
    guard end == .fin else { return }
    if sides[direction].fin == nil { sides[direction].fin = packet }
    if self.end == nil { self.end = End(packet: packet, by: direction, isReset: false) }
  }

  /// The end of the stream that carries it.
  mutating func note(stream end: SideEnd, _ direction: Direction) {
    sides[direction].hasEndedStream = true
    if end.end == .reset {
      if sides[direction].reset == nil { sides[direction].reset = end.packet }
      if self.end == nil { self.end = End(packet: end.packet, by: direction, isReset: true) }
    } else {
      note(end.end, direction, end.packet)
    }
  }

  mutating func note(fault rule: RuleID, _ packet: PacketRef, _ direction: Direction) {
    if sides[direction].fault == nil { sides[direction].fault = (rule, packet) }
  }

  /// Codes that say that the peer did something wrong.
  private static let complaints: Set<UInt16> = [1002, 1003, 1007, 1008, 1009, 1010, 1011]

  /// What became of the connection for something that a side sent: the other side's complaint, or its leaving.
  func death(after packet: PacketRef, of direction: Direction, in context: FlowContext) -> Evidence? {
    let peer = direction.opposite
    if let close = sides[peer].close, let code = close.closeCode, Self.complaints.contains(code),
      close.span.first.number > packet.number
    {
      return .frame(close, peer, "the answer: Close \(code)")
    }
    guard let end, end.by == peer, sides[peer].close == nil, sides[direction].close == nil,
      end.packet.number > packet.number,
      end.packet.time.since(packet.time) <= context.thresholds[.faultEnd] &+ (context.roundTrip.total ?? 0)
    else { return nil }
    return Evidence(.packet(end.packet, peer), "\(Wording.sender(peer)) ends the connection")
  }
}

extension SocketStory {
  /// A finding about one side, with the fix of its rule.
  func finding(
    _ info: RuleInfo, _ direction: Direction?, _ what: String, severity: Severity? = nil,
    confidence: Confidence? = nil, cost: Cost = .none, causedBy: RuleID? = nil, _ evidence: [Evidence],
    count: UInt64 = 1, in context: FlowContext
  ) -> Finding {
    var finding = Finding(
      info, severity: severity, confidence: confidence, subject: .connection(context.id), exchange: opening?.exchange,
      direction: direction, FindingMessage(what), cost: cost, fix: info.fix, causedBy: causedBy, evidence: evidence)
    finding.count = count
    return finding
  }
}

extension Evidence {
  /// The header of a frame, at the packet of its first byte.
  static func frame(_ frame: Frame, _ direction: Direction, _ note: String) -> Evidence {
    Evidence(.bytes(frame.span, direction), excerpt: frame.header, note)
  }

  /// The reason of a Close, which is free text; nil where there is none.
  static func reason(_ close: Frame, _ direction: Direction) -> Evidence? {
    let reason = Array(close.closeReason)
    guard !reason.isEmpty else { return nil }
    return Evidence(.bytes(close.span, direction), excerpt: Excerpt(reason.span, isPayload: true), "its reason")
  }
}

extension Frame {
  /// `text`, `ping`, as sentences name it.
  var name: String { opcode.name }
}

extension Threshold {
  static let faultEnd = Threshold(
    "ws.fault-end", .nanoseconds, 1_000_000_000, "a connection that ends this soon after a violation died of it")
}
