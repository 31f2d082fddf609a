import Citation
import WebSocketSemantics

/// Whether bytes from the middle of a connection are frames, where nobody saw the handshake.
///
/// There is no magic number to go by, so evidence is counted in bits: how unlikely it is that bytes of something else
/// pass. A header must be one that a careful sender writes, must be masked as the one before, and must have its place
/// behind it; text must be text, and what repeats itself tells nothing. Three headers are needed at least, five where no
/// text speaks for them.
///
/// The bytes must begin where a frame begins: segments often do.
package struct FrameProbe: Sendable {
  package enum Answer: Hashable, Sendable {
    case yes(isMasked: Bool)
    /// More bytes are needed.
    case unsure
    case no
  }

  /// Frames that are needed at least.
  static let frames = 3
  /// One stream of 4,000,000 that is none may pass.
  static let evidence = 22
  /// Eight first bytes of 256 begin a frame that is counted.
  private static let headerEvidence = 4
  /// Every second byte is a character of text or a part of one: not more is counted of one frame.
  private static let textEvidence = 8
  /// Bytes of a text that are looked at.
  private static let openingLimit = 64
  /// A frame that says it is longer is not waited for.
  private static let lengthLimit: UInt64 = 1 << 32

  private var isMasked: Bool?
  private var count = 0
  private var bits = 0
  /// Whether a message is open; nil before the first data frame that tells.
  private var isOpen: Bool?
  private var isClosed = false
  private var opening: [UInt8] = []

  private init() {}

  /// Judges the first bytes of one direction.
  package static func look(at bytes: Span<UInt8>) -> Answer {
    var probe = FrameProbe()
    return probe.judge(bytes)
  }

  /// The direction in which the client sends: one direction is certain, and what the other has does not contradict it.
  /// Nil where neither is, or where both mask or none does.
  package static func client(toServer: Span<UInt8>, toClient: Span<UInt8>) -> Direction? {
    var up = FrameProbe()
    var down = FrameProbe()
    let answers = [up.judge(toServer), down.judge(toClient)]
    guard !answers.contains(.no), answers.contains(where: { $0 != .unsure }) else { return nil }
    guard let isUpMasked = up.isMasked ?? down.isMasked.map({ !$0 }) else { return nil }
    if let isDownMasked = down.isMasked, isDownMasked == isUpMasked { return nil }
    return isUpMasked ? .toServer : .toClient
  }

  private mutating func judge(_ bytes: Span<UInt8>) -> Answer {
    var header = HeldHeader()
    var position = 0
    var before = 0..<0
    while position < bytes.count {
      if isClosed { return .no }
      let start = position
      position = header.take(CitedBytes(bytes, at: 0, in: .none, released: .none), from: position)
      // The first byte alone may say that it is none.
      let frame = header.frame(0, last: .none, released: .none)
      guard isLegal(frame), !header.isComplete || hasLegalLength(frame) else { return .no }
      guard header.isComplete else { return .unsure }
      guard isMasked == nil || isMasked == frame.isMasked else { return .no }
      header.removeAll()
      count += 1
      let payload = position..<position + Int(min(UInt64(bytes.count - position), frame.length))
      guard let text = evidence(of: bytes.extracting(payload), frame) else { return .no }
      // What follows of a text may show that it is none: a verdict is not taken back.
      guard payload.count >= min(frame.length, UInt64(Self.openingLimit)) else { return .unsure }
      let these = start..<min(payload.upperBound, position + Self.openingLimit)
      if speaks(frame, bytes.extracting(payload)), !isEqual(bytes, before, these) {
        bits += Self.headerEvidence + (isMasked == nil ? 0 : 1) + text
      }
      isMasked = frame.isMasked
      note(frame)
      if count >= Self.frames, bits >= Self.evidence { return .yes(isMasked: frame.isMasked) }
      before = these
      position = payload.upperBound
    }
    return .unsure
  }

  // MARK: Headers

  private func isLegal(_ frame: Frame) -> Bool {
    guard frame.reserved & 3 == 0, !frame.opcode.isReserved else { return false }
    if frame.opcode.isControl { return frame.isFinal && !frame.hasRSV1 }
    if frame.opcode == .continuation { return !frame.hasRSV1 && isOpen != false }
    return isOpen != true
  }

  /// In as few bytes as it needs, and of a size that someone sends. Fragments with nothing in them are legal, but
  /// zeros read as such, and those are everywhere.
  private func hasLegalLength(_ frame: Frame) -> Bool {
    let isShortest =
      switch frame.lengthForm {
      case .short: true
      case .extended16: frame.length > 125
      case .extended64: frame.length > 65535
      }
    guard isShortest, frame.length < Self.lengthLimit else { return false }
    if frame.opcode.isControl { return frame.length <= UInt64(Frame.controlLimit) }
    return frame.isFinal || frame.length > 0
  }

  private mutating func note(_ frame: Frame) {
    if frame.opcode.isControl { isClosed = frame.opcode == .close } else { isOpen = !frame.isFinal }
  }

  // MARK: Payload

  /// Of text; nil where the payload cannot be what it should.
  private mutating func evidence(of payload: Span<UInt8>, _ frame: Frame) -> Int? {
    let isText = frame.opcode == .text && !frame.hasRSV1
    guard isText || frame.opcode == .close else { return 0 }
    opening.removeAll(keepingCapacity: true)
    let looked = payload.extracting(0..<min(payload.count, Self.openingLimit))
    unmask(looked, key: frame.maskKey ?? 0, at: 0, into: &opening)
    let isWhole = UInt64(opening.count) == frame.length
    if isText { return evidence(ofText: opening.span, mayGoOn: !isWhole || !frame.isFinal) }
    guard frame.length != 1 else { return nil }
    guard opening.count >= 2 else { return 0 }
    let code = UInt16(opening[0]) << 8 | UInt16(opening[1])
    guard (1000..<5000).contains(code) else { return nil }
    return evidence(ofText: opening.span.extracting(2..<opening.count), mayGoOn: !isWhole)
  }

  private func evidence(ofText bytes: Span<UInt8>, mayGoOn: Bool) -> Int? {
    var stream = UTF8Stream()
    guard stream.take(bytes) == nil, mayGoOn || !stream.isOpen else { return nil }
    var printable = 0
    for index in bytes.indices where bytes[index] >= 0x20 && bytes[index] != 0x7F { printable += 1 }
    return min(Self.textEvidence, printable / 2)
  }

  /// Whether a legal frame is evidence. Fragments that others follow begin with small numbers or letters, as half of all
  /// records do. A key that repeats itself comes of bytes that do, but zero, which is a fault of some clients.
  private func speaks(_ frame: Frame, _ payload: Span<UInt8>) -> Bool {
    guard frame.isFinal else { return false }
    guard let key = frame.maskKey else { return payload.isEmpty || !isName(payload) }
    return key == 0 || key >> 16 != key & 0xFFFF
  }

  /// The names of a certificate follow one another like frames: 0x82 or 0x81, a length, a host or an address.
  private func isName(_ bytes: Span<UInt8>) -> Bool {
    for index in 0..<min(bytes.count, Self.openingLimit) {
      switch bytes[index] {
      case 0x30...0x39, 0x40...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: break
      default: return false
      }
    }
    return true
  }

  private func isEqual(_ bytes: Span<UInt8>, _ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == other.count else { return false }
    for index in 0..<one.count where bytes[one.lowerBound + index] != bytes[other.lowerBound + index] { return false }
    return true
  }
}
