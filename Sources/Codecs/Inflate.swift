import Citation

/// The compressed messages of one direction of a WebSocket connection (permessage-deflate, RFC 7692 §7.2.2): raw
/// DEFLATE whose every message lacks its last four bytes, and whose window is kept between messages.
///
///     inflate.beginMessage(keepingContext: true)
///     inflate.decode(payload, into: …)      // each frame's payload, unmasked, as it comes
///     inflate.endMessage(into: …)
///
/// References over more bytes than the sender may use are noted and, where the bytes are there, read nevertheless: what
/// the sender meant is known, and its peer's trouble is that of this message. After a failure or a stop the window is not
/// what the peer's is, so every later message fails with it, until one begins without context.
///
/// A class, and `@unchecked Sendable`, for the reasons of `ContentDecoder`; see SocketMessageBuilder.
package final class Inflate: @unchecked Sendable {
  package enum State: Hashable, Sendable {
    case running
    case failed(DecodingFailure)
    case stopped(DecodingStop)
  }

  package private(set) var state = State.running
  /// The first reference of this message that the sender must not make; also where it is why reading failed.
  package var tooFar: FarReference? { reader.tooFar }
  /// Bytes taken of this message, with the four at its end where they were put back.
  package var bytesIn: UInt64 { reader.bytesIn }
  /// Bytes that came out of this message.
  package var bytesOut: UInt64 { reader.bytesOut }
  /// Final blocks (BFINAL) in this message: legal, but some peers lose what follows one.
  package var finalBlocks: UInt64 { reader.finalBlocks }
  package var heldBytes: Int { reader.heldBytes }
  /// The payload so far ends with the four bytes that its sender should have left out.
  package var endsWithTail: Bool { last == 0x0000_FFFF }

  private var reader: DeflateReader
  /// The last four bytes of the payload.
  private var last = UInt32.max
  private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

  /// What the sender agreed to, 8 to 15: references reach 256 bytes to 32 KiB back, and eight is not taken for nine.
  package init(windowBits: Int = 15, bounds: DecodingBounds = DecodingBounds()) {
    reader = DeflateReader(reach: 1 << min(max(windowBits, 8), 15), bounds)
  }

  /// Without context nothing of it must refer to what came before, and what was wrong before no longer matters.
  package func beginMessage(keepingContext: Bool) {
    last = .max
    if !keepingContext, state != .running || !reader.isBetweenBlocks {
      reader.restart()
      state = .running
    }
    if state == .running, !reader.isBetweenBlocks { fail("the previous message ends inside a block") }
    reader.beginMessage(forgetsContext: !keepingContext)
  }

  /// Takes the next bytes of the message and hands what they make to `output`, piece by piece. Each piece is only there
  /// during its call.
  package func decode(_ input: Span<UInt8>, into output: (Span<UInt8>) -> Void) {
    for index in max(0, input.count - 4)..<input.count { last = last << 8 | UInt32(input[index]) }
    read(input, into: output)
  }

  /// The message is over: puts its last four bytes back and says whether it was whole. They are not put back where the
  /// blocks are whole without them: behind a final block, and where the sender left them there.
  package func endMessage(into output: (Span<UInt8>) -> Void) -> DecodingEnd {
    if state == .running, !reader.isBetweenBlocks { read(Inflate.tail.span, into: output) }
    guard state == .running else { return .undecided }
    if reader.isBetweenBlocks { return .complete }
    fail("the message ends inside a block")
    return .cut
  }

  private func read(_ input: Span<UInt8>, into output: (Span<UInt8>) -> Void) {
    guard state == .running else { return }
    switch reader.read(input, into: output) {
    case .failed(let reason)?: fail(reason)
    case .stopped(let stop)?: state = .stopped(stop)
    case nil: break
    }
  }

  private func fail(_ reason: String) {
    state = .failed(DecodingFailure(coding: ContentCoding.deflate.name, reason: reason))
  }
}
