import Events
import Trace
import WebSocketSemantics

/// The masks of a client's frames, which are to be random.
///
/// Bounded: the first keys are counted, and of all the bytes that never change are known.
struct MaskKeys: Sendable {
  static let infos: [RuleInfo] = [zero, reused, sequential]

  private static let why = """
    A mask that can be guessed lets a page choose the bytes that a browser writes to the network, which is how caches of \
    old proxies were poisoned.
    """

  private static let zero = RuleInfo(
    id: "ws/mask-zero-key", severity: .warning, summary: "A client masks frames with a key of zeros.",
    explanation: """
      The payload stands on the wire as it is. \(why) The client built into Node.js 20 does it after 4,096 frames of a process.
      """,
    evidence: "The first such frame; the message counts them.", fix: "Client: draw four random bytes for each frame.",
    specifications: [.webSocket("5.3"), .webSocket("10.3")], since: "0.1")

  private static let reused = RuleInfo(
    id: "ws/mask-key-reused", severity: .warning, summary: "A client masks several frames with the same key.",
    explanation: "\(why) Old libraries draw one key for a connection.",
    evidence: "The first frames with that key.", fix: "Client: draw four random bytes for each frame.",
    specifications: [.webSocket("5.3")], since: "0.1")

  private static let sequential = RuleInfo(
    id: "ws/mask-key-sequential", severity: .warning, confidence: .medium,
    summary: "A client's masks follow a pattern.",
    explanation: "\(why) Each key is the one before and a constant more, or some of its bytes never change.",
    evidence: "The first frames of the pattern, or the last one where bytes of all keys are the same.",
    fix: "Client: draw four random bytes for each frame from a generator made for secrets.",
    specifications: [.webSocket("5.3")], since: "0.1")

  /// Keys that are counted one by one.
  private static let limit = 16
  private static let settled: UInt64 = 24
  private static let repeats: UInt64 = 3
  /// Equal steps in a row.
  private static let steps = 3
  private static let enough: UInt64 = 16

  private struct Key: Sendable {
    var value: UInt32
    var count: UInt64 = 0
    var frames: [Frame] = []
  }

  private var zeros = Key(value: 0)
  private var keys: [Key] = []
  private var isCounting = true
  private var total: UInt64 = 0
  private var first: UInt32 = 0
  /// Bits that differed from the first key at some time.
  private var changed: UInt32 = 0
  private var last: Frame?
  private var step: UInt32?
  private var run: [Frame] = []
  private var pattern: [Frame] = []

  mutating func observe(_ frame: Frame) {
    guard let key = frame.maskKey, frame.headerReleased != nil else { return }
    total += 1
    if key == 0 {
      zeros.count += 1
      if zeros.frames.isEmpty { zeros.frames.append(frame) }
      return
    }
    count(key, frame)
    if total &- zeros.count == 1 { first = key }
    changed |= key ^ first
    follow(key, frame)
    last = frame
  }

  private mutating func count(_ key: UInt32, _ frame: Frame) {
    // Who drew so many keys without drawing one twice draws them at random.
    guard isCounting else { return }
    if total > Self.settled, keys.allSatisfy({ $0.count == 1 }) {
      isCounting = false
      keys = []
      return
    }
    if let at = keys.firstIndex(where: { $0.value == key }) {
      keys[at].count += 1
      if keys[at].frames.count < 3 { keys[at].frames.append(frame) }
    } else if keys.count < Self.limit {
      keys.append(Key(value: key, count: 1, frames: [frame]))
    }
  }

  private mutating func follow(_ key: UInt32, _ frame: Frame) {
    guard pattern.isEmpty, let last, let before = last.maskKey else { return }
    let difference = key &- before
    if difference != 0, difference == step || difference.byteSwapped == step {
      run.append(frame)
    } else if difference != 0, key.byteSwapped &- before.byteSwapped == step {
      run.append(frame)
    } else {
      // A counter may be written in either order of bytes: the smaller step is the counter's.
      let swapped = key.byteSwapped &- before.byteSwapped
      step = min(swapped, 0 &- swapped) < min(difference, 0 &- difference) ? swapped : difference
      run = [last, frame]
    }
    if run.count > Self.steps { pattern = run }
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    let direction = story.client
    func tell(_ info: RuleInfo, _ what: String, _ frames: [Frame], _ note: String, _ count: UInt64) {
      var finding = Finding(
        info, subject: .connection(context.id), exchange: story.opening?.exchange, direction: direction,
        FindingMessage(what), cost: .none, fix: info.fix, evidence: frames.map { .frame($0, direction, note) })
      finding.count = count
      report(finding)
    }
    if zeros.count > 0 {
      tell(
        Self.zero,
        "\(Wording.number(zeros.count)) of \(Wording.count(total, "frame")) of the client are masked with zeros.",
        zeros.frames, "the key is 00000000", zeros.count)
    }
    if let key = keys.first(where: { $0.count >= Self.repeats }) {
      tell(
        Self.reused,
        "The client masked \(Wording.number(key.count)) of \(Wording.count(total, "frame")) with the same key.",
        key.frames, "the same key", key.count)
    } else if !pattern.isEmpty {
      tell(
        Self.sequential, "The client's masks are a counter: each is the one before and a constant more.", pattern,
        "the next key", UInt64(pattern.count))
    } else if total &- zeros.count >= Self.enough, fixedBytes >= 2, let last {
      tell(
        Self.sequential,
        "\(fixedBytes) of 4 bytes are the same in the masks of all \(Wording.count(total &- zeros.count, "frame")).",
        [last],
        "the last key", total &- zeros.count)
    }
  }

  private var fixedBytes: Int {
    (0..<4).count { changed >> UInt32($0 * 8) & 0xFF == 0 }
  }
}
