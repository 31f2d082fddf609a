import Events

// What it holds in memory, and how it holds less.
extension Dialogue {
  /// What it holds in memory.
  package mutating func countHeld() -> Int {
    // Inside of another dialogue it is asked again before anything more is said.
    if growth == .much { growth = .some }
    let bytes: Int
    switch spoken {
    case .unknown(var prelude):
      spoken = .opaque
      bytes = prelude.heldBytes + (prelude.value.probe?.countHeld() ?? 0)
      spoken = .unknown(prelude)
    case .http1(var dialogue):
      spoken = .opaque
      bytes = dialogue.heldBytes + dialogue.value.countHeld()
      spoken = .http1(dialogue)
    case .http2(var dialogue):
      spoken = .opaque
      bytes = dialogue.heldBytes + dialogue.value.countHeld()
      spoken = .http2(dialogue)
    case .webSocket(var dialogue):
      spoken = .opaque
      bytes = dialogue.heldBytes + dialogue.value.countHeld()
      spoken = .webSocket(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      bytes = dialogue.heldBytes + dialogue.value.countHeld()
      spoken = .tls(dialogue)
    case .silent, .opaque: bytes = 0
    }
    return bytes
  }

  /// Holds no more than so many bytes: lets go of what undoes content codings and compression, by far the largest that a
  /// connection holds, and tells the oldest of many streams as they stand. What is coded is not read on.
  package mutating func shed(to bytes: Int, into events: inout [Event]) {
    switch spoken {
    case .http1(var dialogue):
      spoken = .opaque
      dialogue.value.dropContent()
      spoken = .http1(dialogue)
    case .http2(var dialogue):
      spoken = .opaque
      dialogue.value.shed(to: bytes, into: &events)
      spoken = .http2(dialogue)
    case .webSocket(var dialogue):
      spoken = .opaque
      dialogue.value.dropContent()
      spoken = .webSocket(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      if !dialogue.value.inner.isEmpty { dialogue.value.inner.value.shed(to: bytes, into: &events) }
      spoken = .tls(dialogue)
    case .silent, .unknown, .opaque: break
    }
  }
}
