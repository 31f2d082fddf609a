import Citation

/// One coding of a body: its library, a buffer for what comes out while a piece is taken, and the bounds.
///
/// Invariants: `bytesOut` never passes `bounds.output`; output leaves in pieces that end where `bytesOut` is a multiple
/// of the buffer's size, so that what is decoded before a stop does not depend on how the input was cut.
final class DecodingStage {
  static let bufferSize = 64 << 10

  /// Why a stage takes no more.
  enum Halt {
    case failed(DecodingFailure), stopped(DecodingStop)
  }

  private enum Phase {
    /// The first bytes have to say which format this is.
    case opening
    case inside
    /// A stream ended; the next bytes say whether another begins.
    case between
    case over
  }

  let coding: ContentCoding
  /// Bytes the library took.
  private(set) var bytesIn: UInt64 = 0
  private(set) var bytesOut: UInt64 = 0
  /// Streams that ended one after the other.
  private(set) var ends: UInt64 = 0
  private(set) var isRawDeflate = false
  private(set) var unpacker: (any Unpacker)?

  private let bounds: DecodingBounds
  /// The stage that eats what was on the wire, when it does not count one: the ratio is that of the whole chain.
  private let first: DecodingStage?
  private var phase = Phase.inside
  private var lookahead: [UInt8] = []
  private var trailing: UInt64 = 0

  /// A stage for a content coding.
  init(_ coding: ContentCoding, after first: DecodingStage?, _ bounds: DecodingBounds) {
    self.coding = coding
    self.first = first
    self.bounds = bounds
    switch coding {
    case .gzip: unpacker = Codecs.unpacker(for: .gzip)
    case .brotli: unpacker = Codecs.unpacker(for: .brotli)
    case .zstd: unpacker = Codecs.unpacker(for: .zstd)
    case .deflate, .identity: phase = .opening
    }
  }

  /// What it holds between two pieces, as far as output has touched it.
  var heldBytes: Int { min(unpacker?.heldBytes ?? 0, 192 << 10 + Int(clamping: bytesOut)) + 1 << 10 }

  /// A whole stream was taken, and nothing of another.
  var isComplete: Bool { phase == .between || phase == .over }

  var isUntouched: Bool { bytesIn == 0 && lookahead.isEmpty }

  /// Bytes after the end of the stream.
  var trailingBytes: UInt64 { trailing + (phase == .between ? UInt64(lookahead.count) : 0) }

  /// Hands what comes out of `input` to `output`, which may halt the stage.
  func feed(_ input: Span<UInt8>, into output: (Span<UInt8>) -> Halt?) -> Halt? {
    var position = 0
    while position < input.count {
      switch phase {
      case .inside:
        if let halt = unpack(input, from: &position, into: output) { return halt }
      case .opening, .between:
        lookahead.append(input[position])
        position += 1
        guard look() else { continue }
        phase = .inside
        let held = lookahead
        lookahead = []
        if let halt = feed(held.span, into: output) { return halt }
      case .over:
        trailing += UInt64(input.count - position)
        position = input.count
      }
    }
    return nil
  }

  /// Whether the bytes looked at so far begin a stream.
  private func look() -> Bool {
    if phase == .opening {
      guard lookahead.count == 2 else { return false }
      isRawDeflate = !DecodingStage.isZlibHeader(lookahead[0], lookahead[1])
      unpacker = Codecs.unpacker(for: isRawDeflate ? .rawDeflate : .zlib)
      return true
    }
    switch DecodingStage.beginsStream(lookahead, coding) {
    case true?:
      unpacker?.restart()
      return true
    case false?:
      trailing += UInt64(lookahead.count)
      lookahead = []
      phase = .over
      return false
    case nil: return false
    }
  }

  /// RFC 1950 §2.2: method 8, a window of at most 32 KiB, and a check of both bytes. Raw DEFLATE could begin so only
  /// with a stored block whose padding is not zero.
  private static func isZlibHeader(_ method: UInt8, _ flags: UInt8) -> Bool {
    method & 0x0F == 8 && method >> 4 <= 7 && (Int(method) << 8 | Int(flags)) % 31 == 0
  }

  /// Whether another gzip member or zstd frame begins with these bytes; nil while that is open.
  private static func beginsStream(_ bytes: [UInt8], _ coding: ContentCoding) -> Bool? {
    func match(_ magic: [UInt8], skippable: Bool = false) -> Bool? {
      for (index, byte) in bytes.enumerated() {
        // The low half of the first byte of a skippable zstd frame is free.
        let seen = skippable && index == 0 ? byte & 0xF0 : byte
        if seen != magic[index] { return false }
      }
      return bytes.count == magic.count ? true : nil
    }
    switch coding {
    case .gzip: return match([0x1F, 0x8B])
    case .zstd:
      let isSkippable = bytes[0] & 0xF0 == 0x50
      return isSkippable
        ? match([0x50, 0x2A, 0x4D, 0x18], skippable: true) : match([0x28, 0xB5, 0x2F, 0xFD])
    case .identity, .deflate, .brotli: return false
    }
  }

  private func unpack(
    _ input: Span<UInt8>, from position: inout Int, into output: (Span<UInt8>) -> Halt?
  ) -> Halt? {
    guard let unpacker else { return failure("the library cannot be initialised") }
    // Thousands of bodies are open at a time: each would keep its own for years of silence.
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: DecodingStage.bufferSize)
    defer { buffer.deallocate() }
    var isFull = false
    repeat {
      let size = UInt64(DecodingStage.bufferSize)
      let room = UnsafeMutableBufferPointer(rebasing: buffer[..<Int(size - bytesOut % size)])
      let step = unpacker.step(input.extracting(position..<input.count), into: room)
      position += step.taken
      bytesIn += UInt64(step.taken)
      if step.produced > 0, let halt = hand(out: room.extracting(..<step.produced), to: output) { return halt }
      switch step.status {
      case .goesOn: break
      case .ended:
        ends += 1
        phase = .between
        return nil
      case .failed(let reason): return failure(reason)
      }
      isFull = step.produced == room.count
      if step.taken == 0, step.produced == 0, position < input.count { return failure("the library makes no progress") }
    } while isFull || position < input.count
    return nil
  }

  private func hand(out bytes: UnsafeMutableBufferPointer<UInt8>, to output: (Span<UInt8>) -> Halt?) -> Halt? {
    let allowed = Int(min(UInt64(bytes.count), bounds.output - bytesOut))
    bytesOut += UInt64(allowed)
    if allowed > 0, let halt = output(UnsafeBufferPointer(rebasing: bytes[..<allowed]).span) { return halt }
    if allowed < bytes.count { return .stopped(.limit) }
    let isLookedAt = bytesOut >= bounds.ratioFrom && bytesOut % UInt64(DecodingStage.bufferSize) == 0
    if isLookedAt, bytesOut > (first ?? self).bytesIn &* bounds.ratio { return .stopped(.ratio) }
    return nil
  }

  private func failure(_ reason: String) -> Halt {
    .failed(DecodingFailure(coding: coding.name, reason: reason))
  }
}
