import Citation
import Events
import HTTPSemantics

/// Judges how a connection ended.
protocol EndingRule: StoryRule where Story == EndingStory {}

/// Follows each connection to its end, and asks the rules about it.
struct Endings: ConnectionWatcher {
  static var interests: EventKinds { .segment | .fin | .connectionClosed | .socket }

  private var story = EndingStory()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    story.observe(exchange)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): story.observe(seen)
    case .socketClosed(let socket): story.observe(socket)
    case .connectionClosed: for rule in RuleIndex.endingRules { rule.judge(story, in: context, report: report) }
    default: break
    }
  }
}

/// What rules about the end of a connection need of it: FINs, resets, what crossed them, and the last message.
struct EndingStory: Sendable {
  /// The resets of one side: the first one, and the one that ended the connection.
  struct Resets: Sendable {
    var first: TCPObservation?
    var accepted: TCPObservation?
    var count: UInt64 = 0
  }

  /// What an orderly end does not have: most ends are orderly.
  fileprivate struct Disorder: Sendable {
    var late = BothDirections<TCPObservation?>(repeating: nil)
    var unacknowledged = BothDirections<TCPObservation?>(repeating: nil)
    var resets = BothDirections(repeating: Resets())
    var lastWords = BothDirections<TCPObservation?>(repeating: nil)
    var timeouts = BothDirections<TCPObservation?>(repeating: nil)
  }

  private static let nothing = BothDirections<TCPObservation?>(repeating: nil)

  /// The last message of a connection whose exchanges are all complete, as far as that can be told.
  private(set) var lastMessage: (packet: PacketRef, direction: Direction)?
  private var hasIncomplete = false
  private(set) var fins = BothDirections<TCPObservation?>(repeating: nil)
  /// The Close of a WebSocket: what the other side still sends are answers to it, and to pings.
  private var hasSaidClose = BothDirections(repeating: false)
  private var disorder = Rare<Disorder>()

  /// The first data that a side sent after the other's FIN.
  var late: BothDirections<TCPObservation?> { disorder.copy?.late ?? Self.nothing }
  var unacknowledged: BothDirections<TCPObservation?> { disorder.copy?.unacknowledged ?? Self.nothing }
  var resets: BothDirections<Resets> { disorder.copy?.resets ?? BothDirections(repeating: Resets()) }
  /// The last data of a side, where its reset followed soon and left the other's data unacknowledged.
  var lastWords: BothDirections<TCPObservation?> { disorder.copy?.lastWords ?? Self.nothing }
  /// The last time that a side's timer ran out.
  var timeouts: BothDirections<TCPObservation?> { disorder.copy?.timeouts ?? Self.nothing }

  mutating func observe(_ exchange: ExchangeRecord) {
    guard !hasIncomplete else { return }
    // What goes through a tunnel is not known to be complete.
    if let response = exchange.response, response.isComplete, exchange.request?.isComplete == true,
      response.head?.framing != .tunnel
    {
      lastMessage = (response.last, response.direction)
    } else {
      hasIncomplete = true
      lastMessage = nil
    }
  }

  mutating func observe(_ socket: WebSocketRecord) {
    for direction in Direction.allCases where socket.sides[direction].close != nil { hasSaidClose[direction] = true }
  }

  mutating func observe(_ seen: TCPObservation) {
    switch seen.kind {
    case .fin: fins[seen.direction] = fins[seen.direction] ?? seen
    case .dataAfterPeerFin, .neverAcknowledged, .dataBeforeReset, .retransmissionTimeout, .reset, .resetOutOfWindow:
      disorder.make(Disorder())
      disorder.value.observe(seen)
    default: break
    }
  }

  /// The first reset that a side sent after its own FIN, right or stale.
  func resetAfterFin(_ direction: Direction) -> TCPObservation? {
    guard let fin = fins[direction] else { return nil }
    let resets = resets[direction]
    if let first = resets.first, first.packet.number > fin.packet.number { return first }
    return resets.accepted.flatMap { $0.packet.number > fin.packet.number ? $0 : nil }
  }

  /// A side closed first, though perhaps the other one's FIN was under way.
  func closedFirst(_ direction: Direction) -> TCPObservation? {
    guard let fin = fins[direction] else { return nil }
    if let other = fins[direction.opposite], other.packet.number < fin.packet.number { return nil }
    return fin
  }

  /// What a side lost to the other's close; not its own closing message (a TLS close alert, say) just before its own
  /// FIN.
  func lost(_ direction: Direction) -> TCPObservation? {
    guard let lost = unacknowledged[direction], !lost.range.isEmpty else { return nil }
    return lost.range.count <= Self.farewell && fins[direction] != nil ? nil : lost
  }

  /// The same where a few bytes at once may be a closing message whose FIN the reset forestalled; or a pong and the answer
  /// to a Close.
  func surelyLost(_ direction: Direction) -> TCPObservation? {
    guard let lost = lost(direction), !lost.maySayGoodbye else { return nil }
    return hasSaidClose[direction.opposite] && lost.range.count <= Self.farewell ? nil : lost
  }

  /// A side closed in order before a packet: its program had what it wanted.
  func hasClosedBefore(_ packet: PacketRef, _ direction: Direction) -> Bool {
    fins[direction].map { $0.packet.number < packet.number } ?? false
  }

  /// What a side lost was under way when the other closed, and it closed by itself then: it wrote nothing into the void.
  func hadFinished(_ direction: Direction) -> Bool {
    guard late[direction] == nil, let reset = resetAfterFin(direction.opposite) else { return false }
    return hasClosedBefore(reset.packet, direction)
  }

  /// A close alert of TLS or the Close frame of a WebSocket, with its record, is no longer than this.
  static let farewell = 96
}

extension TCPObservation {
  /// Of a FIN: what came in its segment.
  var dataWords: String { value > 0 ? ", with \(Wording.bytes(value)) of data" : "" }

  /// Of bytes that were never acknowledged: they may be no more than a protocol's closing message, sent at once.
  var maySayGoodbye: Bool {
    range.count <= EndingStory.farewell && (earlier.map { packet.sharesMoment(with: $0) } ?? true)
  }
}

extension EndingStory.Disorder {
  fileprivate mutating func observe(_ seen: TCPObservation) {
    let direction = seen.direction
    switch seen.kind {
    case .dataAfterPeerFin: late[direction] = late[direction] ?? seen
    case .neverAcknowledged: unacknowledged[direction] = seen
    case .dataBeforeReset: lastWords[direction] = lastWords[direction] ?? seen
    case .retransmissionTimeout: timeouts[direction] = seen
    case .reset, .resetOutOfWindow:
      resets[direction].count &+= 1
      resets[direction].first = resets[direction].first ?? seen
      if seen.kind == .reset { resets[direction].accepted = seen }
    default: break
    }
  }
}
