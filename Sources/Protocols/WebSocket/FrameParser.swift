import Trace
import WebSocketSemantics

/// Reads one direction from the byte behind the handshake on (RFC 6455 §5.2).
///
/// A header is told as soon as it is complete; payload is named by its place and not touched, so that a frame costs the
/// same however long it is. Whatever length is announced is only counted down from: 2^63 and more is a frame that stays
/// open. After a hole nothing is read, because nothing in the bytes says where a frame begins.
///
/// Memory: one header, and the payload of one control frame up to `Frame.controlLimit`.
///
/// Invariant: `header` is empty while a frame is open.
package struct FrameParser: StreamParser, Sendable {
  private var header = HeldHeader()
  /// The frame whose header is complete and whose payload is not.
  private var open: Frame?
  /// Of the next frame.
  private var index: UInt64 = 0
  private var packet = PacketRef.none
  private var released = PacketRef.none
  /// Nothing more is told: bytes were lost, or the input ended.
  package private(set) var isDone = false

  package init() {}

  /// In the middle of a frame.
  package var isInside: Bool { open != nil || header.count > 0 }

  package mutating func consume(_ chunk: borrowing StreamChunk, into tokens: inout [FrameToken]) {
    let count = chunk.bytes.count
    guard count > 0, !isDone else { return }
    packet = chunk.packet
    released = chunk.released
    var position = 0
    while position < count {
      // Taken out while it changes: a copy would have to be counted for each frame.
      guard var frame = open.take() ?? begin(chunk, &position, into: &tokens) else { return }
      takePayload(of: &frame, chunk, &position, into: &tokens)
      if frame.isComplete { end(frame, into: &tokens) } else { open = frame }
    }
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [FrameToken]) {
    guard !isDone, !range.isEmpty else { return }
    breakOff(into: &tokens)
    tokens.append(.lost(range, released))
  }

  package mutating func finish(_ end: StreamEnd, into tokens: inout [FrameToken]) {
    if !isDone { breakOff(into: &tokens) }
  }

  // MARK: Frames

  /// The frame whose header becomes complete in this chunk.
  private mutating func begin(
    _ chunk: borrowing StreamChunk, _ position: inout Int, into tokens: inout [FrameToken]
  ) -> Frame? {
    position = header.take(chunk, from: position)
    guard header.isComplete else { return nil }
    let frame = header.frame(index, last: packet, released: released)
    header.removeAll()
    tokens.append(.frameStart(frame))
    return frame
  }

  /// Takes what of the rest of the chunk belongs to the frame.
  private func takePayload(
    of frame: inout Frame, _ chunk: borrowing StreamChunk, _ position: inout Int, into tokens: inout [FrameToken]
  ) {
    let there = chunk.bytes.count - position
    let outstanding = frame.length &- frame.received
    let taken = outstanding < UInt64(there) ? Int(outstanding) : there
    guard taken > 0 else { return }
    let start = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    let end = max(start, start &+ UInt64(truncatingIfNeeded: taken))
    if frame.opcode.isControl {
      let kept = min(taken, Frame.controlLimit - frame.control.count)
      unmask(
        chunk.bytes.extracting(position..<position + kept), key: frame.maskKey ?? 0, at: frame.received,
        into: &frame.control)
    } else {
      tokens.append(.payload(range: start..<end, payloadOffset: frame.received, maskKey: frame.maskKey))
    }
    frame.received &+= UInt64(taken)
    frame.span.range = frame.span.range.lowerBound..<max(frame.span.range.upperBound, end)
    frame.span.last = packet
    frame.released = released
    position += taken
  }

  private mutating func end(_ frame: Frame, into tokens: inout [FrameToken]) {
    index &+= 1
    tokens.append(.frameEnd(frame))
  }

  /// Ends what is being read, because nothing follows that could be joined to it.
  private mutating func breakOff(into tokens: inout [FrameToken]) {
    if let frame = open {
      end(frame, into: &tokens)
    } else if header.count > 0 {
      end(header.frame(index, last: packet, released: released), into: &tokens)
    }
    open = nil
    header.removeAll()
    isDone = true
  }
}
