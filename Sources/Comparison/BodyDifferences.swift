import Citation
import Events
import HTTPSemantics

/// What two bodies of the same message do not have in common: their ends, their bytes, how they were cut in chunks.
struct BodyDifferences {
  private let part: Difference.Part
  private let a: Message
  private let b: Message
  private(set) var found: [Difference] = []
  /// How the bytes compare; see verdicts.
  let content: ContentComparison

  init(_ part: Difference.Part, _ a: Message, _ b: Message, chunks: BothSides<[Item]>) {
    self.part = part
    self.a = a
    self.b = b
    content = ContentComparison(a, b)
    compareContent()
    compareEnds()
    compareTrailers()
    compareChunks(chunks)
  }

  private mutating func add(
    _ kind: Difference.Kind, _ a: String?, _ b: String?, packets: BothSides<PacketRef?>? = nil,
    range: (UInt64, UInt64)? = nil
  ) {
    var difference = Difference(
      part, kind, a: a, b: b,
      packets: packets ?? BothSides(a: self.a.lastBody ?? self.a.last, b: self.b.lastBody ?? self.b.last))
    difference.from = range?.0
    difference.to = range?.1
    found.append(difference)
  }

  private mutating func compareContent() {
    switch content {
    case .same, .unknown: break
    case .shorter(_, let bytes):
      add(.content, Wording.bytes(bytes.a), Wording.bytes(bytes.b))
    case .differs(let from, let to):
      let packets = BothSides(a: a.trail?.arrival(from), b: b.trail?.arrival(from))
      add(.content, a.contentText, b.contentText, packets: packets, range: (from, to))
    case .longer(let bytes): add(.content, Wording.bytes(bytes.a), Wording.bytes(bytes.b))
    }
  }

  private mutating func compareEnds() {
    guard a.isComplete != b.isComplete, !a.isMissing, !b.isMissing, a.framing != .tunnel, b.framing != .tunnel else {
      return
    }
    add(.end, a.endText, b.endText, packets: BothSides(a: a.last, b: b.last))
  }

  private mutating func compareTrailers() {
    let text = { (message: Message) -> String? in
      guard let block = message.trailers, !block.fields.isEmpty else { return nil }
      return block.fields.map { block.name($0) }.joined(separator: ", ")
    }
    guard text(a) != text(b) else { return }
    add(.trailers, text(a), text(b))
  }

  // MARK: Chunks

  private mutating func compareChunks(_ chunks: BothSides<[Item]>) {
    guard a.framing == .chunked, b.framing == .chunked else { return }
    let sizes = chunks.map { $0.map(\.bytes) }
    guard sizes.a != sizes.b, !content.isCut else { return }
    // Too many to keep each of: their number still tells.
    let isWhole =
      UInt64(sizes.a.count) == a.chunks?.count ?? 0 && UInt64(sizes.b.count) == b.chunks?.count ?? 0
    guard isWhole || a.chunks?.count != b.chunks?.count else { return }
    add(
      .chunks, Self.words(a.chunks?.count ?? 0, sizes.a, isWhole), Self.words(b.chunks?.count ?? 0, sizes.b, isWhole),
      packets: BothSides(a: a.firstBody, b: b.firstBody))
  }

  /// `3 chunks: 20, 20, 20 B`
  private static func words(_ count: UInt64, _ sizes: [UInt64], _ isWhole: Bool) -> String {
    let chunks = Wording.count(count, "chunk")
    guard isWhole, !sizes.isEmpty else { return chunks }
    let shown = sizes.prefix(4).map { Wording.number($0) }.joined(separator: ", ")
    return "\(chunks): \(shown)\(sizes.count > 4 ? ", …" : "") B"
  }
}

/// How the bytes of two bodies compare.
enum ContentComparison: Equatable {
  case same
  /// One is the beginning of the other.
  case shorter(CompareSide, BothSides<UInt64>)
  /// They differ in length, and whether one is the beginning of the other is not known.
  case longer(BothSides<UInt64>)
  /// First at a byte of this range.
  case differs(from: UInt64, to: UInt64)
  /// The captures do not hold enough to say.
  case unknown

