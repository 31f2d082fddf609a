import Citation
import Events
import HTTP2Semantics

/// What the frames of the connection itself, and the exchanges that it cut, say about its course; whole when it is over.
struct ControlStory: Sendable {
  struct Mark: Sendable {
    let frame: HTTP2Frame
    let direction: Direction

    var evidence: Evidence { evidence(frame.type.name) }
    func evidence(_ words: String) -> Evidence {
      Evidence(.bytes(frame.span, direction), excerpt: frame.header, words)
    }
  }

  /// Where the rest of a run of frames is counted.
  struct Run: Sendable {
    var first: Mark?
    var last: Mark?
    /// The most within a second.
    var most = 0
    fileprivate var recent: [Int64] = []
    fileprivate var start = 0

    fileprivate mutating func add(_ mark: Mark) {
      if first == nil { first = mark }
      last = mark
      let now = mark.frame.released.time.nanoseconds
      recent.append(now)
      while start < recent.count, now &- recent[start] > 1_000_000_000 { start += 1 }
      most = max(most, recent.count - start)
      if start > 1_024 {
        recent.removeFirst(start)
        start = 0
      }
    }
  }

  static let limit = 64

  var goAways: [Mark] = []
  /// SETTINGS that were not acknowledged, oldest first; and PINGs.
  var openSettings = BothDirections<[Mark]>(repeating: [])
  var openPings = BothDirections<[Mark]>(repeating: [])
  /// The longest wait for an acknowledgement of SETTINGS.
  var slowSettings = BothDirections<Wait?>(repeating: nil)
  var pings = BothDirections(repeating: ExponentialHistogram())
  var slowPing = BothDirections<Wait?>(repeating: nil)
  var settingsRun = BothDirections(repeating: Run())
  var pingRun = BothDirections(repeating: Run())
  var resetRun = BothDirections(repeating: Run())
  /// The last frame of each direction that was told.
  var last = BothDirections<Mark?>(repeating: nil)
  /// Heads that opened a stream behind the server's GOAWAY; trailers open none.
  var lateRequests: [Mark] = []
  private var newestStream: UInt32 = 0
  /// Exchanges that the end of the connection cut, the first ones.
  var cut: [ExchangeRecord] = []
  /// Of its frames, once it is over.
  var record: HTTP2Record?
  var beginning: HTTP2Record.Beginning { record?.beginning ?? .prior }
  /// Frames may be missing from the capture: what is not there says nothing.
  var hasHoles = BothDirections(repeating: false)
  /// In either direction: a PING and its ACK are one in each.
  var hasHole: Bool { hasHoles.toServer || hasHoles.toClient }
  /// A call of gRPC was among its exchanges.
  var hasCall = false
  var lastPacket = PacketRef.none

  struct Wait: Sendable {
    let from: Mark
    let to: Mark
    var nanoseconds: Int64 { to.frame.released.time.since(from.frame.released.time) }
  }

  fileprivate mutating func take(_ frame: HTTP2Frame, _ direction: Direction) {
    let mark = Mark(frame: frame, direction: direction)
    lastPacket = frame.released
    switch frame.payload {
    case .settings: settings(mark)
    case .ping: ping(mark)
    case .goAway: if goAways.count < Self.limit { goAways.append(mark) }
    case .reset: resetRun[direction].add(mark)
    default: break
    }
    if frame.type == .headers, direction == .toServer, frame.stream > newestStream {
      newestStream = frame.stream
      if lateRequests.count < Self.limit, goAways.contains(where: { $0.direction == .toClient }) {
        lateRequests.append(mark)
      }
    }
    last[direction] = mark
  }

  private mutating func settings(_ mark: Mark) {
    let other = mark.direction.opposite
    if !mark.frame.isAcknowledgement {
      settingsRun[mark.direction].add(mark)
      if openSettings[mark.direction].count < Self.limit { openSettings[mark.direction].append(mark) }
    } else if !openSettings[other].isEmpty {
      let wait = Wait(from: openSettings[other].removeFirst(), to: mark)
      if wait.nanoseconds > slowSettings[other]?.nanoseconds ?? 0 { slowSettings[other] = wait }
    }
  }

  private mutating func ping(_ mark: Mark) {
    let other = mark.direction.opposite
    if !mark.frame.isAcknowledgement {
      pingRun[mark.direction].add(mark)
      if openPings[mark.direction].count < Self.limit { openPings[mark.direction].append(mark) }
    } else if let at = openPings[other].firstIndex(where: { $0.frame.payload == mark.frame.payload }) {
      let wait = Wait(from: openPings[other].remove(at: at), to: mark)
      pings[other].add(wait.nanoseconds)
      if wait.nanoseconds > slowPing[other]?.nanoseconds ?? 0 { slowPing[other] = wait }
    }
  }

  /// What a side says last of how far it came.
  func lastGoAway(_ direction: Direction) -> Mark? { goAways.last { $0.direction == direction } }
}

/// Judges the course of a connection of HTTP/2, when it is over.
protocol ControlStoryRule: StoryRule where Story == ControlStory {}

/// Follows the frames of the connection itself.
struct ControlWatch: ConnectionWatcher {
  static var interests: EventKinds { .http2 | .gap | .connectionClosed }

  /// None on a connection of another protocol.
  private var story: [ControlStory] = []
  private var hasHoles = BothDirections(repeating: false)

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if !story.isEmpty, exchange.isCall { story[0].hasCall = true }
    guard !story.isEmpty, exchange.key.stream != nil, case .connection(let end) = exchange.end.cause,
      end == .fin || end == .reset, exchange.response?.isComplete != true, story[0].cut.count < ControlStory.limit
    else { return }
    story[0].cut.append(exchange)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .http2Frame(let frame, let direction, _):
      if story.isEmpty { story.append(ControlStory()) }
      story[0].take(frame, direction)
    case .gap(_, let direction):
      hasHoles[direction] = true
    case .http2Closed(let record):
      if story.isEmpty { story.append(ControlStory()) }
      story[0].record = record
    case .connectionClosed:
      guard var whole = story.first else { return }
      story = []
      whole.hasHoles = hasHoles
      for rule in RuleIndex.controlStoryRules { rule.judge(whole, in: context, report: report) }
    default: break
    }
  }
}
