import Citation
import WebSocketSemantics

/// Reads one direction from the byte behind the handshake on (RFC 6455 §5.2).
///
/// A header is reported as soon as it is complete; payload is named by its place and not touched, so that a frame
/// costs the same however long it is. Whatever length is announced is only counted down from: 2^63 and more is a frame
/// that stays open. After a hole nothing is read, because nothing in the bytes says where a frame begins.
///
/// Memory: one header, and the payload of one control frame up to `Frame.controlLimit`.
///
/// Invariant: `header` is empty while a frame is open.
package struct FrameParser: IncrementalParser, Sendable {
  /// Beside the frame, because an optional's payload is taken out and put back at every change.
  private var isOpen = false
  /// Nothing more is reported: bytes were lost, or the input ended.
  package private(set) var isDone = false
  /// Of the next frame.
  package private(set) var index: UInt64 = 0
  private var released = PacketRef.none
  private var packet = PacketRef.none
  private var header = HeldHeader()
  /// The frame whose header is complete and whose payload is not.
  private var open = Frame.none

  package init() {}

  /// In the middle of a frame.
  @inline(__always)
  package var isInside: Bool { isOpen || header.count > 0 }

  package mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [FrameToken]) {
    let count = chunk.bytes.count
    guard count > 0, !isDone else { return }
    packet = chunk.packet
    released = chunk.released
    var position = 0
    while position < count {
      if !isOpen, !begin(chunk, &position, into: &tokens) { return }
      takePayload(chunk, &position, into: &tokens)
      if open.isComplete {
        isOpen = false
        end(open, into: &tokens)
      }
    }
  }

  /// Takes a chunk that is payload of the open data frame from its first byte to its last, and does not end it; answers
  /// where in the payload it stands, and how it is masked. Nil leaves it to `consume`.
  @inline(__always)
  package mutating func takeInside(_ chunk: borrowing CitedBytes) -> (payloadOffset: UInt64, maskKey: UInt32?)? {
    let count = UInt64(truncatingIfNeeded: chunk.bytes.count)
    guard isOpen, count > 0, open.length &- open.received > count, !open.opcode.isControl else { return nil }
    let place = (open.received, open.maskKey)
    packet = chunk.packet
    released = chunk.released
    open.note(count, upTo: chunk.offset &+ count, packet, released)
    return place
  }

  /// A plain frame of this chunk was taken.
  @inline(__always)
  package mutating func pass(_ chunk: borrowing CitedBytes) {
    index &+= 1
    released = chunk.released
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [FrameToken]) {
    guard !isDone, !range.isEmpty else { return }
    breakOff(into: &tokens)
    tokens.append(.lost(range, released))
  }

  package mutating func finish(_ end: DirectionEnd, into tokens: inout [FrameToken]) {
    if !isDone { breakOff(into: &tokens) }
  }

  // MARK: Frames

  /// Opens the frame whose header becomes complete in this chunk.
  private mutating func begin(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [FrameToken]
  ) -> Bool {
    position = header.take(chunk, from: position)
    guard header.isComplete else { return false }
    open = header.frame(index, last: packet, released: released)
    isOpen = true
    header.removeAll()
    tokens.append(.frameStart(open))
    return true
  }

  /// Takes what of the rest of the chunk belongs to the frame.
  private mutating func takePayload(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [FrameToken]
  ) {
    let there = chunk.bytes.count - position
    let outstanding = open.length &- open.received
    let taken = outstanding < UInt64(there) ? Int(outstanding) : there
    guard taken > 0 else { return }
    let start = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    let end = max(start, start &+ UInt64(truncatingIfNeeded: taken))
    if open.opcode.isControl {
      let kept = min(taken, Frame.controlLimit - open.control.count)
      unmask(
        chunk.bytes.extracting(position..<position + kept), key: open.maskKey ?? 0, at: open.received,
        into: &open.control)
    } else {
      tokens.append(.payload(range: start..<end, payloadOffset: open.received, maskKey: open.maskKey))
    }
    open.note(UInt64(taken), upTo: end, packet, released)
    position += taken
  }

  private mutating func end(_ frame: Frame, into tokens: inout [FrameToken]) {
    index &+= 1
    tokens.append(.frameEnd(frame))
  }

  /// Ends what is being read, because nothing follows that could be joined to it.
  private mutating func breakOff(into tokens: inout [FrameToken]) {
    if isOpen {
      end(open, into: &tokens)
    } else if header.count > 0 {
      end(header.frame(index, last: packet, released: released), into: &tokens)
    }
    isOpen = false
    header.removeAll()
    isDone = true
  }
}

extension Frame {
  /// Nothing yet.
  fileprivate static let none = Frame(
    index: 0, opcode: .continuation, isFinal: true, reserved: 0, maskKey: nil, length: 0, lengthForm: .short,
    head: FrameHeader([UInt8]().span), span: ByteSpan(0..<0, first: .none, last: .none), headerReleased: nil,
    released: .none, received: 0)

  /// More of its payload is there, up to a place in the stream.
  @inline(__always)
  fileprivate mutating func note(_ more: UInt64, upTo end: UInt64, _ packet: PacketRef, _ released: PacketRef) {
    if headerReleased?.number == released.number { firstPart &+= more }
    received &+= more
    span.range = span.range.lowerBound..<max(span.range.upperBound, end)
    span.last = packet
    self.released = released
  }
}