  init(_ a: Message, _ b: Message) {
    guard !a.isMissing, !b.isMissing, a.framing != .tunnel, b.framing != .tunnel else {
      self = .unknown
      return
    }
    // Coded in two ways, of which one cannot be read, they have nothing in common to compare.
    guard a.coding == b.coding || a.isReadable && b.isReadable else {
      self = .unknown
      return
    }
    guard let one = a.trail, let other = b.trail else {
      self = Self.byFigures(a, b)
      return
    }
    guard one.isWhole, other.isWhole else {
      self = .unknown
      return
    }
    self.init(one, other)
    // Beyond the last mark it is a guess, which a body that is as long as it was said to be speaks against.
    guard case .shorter(let side, let bytes) = self, one.verified(against: other) < bytes[side] else { return }
    let short = side == .a ? a : b
    if short.framing == .length, short.isComplete { self = .longer(bytes) }
  }

  /// Without a body on one side at least, or where what it left behind was too much to keep.
  private static func byFigures(_ a: Message, _ b: Message) -> ContentComparison {
    let bytes = BothSides(a: a.bodyBytes, b: b.bodyBytes)
    if bytes.a == bytes.b {
      if bytes.a == 0 { return .same }
      guard let one = a.sha256, let other = b.sha256 else { return .unknown }
      return one == other ? .same : .differs(from: 0, to: bytes.a)
    }
    if bytes.a == 0 { return .shorter(.a, bytes) }
    return bytes.b == 0 ? .shorter(.b, bytes) : .longer(bytes)
  }

  private init(_ a: BodyTrail, _ b: BodyTrail) {
    if a.bytes == b.bytes, a.hash == b.hash {
      self = .same
      return
    }
    if let place = zip(a.opening, b.opening).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      self = .differs(from: UInt64(place), to: UInt64(place) + 1)
      return
    }
    let common = min(a.bytes, b.bytes)
    let kept = UInt64(min(a.opening.count, b.opening.count))
    // Strides are doublings of one another: the marks at multiples of the larger are in both.
    let stride = max(a.stride, b.stride)
    var same = kept
    var at = stride
    while at <= common, let one = a.mark(at: at), let other = b.mark(at: at) {
      if one != other {
        self = .differs(from: max(same, at - stride), to: at)
        return
      }
      same = max(same, at)
      at += stride
    }
    if a.bytes == b.bytes {
      self = .differs(from: same, to: common)
    } else if same == common || common - same < stride {
      self = .shorter(a.bytes < b.bytes ? .a : .b, BothSides(a: a.bytes, b: b.bytes))
    } else {
      self = .longer(BothSides(a: a.bytes, b: b.bytes))
    }
  }

  /// As much of one as the other has is the same.
  var isCut: Bool {
    if case .shorter = self { true } else { false }
  }

  var isSame: Bool { self == .same }
}

extension BodyTrail {
  /// How far both can be compared with each other.
  fileprivate func verified(against other: BodyTrail) -> UInt64 {
    let kept = UInt64(min(opening.count, other.opening.count))
    let stride = max(self.stride, other.stride)
    return max(kept, min(bytes, other.bytes) / stride * stride)
  }

  fileprivate func mark(at bytes: UInt64) -> UInt64? {
    let index = bytes / stride
    guard index > 0, bytes % stride == 0, index <= UInt64(marks.count) else { return nil }
    return marks[Int(index) - 1]
  }

  /// The packet that brought a byte.
  func arrival(_ offset: UInt64) -> PacketRef? { arrivals.first { $0.bytes > offset }?.packet }
}

extension Message {
  /// The capture lacks some of it.
  var isMissing: Bool { (self.end?.missingBytes ?? 0) > 0 || incomplete?.cause == .gap }

  /// Of its content; of none and identity, nothing.
  var coding: String {
    head?.block.value("content-encoding").map { $0 == "identity" ? "" : $0.lowercased() } ?? ""
  }

  /// What is compared with another is its content.
  fileprivate var isReadable: Bool { coding.isEmpty || trail?.isDecoded == true || bodyBytes == 0 }

  fileprivate var contentText: String {
    let bytes = trail?.bytes ?? bodyBytes
    return Wording.bytes(bytes) + (trail?.isDecoded == true ? " of content" : "")
  }

  /// How it ends, in words.
  var endText: String {
    if isComplete { return "whole" }
    guard let incomplete else { return "still open" }
    switch incomplete.cause {
    case .fin: return "cut off by a FIN"
    case .reset: return "cut off by a reset"
    case .evicted: return "evicted"
    case .captureEnded: return "still open when the capture ends"
    case .gap: return "not captured completely"
    case .framingError: return "framing error"
    }
  }
}
