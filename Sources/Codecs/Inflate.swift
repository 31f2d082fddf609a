/// The compressed messages of one direction of a WebSocket connection (permessage-deflate, RFC 7692 §7.2.2): raw
/// DEFLATE whose every message lacks its last four bytes, and whose window lives on from message to message.
///
///     inflate.beginMessage(keepingContext: true)
///     inflate.decode(payload, into: …)      // each frame's payload, unmasked, as it comes
///     inflate.endMessage(into: …)
///
/// After a failure or a stop the window is not what the peer's is, so every later message fails with it, until one
/// begins without context.
///
/// A window smaller than what a peer uses is not always noticed: zlib also accepts distances into the output it has at
/// hand.
///
/// A class, and `@unchecked Sendable`, for the reasons of `ContentDecoder`.
package final class Inflate: @unchecked Sendable {
  package enum State: Hashable, Sendable {
    case running
    case failed(DecodingFailure)
    case stopped(DecodingStop)
    case notBuiltIn
  }

  package private(set) var state: State
  /// Bytes taken of this message, with the four that were put back at its end.
  package var bytesIn: UInt64 { stage.bytesIn }
  /// Bytes that came out of this message.
  package var bytesOut: UInt64 { stage.bytesOut }
  /// Final blocks (BFINAL) in this message: legal, but some peers lose what follows one.
  package var finalBlocks: UInt64 { stage.ends }

  private let stage: DecodingStage
  private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

  /// Eight window bits are treated as nine, as by zlib's own compressor.
  package init(windowBits: Int = 15, bounds: DecodingBounds = DecodingBounds()) {
    stage = DecodingStage(windowBits: min(max(windowBits, 9), 15), bounds)
    state = ContentCoding.deflate.isBuiltIn ? .running : .notBuiltIn
  }

  /// Without context the window is forgotten, and what was wrong before no longer matters.
  package func beginMessage(keepingContext: Bool) {
    stage.startCounting()
    guard !keepingContext, state != .notBuiltIn else { return }
    stage.forget()
    state = .running
  }

  /// Takes the next bytes of the message and hands what they make to `output`, piece by piece. Each piece is only there
  /// during its call.
  package func decode(_ input: Span<UInt8>, into output: (Span<UInt8>) -> Void) {
    guard state == .running else { return }
    let halt = stage.feed(input) { piece in
      output(piece)
      return nil
    }
    switch halt {
    case .failed(let failure)?: state = .failed(failure)
    case .stopped(let stop)?: state = .stopped(stop)
    case nil: break
    }
  }

  /// The message is over: puts its last four bytes back and says whether it was whole.
  package func endMessage(into output: (Span<UInt8>) -> Void) -> DecodingEnd {
    decode(Inflate.tail.span, into: output)
    guard state == .running else { return .undecided }
    if stage.isBetweenBlocks { return .complete }
    state = .failed(DecodingFailure(coding: ContentCoding.deflate.name, reason: "the message ends inside a block"))
    return .cut
  }
}

extension DecodingStage {
  fileprivate var isBetweenBlocks: Bool {
    #if Zlib
      return (unpacker as? ZlibStream)?.isBetweenBlocks ?? false
    #else
      return false
    #endif
  }

  fileprivate func forget() {
    #if Zlib
      (unpacker as? ZlibStream)?.forget()
    #endif
  }
}
