import Citation
import Events
import WebSocketSemantics

/// How messages are written and taken.
struct Pace: Sendable {
  struct Side: Sendable {
    var messages: UInt64 = 0
    var first: PacketRef?
    var last: PacketRef?
    /// The second that is counted, and two in a row that were floods.
    var second: (from: PacketRef, count: UInt64, bytes: UInt64)?
    var floods = 0
    var flood: (from: PacketRef, to: PacketRef, count: UInt64, bytes: UInt64)?
    var small: UInt64 = 0
    var apart: UInt64 = 0
    var firstApart: Frame?
    /// The last time that this side closed its window.
    var closed: PacketRef?
    var held: (frame: Frame, closed: PacketRef)?
  }

  fileprivate static let tinyRate: UInt64 = 200
  fileprivate static let tinyMean: UInt64 = 64
  fileprivate static let secondLength: Int64 = 1_000_000_000

  private(set) var sides = BothDirections(repeating: Side())

  mutating func observe(_ seen: TCPObservation) {
    if seen.kind == .zeroWindow { sides[seen.direction].closed = seen.packet }
  }

  mutating func observe(_ frame: Frame, _ direction: Direction, _ thresholds: Thresholds) {
    guard frame.isComplete, !frame.opcode.isControl else { return }
    if frame.length > 0, frame.length <= PlainFrame.smallLimit {
      sides[direction].small += 1
      if let header = frame.headerReleased, header.number < frame.span.last.number,
        frame.span.first.number == header.number
      {
        sides[direction].apart += 1
        if sides[direction].firstApart == nil { sides[direction].firstApart = frame }
      }
    }
    if let closed = closed(from: frame.span.first, to: frame.released, direction, thresholds[.framePause]) {
      hold(frame, direction, closed)
    }
  }

  /// When the window was closed, of a frame that took long.
  private func closed(
    from first: PacketRef, to last: PacketRef, _ direction: Direction, _ pause: Int64
  ) -> PacketRef? {
    guard last.time.since(first.time) > pause, let closed = sides.read(direction.opposite, { $0.closed }),
      closed.number >= first.number, closed.number <= last.number
    else { return nil }
    return closed
  }

  private mutating func hold(_ frame: Frame, _ direction: Direction, _ closed: PacketRef) {
    let took = frame.released.time.since(frame.span.first.time)
    let longest = sides[direction].held.map { $0.frame.released.time.since($0.frame.span.first.time) } ?? 0
    if took > longest { sides[direction].held = (frame, closed) }
  }

  mutating func observe(_ message: WebSocketMessage) {
    guard message.isComplete else { return }
    sides[message.direction].note(message.wireBytes, message.span.first, message.released)
  }

  mutating func observe(_ frame: PlainFrame, _ pause: Int64) {
    let direction = frame.direction
    if 1...PlainFrame.smallLimit ~= frame.length { sides[direction].small += 1 }
    if frame.last.number != frame.packet.number,
      let closed = closed(from: frame.packet, to: frame.last, direction, pause)
    {
      hold(frame.frame, direction, closed)
    }
    sides[direction].note(frame.length, frame.packet, frame.last)
  }

  /// The frame of a plain message, which is not reported as such.
  mutating func observe(plain frame: Frame, _ direction: Direction) {
    sides[direction].note(frame.length, frame.span.first, frame.released)
  }
}

extension Pace.Side {
  /// A message of so many bytes on the wire.
  fileprivate mutating func note(_ bytes: UInt64, _ opened: PacketRef, _ released: PacketRef) {
    messages += 1
    if first == nil { first = opened }
    last = released
    guard let second else {
      self.second = (released, 1, bytes)
      return
    }
    let age = released.time.since(second.from.time)
    if age < Pace.secondLength {
      self.second = (second.from, second.count + 1, second.bytes &+ bytes)
      return
    }
    let isFlood =
      second.count >= Pace.tinyRate && second.bytes / second.count < Pace.tinyMean && age < 2 * Pace.secondLength
    if isFlood {
      let before = floods > 0 ? flood : nil
      floods += 1
      if floods <= 2 {
        flood = (
          before?.from ?? second.from, released, (before?.count ?? 0) + second.count,
          (before?.bytes ?? 0) &+ second.bytes
        )
      }
    } else if floods < 2 {
      floods = 0
      flood = nil
    }
    self.second = (released, 1, bytes)
  }
}
