import Citation
import Events

// What is missing, and how it ends.
extension Dialogue {
  package mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event]) {
    growth = .some
    if case .silent(let silence) = spoken { spoken = .unknown(prelude(after: silence)) }
    switch spoken {
    case .unknown(var prelude):
      spoken = .opaque
      prelude.value.probe?.skip(gap, direction)
      if direction == .toClient { prelude.value.names.remove() }
      spoken = prelude.value.isOver ? .opaque : .unknown(prelude)
    case .http1(var dialogue):
      spoken = .opaque
      dialogue.value.skip(gap, direction, into: &events)
      if dialogue.value.mayHaveUpgraded {
        probeAgain(dialogue, into: &events)
      } else {
        spoken = .http1(dialogue)
      }
    case .http2(var dialogue):
      spoken = .opaque
      dialogue.value.skip(gap, direction, into: &events)
      spoken = .http2(dialogue)
    case .webSocket(var dialogue):
      spoken = .opaque
      dialogue.value.skip(gap, direction, into: &events)
      spoken = .webSocket(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      dialogue.value.skip(gap, direction, into: &events)
      spoken = .tls(dialogue)
    case .silent, .opaque: break
    }
  }

  package mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    // The other side may say something behind a FIN, and behind a reset that was none.
    if case .silent(let silence) = spoken, end.end == .fin || end.end == .reset {
      spoken = .unknown(prelude(after: silence))
    }
    switch spoken {
    case .unknown(var prelude):
      spoken = .opaque
      if let dialogue = prelude.value.probe?.finish(end, direction, into: &events) {
        speak(dialogue, into: &events)
      } else {
        spoken = .unknown(prelude)
      }
    case .http1(var dialogue):
      spoken = .opaque
      if !dialogue.value.finish(end, direction, into: &events) { spoken = .http1(dialogue) }
    case .http2(var dialogue):
      spoken = .opaque
      dialogue.value.finish(end, direction, into: &events)
      spoken = .http2(dialogue)
    case .webSocket(var dialogue):
      spoken = .opaque
      dialogue.value.finish(end, direction, into: &events)
      spoken = .webSocket(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      dialogue.value.finish(end, direction, into: &events)
      spoken = .tls(dialogue)
    case .silent, .opaque: break
    }
  }

  /// The connection is over: whatever is open is told as it stands.
  package mutating func close(into events: inout [Event]) {
    let last = spoken
    spoken = .opaque
    switch last {
    case .http1(var dialogue): dialogue.value.close(into: &events)
    case .http2(var dialogue): dialogue.value.close(into: &events)
    case .webSocket(var dialogue): dialogue.value.close(into: &events)
    case .tls(var dialogue): dialogue.value.close(into: &events)
    case .silent, .unknown, .opaque: break
    }
  }
}
