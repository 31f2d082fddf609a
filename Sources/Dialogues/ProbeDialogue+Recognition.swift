import Citation
import Events
import HTTP2
import TLS
import TLSSemantics
import WebSocket

// What TLS, HTTP/2 and frames of WebSocket are known by, and what takes over.
extension ProbeDialogue {
  /// TLS inside of TLS is a tunnel through a proxy that is spoken to in TLS. More is a wish to overflow the stack.
  static let depthLimit = 2
  /// Bytes of both directions in which frames are looked for.
  private static let frameLimit = 8 << 10

  enum TLSAnswer { case yes, unsure, no }

  /// The middle of a connection looks like other things, too: it is believed where the capture lacks the beginning, and
  /// behind a CONNECT, where nearly everything is TLS.
  func isTLS(_ bytes: Span<UInt8>, _ direction: Direction) -> TLSAnswer {
    guard !hasHole[direction], options.depth < Self.depthLimit else { return .no }
    return switch TLSProbe.look(at: bytes) {
    case .yes(.middle) where isMidstream || options.exchangesBefore > 0: .yes
    // Seven bytes are soon like an alert: what the other side said must not speak against it.
    case .yes(.middle), .yes(.alert):
      (isMidstream || hasHole[direction.opposite]) && !beginsOtherwise(direction.opposite) ? .yes : .no
    case .yes: .yes
    case .unsure: .unsure
    case .no: .no
    }
  }

  /// The first bytes of a side are there, and are no TLS, whatever is missing behind them.
  private func beginsOtherwise(_ direction: Direction) -> Bool {
    let begun = head[direction]
    return missingStart[direction] == nil && !begun.isEmpty && TLSProbe.look(at: begun.span) == .no
  }

  func newTLS() -> TLSDialogue {
    var dialogue = TLSDialogue(options, isMidstream: isMidstream)
    for each in Direction.allCases {
      if let gap = missingStart[each] { dialogue.noteMissingStart(gap, each) }
    }
    return dialogue
  }

  /// Hands over to TLS, with everything that was kept but for what the other side said before it: `S`, say, by which a
  /// PostgreSQL server agrees to TLS.
  mutating func beginTLS(_ direction: Direction, into events: inout [Event]) -> TLSDialogue {
    var dialogue = newTLS()
    let other = direction.opposite
    if !isMidstream, beginsOtherwise(other) { held.removeAll { $0.direction == other } }
    hand(to: &dialogue, into: &events)
    return dialogue
  }

  enum HTTP2Answer {
    case found(HTTP2Dialogue.Beginning, requests: Direction)
    case unsure, no
  }

  /// The preface, or a server's SETTINGS that wait for it; in a capture that began late, frames that land on each
  /// other.
  func lookForHTTP2(_ direction: Direction) -> HTTP2Answer {
    let bytes = head[direction]
    guard !bytes.isEmpty else { return .no }
    if !hasHole[direction] || isBehindMissingStart(direction) {
      let beginning: HTTP2Dialogue.Beginning = options.expectsHTTP2 ? .upgrade : .prior
      switch HTTP2Probe.isPreface(bytes.span) {
      case .yes: return .found(beginning, requests: direction)
      // As long as it may be a method of HTTP/1, that is looked at, too.
      case .unsure where bytes.count > 3: return .unsure
      case .unsure, .no: break
      }
      // A server may speak first; what the client says decides.
      if direction == .toClient, !isMidstream, HTTP2Probe.isServerStart(bytes.span) != .no, ends[direction] == nil {
        return head[.toServer].isEmpty || options.expectsHTTP2 ? .unsure : answersClient(beginning)
      }
    }
    guard isMidstream || hasHole[direction], bytes.count >= HTTP2Probe.chain * 9 else { return .no }
    if case .found = HTTP2Probe.search(bytes.span) { return .found(.midstream, requests: .toServer) }
    return .no
  }

  /// The sides are to change places: what was found of a connection that began before the capture is of the other one.
  func isTurned(_ beginning: HTTP2Dialogue.Beginning, _ direction: Direction) -> Bool {
    guard beginning == .midstream, roles.isOpen else { return false }
    let bytes = head[direction]
    guard case .found(let start) = HTTP2Probe.search(bytes.span),
      let areClients = HTTP2Probe.areClients(bytes.span, from: start)
    else { return false }
    return roles.contradicts(server: areClients ? direction.opposite : direction)
  }

  /// The first bytes of a side are missing, an upgrade perhaps, and nothing is behind them.
  private func isBehindMissingStart(_ direction: Direction) -> Bool {
    missingStart[direction] != nil && unbroken[direction].index == 0
  }

  /// What a side said first may not be in the capture.
  var lacksBeginning: Bool { isMidstream || hasHole.toServer || hasHole.toClient }

  /// A server begins as HTTP/2 does, and the client has begun with something else.
  private func answersClient(_ beginning: HTTP2Dialogue.Beginning) -> HTTP2Answer {
    let client = head[.toServer]
    if HTTP2Probe.isPreface(client.span) != .no { return .unsure }
    return .no
  }

  mutating func beginHTTP2(
    _ beginning: HTTP2Dialogue.Beginning, requests: Direction, into events: inout [Event]
  ) -> HTTP2Dialogue {
    var dialogue = HTTP2Dialogue(requests: requests, beginning, options, isJoined: lacksBeginning)
    hand(to: &dialogue, into: &events)
    return dialogue
  }

  /// A capture that began late may begin among frames. What lies behind a hole cannot be read.
  func lookForFrames(into events: inout [Event]) -> WebSocketDialogue? {
    let up = hasHole.toServer ? [] : head.toServer
    let down = hasHole.toClient ? [] : head.toClient
    guard up.count + down.count <= Self.frameLimit,
      let client = FrameProbe.client(toServer: up.span, toClient: down.span)
    else { return nil }
    var opening = WebSocketOpening()
    opening.client = client
    var socket = WebSocketDialogue(
      opening, path: "", tellsMoments: options.tellsMoments, options.pieces, into: &events)
    for piece in held where !hasHole[piece.direction] {
      if case .bytes(let held) = piece.content { socket.consume(held.chunk, piece.direction, into: &events) }
    }
    for each in Direction.allCases where hasHole[each] {
      socket.skip(SequenceGap(0..<1, .notCaptured, lastTry), each, into: &events)
    }
    return socket
  }
}
