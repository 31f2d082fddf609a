import Citation
import Events
import WebSocketSemantics

/// Messages in several frames.
struct Fragments: Sendable {
  struct Open: Sendable {
    var first: Frame
    var last: Frame
    var frames: UInt64 = 1
    var bytes: UInt64
  }

  struct Sighting: Sendable {
    var frames: [Frame]
    var count: UInt64 = 1
  }

  struct Side: Sendable {
    var open: Open?
    var orphan: Sighting?
    var interleaved: Sighting?
    /// A message that was open at the side's own Close.
    var closedInside: Open?
    var stall: (from: PacketRef, to: PacketRef, count: UInt64)?
    var storm: (message: WebSocketMessage, count: UInt64)?
  }

  private(set) var sides = BothDirections(repeating: Side())

  mutating func observe(_ frame: Frame, _ direction: Direction, _ story: inout SocketStory, _ thresholds: Thresholds) {
    if frame.opcode == .close, frame.isComplete, story.close(of: direction) == nil {
      sides[direction].closedInside = sides[direction].open
    }
    // A frame of which only a byte came shows no more than its kind.
    guard !frame.opcode.isControl, frame.opcode.rawValue <= 2 else { return }
    if frame.opcode == .continuation {
      continueMessage(frame, direction, &story, thresholds)
    } else {
      if let open = sides[direction].open {
        if sides[direction].interleaved == nil {
          sides[direction].interleaved = Sighting(frames: [open.first, frame])
          story.note(fault: FragmentInterleaved.info.id, frame.span.first, direction)
        } else {
          sides[direction].interleaved?.count += 1
        }
      }
      sides[direction].open = frame.isFinal ? nil : Open(first: frame, last: frame, bytes: frame.received)
    }
  }

  private mutating func continueMessage(
    _ frame: Frame, _ direction: Direction, _ story: inout SocketStory, _ thresholds: Thresholds
  ) {
    guard let open = sides[direction].open else {
      if sides[direction].orphan == nil {
        // Mid-stream, or after a hole, the beginning may be what is missing.
        guard !story.isMidstream || story.sides[direction].frames > 0 else { return }
        sides[direction].orphan = Sighting(frames: [frame])
        story.note(fault: FragmentOrphanContinuation.info.id, frame.span.first, direction)
      } else {
        sides[direction].orphan?.count += 1
      }
      return
    }
    let pause = frame.span.first.time.since(open.last.released.time)
    if pause > thresholds[.fragmentPause] {
      let known = sides[direction].stall
      if known.map({ pause > $0.to.time.since($0.from.time) }) ?? true {
        sides[direction].stall = (open.last.released, frame.span.first, (known?.count ?? 0) + 1)
      } else {
        sides[direction].stall?.count += 1
      }
    }
    if frame.isFinal, frame.isComplete {
      sides[direction].open = nil
    } else {
      sides[direction].open?.last = frame
      sides[direction].open?.frames += 1
      sides[direction].open?.bytes &+= frame.received
    }
  }

  mutating func observe(_ message: WebSocketMessage, _ thresholds: Thresholds) {
    guard message.frames >= 8 else { return }
    let mean = message.wireBytes / message.frames
    let isMany =
      message.frames >= UInt64(max(1, thresholds[.stormFrames])) && mean < UInt64(max(1, thresholds[.stormMean]))
    guard isMany || mean < 16 else { return }
    if sides[message.direction].storm == nil {
      sides[message.direction].storm = (message, 1)
    } else {
      sides[message.direction].storm?.count += 1
    }
  }
}
