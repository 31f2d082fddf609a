import Citation
import Events
import WebSocketSemantics

/// The masks of a client's frames, which are to be random.
///
/// Bounded: the first keys are counted, and of all the bytes that never change are known.
struct MaskKeys: Sendable {
  /// Keys that are counted one by one: who draws one key for a connection, does so from the first frame on.
  private static let limit = 16
  private static let repeats: UInt64 = 3
  /// Equal steps in a row.
  private static let steps = 3
  private static let enough: UInt64 = 16

  /// A key, and what is quoted of its frame: one is made for every frame, so it is short and no header is written.
  struct Masked: Sendable {
    private enum Source: Sendable {
      case frame(ByteSpan, FrameHeader)
      case plain(PlainFrame)
    }

    fileprivate let key: UInt32
    private let source: Source

    fileprivate init(_ key: UInt32, _ frame: Frame) {
      self.key = key
      source = .frame(frame.span, frame.head)
    }

    fileprivate init(_ key: UInt32, _ frame: PlainFrame) {
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

  private(set) var zeros: UInt64 = 0
  private(set) var firstZero: Masked?
  private var keys: [Key] = []
  /// A bit for each of `keys`, by a hash: nearly every key is a new one, and is not looked for among them.
  private var seen: UInt64 = 0
  /// The second and third frame with a key of `keys`, of the first key that comes again.
  private var again: [Masked] = []
  private(set) var total: UInt64 = 0
  private var first: UInt32 = 0
  /// Bits that differed from the first key at some time.
  private var changed: UInt32 = 0
  private var before: Masked?
  private var last: Masked?
  private var step: UInt32?
  /// The frames behind `before`, once the second of them went on in the same step.
  private var run: [Masked] = []
  /// Frames whose keys are a counter.
  private(set) var pattern: [Masked] = []

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
    let bit: UInt64 = 1 << UInt64((masked.key &* 0x9E37_79B1) >> 26)
    if seen & bit != 0, let at = keys.firstIndex(where: { $0.first.key == masked.key }) {
      keys[at].count += 1
      if again.count < 2, again.first.map({ $0.key == masked.key }) ?? true { again.append(masked) }
    } else if keys.count < Self.limit {
      keys.append(Key(first: masked))
      seen |= bit
    }
  }

  private mutating func follow(_ masked: Masked) {
    // Not taken out of its optional, which copies it.
    guard let key = last?.key else { return }
    let difference = masked.key &- key
    // A counter may be written in either order of bytes.
    let swapped = masked.key.byteSwapped &- key.byteSwapped
    if difference != 0, difference == step || difference.byteSwapped == step || swapped == step {
      if run.isEmpty, let last { run.append(last) }
      run.append(masked)
      guard let before, run.count + 1 > Self.steps else { return }
      pattern = [before] + run
    } else {
      // The smaller step is the counter's.
      step = min(swapped, 0 &- swapped) < min(difference, 0 &- difference) ? swapped : difference
      before = last
      if !run.isEmpty { run.removeAll(keepingCapacity: true) }
    }
  }

  /// The first frames with a key that comes again and again, and how many have it.
  var repeated: (frames: [Masked], count: UInt64)? {
    guard let key = keys.first(where: { $0.count >= Self.repeats }) else { return nil }
    return ([key.first] + again.filter { $0.key == key.first.key }, key.count)
  }

  /// How many bytes are the same in all keys, where they are many, and the last frame of these.
  var fixed: (bytes: Int, frames: UInt64, last: Masked)? {
    let bytes = (0..<4).count { changed >> UInt32($0 * 8) & 0xFF == 0 }
    guard total &- zeros >= Self.enough, bytes >= 2, let last else { return nil }
    return (bytes, total &- zeros, last)
  }
}
