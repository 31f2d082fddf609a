import Citation
import Events
import HTTPSemantics

/// Long polls: requests that a server holds until it has something to say.
///
/// A channel is a request that one client repeats: the same method, host and path. That it is a long poll shows in
/// answers that were held; so everything is reported when the capture is read. Bounded: 64 channels, a few packets of
/// each.
struct Polls: CaptureWatcher {
  private struct Key: MixedKey {
    var asker: Asker
    var method: Int
    var path: Int
  }

  private static let limit = 64

  private var hasHeld = false
  private var channels = BoundedTable<Key, PollChannel>(limit: limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    // Until something was held there is no long poll, and nothing to keep.
    guard hasHeld || Poll.wait(asked.exchange) >= Poll.heldFrom, let poll = Poll(asked.exchange, in: context) else {
      return
    }
    hasHeld = true
    let key = Key(asker: asked.key.asker, method: asked.key.method, path: asked.key.path)
    channels.update(key, orMake: PollChannel()) { $0.take(poll, context.thresholds) }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for channel in channels.inOrder where channel.isLongPoll {
      for rule in RuleIndex.pollRules { rule.judge(channel, thresholds, report: report) }
    }
  }
}

/// Judges a request that one client repeats, where that is a long poll.
protocol PollRule: CaptureStoryRule where Story == PollChannel {}

/// One request that may be a poll.
struct Poll: Sendable {
  let flow: FlowID
  let connection: Int
  let exchange: Int
  let title: String
  let target: Int
  let first: PacketRef
  /// The first and last packet of the answer.
  let answer: PacketRef?
  let last: PacketRef?
  /// The first byte of its content where there is some, else of its head.
  let told: PacketRef?
  /// What the answer said: status, length and first bytes.
  let content: Int
  /// The client's FIN or reset that ended it without an answer, or before the answer came.
  let abandoned: PacketRef?
  /// The request states how long it wants to wait.
  let namesWait: Bool

  /// nil for what is certainly no poll: a stream, a tunnel, a request or an answer that the capture does not have.
  init?(_ exchange: ExchangeRecord, in context: FlowContext) {
    guard let request = exchange.request, request.isComplete, let head = request.head, !exchange.isResponseMissing
    else {
      return nil
    }
    if let response = exchange.response {
      guard response.isComplete, !response.isDrip, response.isWhollyCaptured, exchange.status.code >= 200 else {
        return nil
      }
    }
    flow = context.id
    connection = context.number
    self.exchange = exchange.number
    title = exchange.title
    first = request.first
    answer = exchange.response?.first
    last = exchange.response?.last
    told = exchange.response.map { $0.firstBody ?? $0.first }
    var hasher = Hasher()
    hasher.combine(exchange.status.code)
    hasher.combine(exchange.response?.bodyBytes)
    hasher.combine(exchange.response?.opening)
    content = hasher.finalize()
    target = head.targetText.hashValue
    if let end = exchange.firstEnd, end.direction == .toServer, Self.isLeft(exchange, request, end.packet) {
      abandoned = end.packet
    } else {
      abandoned = nil
    }
    namesWait = head.namesWait
  }

  /// The client ended it before there was an answer. One that closes its sending side does so with the request, and
  /// then waits.
  private static func isLeft(_ exchange: ExchangeRecord, _ request: Message, _ end: PacketRef) -> Bool {
    guard let response = exchange.response else { return true }
    return end.number < response.first.number && end.time.since(request.last.time) >= heldFrom
  }

  static let heldFrom: Int64 = 2_000_000_000

  /// From the request to the answer or to the end that came instead; its content, where it has some.
  static func wait(_ exchange: ExchangeRecord) -> Int64 {
    guard let request = exchange.request else { return 0 }
    let end = exchange.response.map { $0.firstBody ?? $0.first } ?? exchange.firstEnd?.packet
    return end?.time.since(request.first.time) ?? 0
  }

  /// How long the server held it.
  var held: Int64? { told.map { $0.time.since(first.time) } }
}

/// A request that one client repeats.
struct PollChannel: Sendable {
  private var count = 0
  private var heldCount = 0
  private var namesWait = false
  private var previous: Poll?
  /// The longest answer that was held.
  private(set) var longest: Poll?
  /// The first poll that the client gave up, and that was answered right after.
  private(set) var late: Poll?
  /// Polls the client gave up, the first two.
  private(set) var abandoned: [Poll] = []
  /// The run of quick answers with nothing new that goes on, and the longest.
  private var run: [Poll] = []
  private var runLength = 0
  private(set) var quick: (first: Poll, last: Poll, count: Int)?
  private(set) var overlap: (first: Poll, second: Poll)?

  init() {}

  /// With a wait that the request names, one held answer shows it; without, two of at least three.
  var isLongPoll: Bool { namesWait ? heldCount >= 1 : count >= 3 && heldCount >= 2 }

  mutating func take(_ poll: Poll, _ thresholds: Thresholds) {
    count += 1
    if poll.namesWait { namesWait = true }
    let held = poll.held ?? poll.abandoned.map { $0.time.since(poll.first.time) } ?? 0
    let isHeld = held >= Poll.heldFrom
    if isHeld { heldCount += 1 }
    if isHeld, poll.answer != nil, poll.abandoned == nil, held > longest?.held ?? 0 { longest = poll }
    if late == nil, let end = poll.abandoned, let told = poll.told, told.time.since(end.time) <= thresholds[.pollMatch]
    {
      late = poll
    }
    if isHeld, poll.abandoned != nil, abandoned.count < 2 { abandoned.append(poll) }
    if let previous { compare(poll, previous, isHeld) }
    noteRun(poll, thresholds[.pollInterval])
    previous = poll
  }

  private mutating func compare(_ poll: Poll, _ previous: Poll, _ isHeld: Bool) {
    let end = previous.abandoned ?? previous.answer
    guard overlap == nil, isHeld, (previous.held ?? 0) >= Poll.heldFrom, previous.target == poll.target,
      previous.flow != poll.flow, let end, poll.first.number > previous.first.number, poll.first.number < end.number,
      end.time.since(poll.first.time) >= 1_000_000_000
    else { return }
    overlap = (previous, poll)
  }

  private mutating func noteRun(_ poll: Poll, _ least: Int64) {
    guard let held = poll.held, held < least else {
      run.removeAll()
      runLength = 0
      return
    }
    if let start = run.first, let before = previous?.last, start.content == poll.content,
      poll.first.number > before.number, poll.first.time.since(before.time) < least
    {
      runLength += 1
      if runLength > quick?.count ?? 0 { quick = (start, poll, runLength) }
    } else {
      run = [poll]
      runLength = 1
    }
  }
}

extension MessageHead {
  /// A wait that the client asks for: `Prefer: wait=` (RFC 7240 §4.3), or a timeout in its query.
  fileprivate var namesWait: Bool {
    if let wish = block.first("prefer"), block.contains(anyOf: ["wait="], in: wish.value) { return true }
    guard case .request(_, _, let target) = line else { return false }
    return block.contains(anyOf: ["timeout="], in: target)
  }
}
