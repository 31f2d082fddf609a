import Citation

/// Reads raw DEFLATE (RFC 1951) in pieces cut anywhere, with a window of 32 KiB that outlives final blocks and
/// messages.
///
/// zlib could do it, but would not say how far back references reach: it takes distances beyond its window while they
/// lie in the output it has at hand. Here each is compared with what the sender may use; one beyond it is noted and,
/// where the bytes are there, read nevertheless.
///
/// A step takes its bits when all of them are there, so what comes out and what is said do not depend on the cuts.
///
/// Invariants: bits of `bits` above `bitCount` are zero; `window[handed..<position]` is output that was not handed out;
/// `history` bytes before `position`, around the ring, are the sender's last; the window has its full size before it is
/// written around.
struct DeflateReader: Sendable {
  enum Halt {
    case failed(String), stopped(DecodingStop)
  }

  enum State {
    case header
    case storedLength
    case stored(Int)
    case codeCounts
    case codeLengths(Int)
    case lengths
    case symbols
    case distance(length: Int)
    case copy(length: Int, distance: Int)
  }

  enum Step {
    case goesOn, needsInput
    case halt(Halt)
  }

  static let windowSize = 32 << 10
  /// It begins as small as this, and doubles: most messages are short, and connections many.
  private static let firstWindow = 1 << 10
  /// The ratio is looked at where the output is a multiple of this.
  static let stride: UInt64 = 64 << 10

  /// Output bytes, input bytes and final blocks of this message.
  private(set) var bytesOut: UInt64 = 0
  var bytesTaken: UInt64 = 0
  var finalBlocks: UInt64 = 0
  /// The first of this message.
  var tooFar: FarReference?

  let reach: Int
  private let bounds: DecodingBounds
  var forgets = false
  var state = State.header
  var isFinal = false
  var bits: UInt64 = 0
  var bitCount = 0

  var window: [UInt8] = []
  private(set) var position = 0
  private var handed = 0
  private(set) var history = 0

  let fixedLiterals = PrefixCode.fixedLiterals
  let fixedDistances = PrefixCode.fixedDistances
  var literals = PrefixCode()
  var distances = PrefixCode()
  var isFixed = false
  var lengths = [UInt8](repeating: 0, count: 320)
  var have = 0
  var literalCount = 0
  var distanceCount = 0

  /// References may reach so many bytes back.
  init(reach: Int, _ bounds: DecodingBounds) {
    self.reach = reach
    self.bounds = bounds
  }

  /// The window as far as it has grown, and the tables of codes.
  var heldBytes: Int { window.count + 6 << 10 }

  /// Bytes of which at least a bit was used.
  var bytesIn: UInt64 { bytesTaken &- UInt64(bitCount / 8) }

  /// All that came was whole blocks, up to the end of a byte.
  var isBetweenBlocks: Bool {
    if case .header = state { bitCount == 0 } else { false }
  }

  mutating func beginMessage(forgetsContext: Bool) {
    forgets = forgetsContext
    bytesOut = 0
    bytesTaken = UInt64(bitCount / 8)
    finalBlocks = 0
    tooFar = nil
  }

  /// Forgets what came, and where in a block it was.
  mutating func restart() {
    state = .header
    isFinal = false
    (bits, bitCount) = (0, 0)
    history = 0
    handed = position
  }

  /// Takes all of `input` unless it halts, and hands out what it makes.
  mutating func read(_ input: Span<UInt8>, into output: (Span<UInt8>) -> Void) -> Halt? {
    var next = 0
    while true {
      fill(from: input, &next)
      switch step(input, &next, output) {
      case .goesOn: break
      case .needsInput:
        if next < input.count { break }
        handOut(to: output)
        return nil
      case .halt(let halt):
        handOut(to: output)
        return halt
      }
    }
  }

  mutating func step(
    _ input: Span<UInt8>, _ next: inout Int, _ output: (Span<UInt8>) -> Void
  ) -> Step {
    switch state {
    case .header: readHeader()
    case .storedLength: readStoredLength()
    case .stored(let count): readStored(count, input, &next, output)
    case .codeCounts: readCodeCounts()
    case .codeLengths(let count): readCodeLengths(count)
    case .lengths: readLengths()
    case .symbols: readSymbols(input, &next, output)
    case .distance(let length): readDistance(length)
    case .copy(let length, let distance): copy(length, distance, output)
    }
  }

  // MARK: Bits

  @inline(__always)
  mutating func fill(from input: Span<UInt8>, _ next: inout Int) {
    while bitCount <= 48, next < input.count {
      bits |= UInt64(input[next]) << UInt64(bitCount)
      bitCount += 8
      bytesTaken &+= 1
      next += 1
    }
  }

  @inline(__always)
  func peek(_ count: Int, after skipped: Int = 0) -> Int {
    Int(truncatingIfNeeded: bits >> UInt64(skipped)) & (1 << count - 1)
  }

  @inline(__always)
  mutating func drop(_ count: Int) {
    bits >>= UInt64(count)
    bitCount -= count
  }

  func fail(_ reason: String) -> Step { .halt(.failed(reason)) }

  // MARK: Output

  mutating func copy(_ length: Int, _ distance: Int, _ output: (Span<UInt8>) -> Void) -> Step {
    let (room, halt) = makeRoom(output)
    if let halt { return .halt(halt) }
    let count = min(length, room)
    let start = position
    window.withUnsafeMutableBufferPointer { ring in
      var from = (start - distance) & (Self.windowSize - 1)
      for to in start..<start + count {
        ring[to] = ring[from]
        from = (from + 1) & (Self.windowSize - 1)
      }
    }
    advance(count)
    state = count == length ? .symbols : .copy(length: length - count, distance: distance)
    return .goesOn
  }

  @inline(__always)
  mutating func advance(_ count: Int) {
    position += count
    bytesOut &+= UInt64(count)
    history = min(history + count, Self.windowSize)
  }

  /// How many bytes may be written before this is asked again: none where decoding has to stop. At least one else.
  mutating func makeRoom(_ output: (Span<UInt8>) -> Void) -> (room: Int, halt: Halt?) {
    if position == Self.windowSize {
      handOut(to: output)
      (position, handed) = (0, 0)
    } else if position == window.count {
      window += [UInt8](repeating: 0, count: max(Self.firstWindow, window.count))
    }
    if bytesOut >= bounds.output { return (0, .stopped(.limit)) }
    let isLookedAt = bytesOut >= bounds.ratioFrom && bytesOut % Self.stride == 0
    if isLookedAt, bytesOut > 0, bytesOut > bytesIn &* bounds.ratio { return (0, .stopped(.ratio)) }
    let next = min(bounds.output, (bytesOut / Self.stride + 1) * Self.stride)
    return (min(window.count - position, Int(next - bytesOut)), nil)
  }

  mutating func handOut(to output: (Span<UInt8>) -> Void) {
    guard handed < position else { return }
    output(window.span.extracting(handed..<position))
    handed = position
  }
}
