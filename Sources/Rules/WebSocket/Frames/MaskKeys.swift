import Citation
import Events
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

  /// Keys that are counted one by one: who draws one key for a connection, does so from the first frame on.
  private static let limit = 16
  private static let repeats: UInt64 = 3
  /// Equal steps in a row.
  private static let steps = 3
  private static let enough: UInt64 = 16

  /// A key, and what is quoted of its frame: one is made for every frame, so it says little and no header is written.
  private struct Masked: Sendable {
    private enum Source: Sendable {
      case frame(ByteSpan, FrameHeader)
      case plain(PlainFrame)
    }

    var key: UInt32
    private var source: Source

    init(_ key: UInt32, _ frame: Frame) {
      self.key = key
      source = .frame(frame.span, frame.head)
    }

    init(_ key: UInt32, _ frame: PlainFrame) {
      self.key = key
      source = .plain(frame)
    }

    func evidence(_ direction: Direction, _ note: String) -> Evidence {
      switch source {
      case .frame(let span, let head): Evidence(.bytes(span, direction), excerpt: head.excerpt, note)
      case .plain(let frame): Evidence(.bytes(frame.span, direction), excerpt: frame.head.excerpt, note)
      }
    }
  }

  private struct Key: Sendable {
    var first: Masked
    var count: UInt64 = 1
  }

  private var zeros: UInt64 = 0
  private var firstZero: Masked?
  private var keys: [Key] = []
  /// The second and third frame with a key of `keys`, of the first key that comes again.
  private var again: [Masked] = []
  private var total: UInt64 = 0
  private var first: UInt32 = 0
  /// Bits that differed from the first key at some time.
  private var changed: UInt32 = 0
  private var before: Masked?
  private var last: Masked?
  private var step: UInt32?
  /// The frames behind `before` and `last` whose keys went on in the same step, until they are enough.
  private var run: [Masked] = []
  private var pattern: [Masked] = []

  mutating func observe(_ frame: Frame) {
    guard let key = frame.maskKey, frame.headerReleased != nil else { return }
    observe(Masked(key, frame))
  }

  mutating func observe(_ frame: PlainFrame) {
    guard let key = frame.maskKey else { return }
    observe(Masked(key, frame))
  }

  private mutating func observe(_ masked: Masked) {
    let key = masked.key
    total += 1
    if key == 0 {
      zeros += 1
      if firstZero == nil { firstZero = masked }
      return
    }
    count(masked)
    if total &- zeros == 1 { first = key }
    changed |= key ^ first
    if pattern.isEmpty { follow(masked) }
    last = masked
  }

  private mutating func count(_ masked: Masked) {
    if let at = keys.firstIndex(where: { $0.first.key == masked.key }) {
      keys[at].count += 1
      if again.count < 2, again.first.map({ $0.key == masked.key }) ?? true { again.append(masked) }
    } else if keys.count < Self.limit {
      keys.append(Key(first: masked))
    }
  }

  private mutating func follow(_ masked: Masked) {
    guard let last else { return }
    let difference = masked.key &- last.key
    // A counter may be written in either order of bytes.
    let swapped = masked.key.byteSwapped &- last.key.byteSwapped
    if difference != 0, difference == step || difference.byteSwapped == step || swapped == step {
      run.append(masked)
      guard let before, run.count + 1 > Self.steps else { return }
      pattern = [before] + run
    } else {
      // The smaller step is the counter's.
      step = min(swapped, 0 &- swapped) < min(difference, 0 &- difference) ? swapped : difference
      before = last
      run.removeAll(keepingCapacity: true)
      run.append(masked)
    }
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    let direction = story.client
    func tell(_ info: RuleInfo, _ what: String, _ frames: [Masked], _ note: String, _ count: UInt64) {
      report(
        story.finding(
          info, direction, what,
          frames.map { $0.evidence(direction, note) }, count: count,
          in: context))
    }
    if let firstZero {
      tell(
        Self.zero, "\(Wording.number(zeros)) of \(Wording.count(total, "frame")) of the client are masked with zeros.",
        [firstZero], "the key is 00000000", zeros)
    }
    if let key = keys.first(where: { $0.count >= Self.repeats }) {
      tell(
        Self.reused,
        "The client masked \(Wording.number(key.count)) of \(Wording.count(total, "frame")) with the same key.",
        [key.first] + again.filter { $0.key == key.first.key }, "the same key", key.count)
    } else if !pattern.isEmpty {
      tell(
        Self.sequential, "The client's masks are a counter: each is the one before and a constant more.", pattern,
        "the next key", UInt64(pattern.count))
    } else if total &- zeros >= Self.enough, fixedBytes >= 2, let last {
      tell(
        Self.sequential,
        "\(fixedBytes) of 4 bytes are the same in the masks of all \(Wording.count(total &- zeros, "frame")).",
        [last],
        "the last key", total &- zeros)
    }
  }

  private var fixedBytes: Int {
    (0..<4).count { changed >> UInt32($0 * 8) & 0xFF == 0 }
  }
}
