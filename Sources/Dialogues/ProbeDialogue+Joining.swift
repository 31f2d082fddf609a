import Citation
import Events
import HTTP1

// A connection that began before the capture: bodies that were being sent, and who of the two is the server.

/// What it rests on who is called the client.
package struct RoleGuess: Sendable {
  /// It is guessed, and what is said may turn it round.
  package var isOpen = false
  /// The guess rests on the ports, and not only on who spoke first.
  package var isByPorts = false

  package init(isOpen: Bool = false, isByPorts: Bool = false) {
    self.isOpen = isOpen
    self.isByPorts = isByPorts
  }

  /// Whether what the sender of a direction says makes it the server against the guess.
  func contradicts(server direction: Direction) -> Bool { isOpen && direction == .toServer }
}

extension ProbeDialogue {
  struct Unbroken: Sendable {
    var index = 0
    var offset: UInt64 = 0
  }

  /// What is spoken, and who says it.
  enum Found: Sendable {
    case message(HTTP1Role, Direction)
    case body(JoinedBody, Direction)
    case http2
  }

  /// A body in what was kept of a direction, up to a start line in it.
  func lookForBody(_ direction: Direction) -> JoinedBody? {
    let bytes = head[direction]
    let start = unbroken[direction].index
    guard start < bytes.count else { return nil }
    let rest = bytes.span.extracting(start..<bytes.count)
    guard case .not = HTTP1Probe.look(at: rest) else { return nil }
    let end = HTTP1Probe.startLine(in: rest)?.index ?? rest.count
    let other = direction.opposite
    let isAlone = head[other].isEmpty && !isRuledOut[other] && !hasFailed[other]
    guard let body = JoinedBody(in: rest.extracting(0..<end), isAlone: isAlone) else { return nil }
    // An upload is chunked, too, and its response will say what it is.
    guard body.isServers || direction == .toClient || !roles.isByPorts && roles.isOpen else { return nil }
    return body
  }

  /// Whether a segment begins as an event, a chunk, a line of JSON or a part does. Asked for every segment of what may be
  /// a long download: its first bytes must do.
  func mayBeginItem(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    if bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: ":") || bytes[0] == UInt8(ascii: "-") { return true }
    if ChunkChain(bytes, at: 0) != nil { return true }
    return EventOpening.isAlike(bytes.extracting(first: EventOpening.limit).withUnsafeBufferPointer { Array($0) })
      == true
  }

  mutating func join(_ body: JoinedBody, _ direction: Direction, into events: inout [Event]) -> Verdict {
    if roles.contradicts(server: direction) { return turn(.body(body, direction)) }
    return .http1(Rare(begin(body, direction, into: &events)))
  }

  mutating func turn(_ found: Found) -> Verdict {
    self.found = found
    return .turn
  }

  /// Goes on behind `.turn`, once it is known whether the two sides have changed places.
  mutating func resume(isTurned: Bool, into events: inout [Event]) -> Verdict {
    guard let found = found.take() else { return .undecided }
    if isTurned { turnRound() }
    switch found {
    case .message(let role, let direction):
      return .http1(Rare(begin(role, isTurned ? direction.opposite : direction, into: &events)))
    case .body(let body, let direction):
      return .http1(Rare(begin(body, isTurned ? direction.opposite : direction, into: &events)))
    case .http2: return .http2(beginHTTP2(.midstream, requests: .toServer, into: &events))
    }
  }

  private mutating func turnRound() {
    for index in held.indices { held[index].direction = held[index].direction.opposite }
    head.turnRound()
    unbroken.turnRound()
    due.turnRound()
    isRuledOut.turnRound()
    hasFailed.turnRound()
    hasHole.turnRound()
    missingStart.turnRound()
    ends.turnRound()
  }

  /// Hands over to HTTP/1 inside of a response.
  private mutating func begin(
    _ body: JoinedBody, _ direction: Direction, into events: inout [Event]
  ) -> HTTP1Dialogue {
    let start = unbroken[direction].offset
    let from = start &+ UInt64(truncatingIfNeeded: body.start)
    var dialogue = HTTP1Dialogue(joining: body, from: from, requests: direction.opposite, options)
    // What comes before a hole belongs to nothing any more.
    held.removeAll { piece in
      guard piece.direction == direction else { return hasFailed[piece.direction] }
      return switch piece.content {
      case .bytes(let held): held.chunk.offset < start
      case .gap(let gap): gap.range.upperBound <= start
      }
    }
    hand(to: &dialogue, into: &events)
    return dialogue
  }
}
