import Citation
// Dialogues pair the two directions of a stream and turn tokens into events: which request a response answers, when it
// was complete, why it is not. Probe decides by content what is spoken; a dialogue per protocol follows it. They see
// streams, parsers and events; no rule and no report sees them.
//
//   Dialogue        what is spoken
//   ProbeDialogue   not known yet: keeps the first bytes of both directions
//   JoinedBody      what was being sent when the capture began: chunks, events, lines of JSON, parts
//   HTTP1Dialogue   exchanges of HTTP/1.x
//   HTTP2Dialogue   exchanges of HTTP/2, several at a time
//   WebSocketDialogue   frames and messages after a 101
//   TLSDialogue     records and handshakes; with secrets, a Dialogue of what is inside
//   NameReader      answers of name servers, beside the probe on their port
//   (opaque)        nothing this program reads; costs nothing any more
//   TokenRooms      room for what parsers say, lent to one dialogue after the other
import Events
import HTTPSemantics
import TLSProtection

/// What a dialogue is asked to tell besides exchanges.
package struct DialogueOptions: Sendable {
  /// Parts of messages as they come, for a timeline.
  package var tellsMoments = false
  /// Each chunk, event, message and record that stayed undecrypted.
  package var pieces = PieceOptions()
  /// SHA-256 of every body, chunk framing removed.
  package var digests = false
  /// What is left of windows of HTTP/2 over time, where one is used up.
  package var drawsWindows = false

  /// Exchanges that were told of the connection, so that those inside of a tunnel are counted on.
  var exchangesBefore = 0
  /// A 101 agreed on HTTP/2, or may have: and the request that stream 1 answers then.
  var expectsHTTP2 = false
  var upgraded: MessageHead?
  /// Connections of TLS that this is inside of.
  var depth = 0
  /// Secrets of TLS connections.
  package var keyLog = KeyLog()

  package init(tellsMoments: Bool = false, digests: Bool = false) {
    self.tellsMoments = tellsMoments
    self.digests = digests
  }
}

/// What two sides say to each other, as far as it is understood: one protocol after the other.
///
/// Each of them is large and rare among the connections of a scan, so it stands apart (see Rare); taking it out of its
/// case and putting it back moves one word.
package struct Dialogue: Sendable {
  enum Spoken: Sendable {
    /// Nothing so far: a connection of a scan never says anything, and needs nothing that reads.
    case silent(Silence)
    case unknown(Rare<Prelude>)
    case http1(Rare<HTTP1Dialogue>)
    case http2(Rare<HTTP2Dialogue>)
    case webSocket(Rare<WebSocketDialogue>)
    case tls(Rare<TLSDialogue>)
    /// Nothing this program reads.
    case opaque
  }

  /// Who looks at the bytes until it is known what is spoken: the probe, and on the port of name servers the reader of
  /// their answers beside it. It is over when neither is left.
  struct Prelude: Sendable {
    var probe: ProbeDialogue?
    var names = Rare<NameReader>()

    var isOver: Bool { probe == nil && names.isEmpty }
  }

  /// What a probe begins with.
  struct Silence: Sendable {
    let isMidstream: Bool
    let serverPort: UInt16
    let roles: RoleGuess
  }

  /// What became of what is held in memory.
  package enum Growth: Sendable {
    case none
    case some
    /// Perhaps by what undoes a coding: tens of kilobytes.
    case coded
    /// By kilobytes since it was counted.
    case much
  }

  var spoken: Spoken
  private var options: DialogueOptions
  /// A socket keeps frames that are to be told together.
  package internal(set) var keepsPlain = false
  /// What the last bytes did to what it holds in memory.
  package internal(set) var growth = Growth.some
  /// What was said makes the side the server that was taken for the client: `resume` is to be called, and nothing before.
  package internal(set) var wantsTurn = false

  package init(
    isMidstream: Bool, serverPort: UInt16 = 0, roles: RoleGuess = RoleGuess(),
    _ options: DialogueOptions = DialogueOptions()
  ) {
    self.options = options
    spoken = .silent(Silence(isMidstream: isMidstream, serverPort: serverPort, roles: roles))
  }

  func prelude(after silence: Silence) -> Rare<Prelude> {
    var prelude = Prelude(probe: ProbeDialogue(isMidstream: silence.isMidstream, roles: silence.roles, options))
    if silence.serverPort == NameReader.port { prelude.names = Rare(NameReader()) }
    return Rare(prelude)
  }

  /// HTTP/2 was agreed on.
  init(requests direction: Direction, http2 beginning: HTTP2Dialogue.Beginning, _ options: DialogueOptions) {
    self.options = options
    spoken = .http2(Rare(HTTP2Dialogue(requests: direction, beginning, options)))
  }

  /// What is said is told as messages; segments need not be told as such.
  package var isTelling: Bool {
    switch spoken {
    case .http1, .http2, .webSocket, .tls: true
    case .silent, .unknown, .opaque: false
    }
  }

  /// Nothing that is said is understood: its bytes need not be shown to it.
  package var isOpaque: Bool {
    if case .opaque = spoken { true } else { false }
  }

  /// Nothing more is read, and what is not told yet never is.
  package mutating func leave() {
    spoken = .opaque
    keepsPlain = false
    wantsTurn = false
  }

  /// What is said is said inside of TLS.
  package var isSecure: Bool {
    if case .tls = spoken { true } else { false }
  }

  package mutating func consume(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    var rooms = TokenRooms()
    consume(chunk, direction, lending: &rooms, into: &events)
  }

  @inline(__always)
  package mutating func consume(
    _ chunk: borrowing CitedBytes, _ direction: Direction, lending rooms: inout TokenRooms, into events: inout [Event]
  ) {
    growth = .some
    switch spoken {
    case .http1(var dialogue):
      spoken = .opaque
      dialogue.value.takeRoom(of: &rooms)
      let isOver = dialogue.value.consume(chunk, direction, into: &events)
      dialogue.value.giveBackRoom(to: &rooms)
      rooms.trim()
      if dialogue.value.isSteady { growth = .none } else if dialogue.value.isCoded { growth = .coded }
      if isOver {
        passThrough(dialogue, chunk, direction, into: &events)
      } else {
        speak(dialogue, into: &events)
      }
    case .http2(var dialogue):
      spoken = .opaque
      dialogue.value.consume(chunk, direction, into: &events)
      if dialogue.value.hasGrown { growth = .much }
      spoken = .http2(dialogue)
    case .webSocket(var dialogue):
      spoken = .opaque
      dialogue.value.takeRoom(of: &rooms)
      dialogue.value.consume(chunk, direction, into: &events)
      dialogue.value.giveBackRoom(to: &rooms)
      rooms.trim()
      keepsPlain = dialogue.value.keepsPlain
      growth = dialogue.value.isSteady ? .none : .coded
      spoken = .webSocket(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      dialogue.value.consume(chunk, direction, into: &events)
      keepsPlain = dialogue.value.keepsPlain
      growth = dialogue.value.growth
      spoken = .tls(dialogue)
    case .unknown(var prelude):
      spoken = .opaque
      look(&prelude, at: chunk, direction, into: &events)
    case .silent(let silence):
      var prelude = prelude(after: silence)
      look(&prelude, at: chunk, direction, into: &events)
    case .opaque: break
    }
  }

  private mutating func look(
    _ prelude: inout Rare<Prelude>, at chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) {
    if direction == .toClient, !prelude.value.names.isEmpty,
      !prelude.value.names.value.consume(chunk, into: &events)
    {
      prelude.value.names.remove()
    }
    switch prelude.value.probe?.consume(chunk, direction, into: &events) {
    case .undecided, nil: break
    case .turn: wantsTurn = true
    case .http1(var dialogue):
      if dialogue.value.isOver { return passThrough(dialogue, chunk, direction, into: &events) }
      return speak(dialogue, into: &events)
    case .http2(let dialogue):
      if dialogue.hasGrown { growth = .much }
      spoken = .http2(Rare(dialogue))
      return
    case .socket(let dialogue):
      spoken = .webSocket(Rare(dialogue))
      return
    case .tls(let dialogue):
      growth = dialogue.growth
      spoken = .tls(Rare(dialogue))
      return
    case .unknown: prelude.value.probe = nil
    }
    spoken = prelude.value.isOver ? .opaque : .unknown(prelude)
  }

  /// Goes on once it is known whether client and server have changed places. Everything told from here on is told so.
  package mutating func resume(isTurned: Bool, into events: inout [Event]) {
    wantsTurn = false
    guard case .unknown(var prelude) = spoken else { return }
    spoken = .opaque
    switch prelude.value.probe?.resume(isTurned: isTurned, into: &events) {
    case .http1(let dialogue): speak(dialogue, into: &events)
    case .http2(let dialogue): spoken = .http2(Rare(dialogue))
    default: spoken = .unknown(prelude)
    }
  }

  /// HTTP/1 goes on, or a 101 has handed the connection over.
  mutating func speak(_ dialogue: Rare<HTTP1Dialogue>, into events: inout [Event]) {
    guard !dialogue.value.successor.isEmpty else {
      spoken = .http1(dialogue)
      return
    }
    var dialogue = dialogue
    dialogue.value.close(into: &events)
    spoken = .webSocket(dialogue.value.successor)
  }

  /// HTTP is over: by a CONNECT something else is spoken on the same connection, else nothing that is understood.
  private mutating func passThrough(
    _ dialogue: Rare<HTTP1Dialogue>, _ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) {
    guard let start = dialogue.value.passage else { return }
    let speaksServer = direction != dialogue.value.requestDirection
    options.exchangesBefore = dialogue.value.pairing.count
    if dialogue.value.upgradesToHTTP2 {
      options.expectsHTTP2 = true
      options.upgraded = dialogue.value.offer
    }
    var prelude = Rare(Prelude(probe: ProbeDialogue(isMidstream: false, options)))
    let from = Int(clamping: max(start, chunk.offset) &- chunk.offset)
    guard speaksServer, from < chunk.bytes.count else {
      spoken = .unknown(prelude)
      return
    }
    look(&prelude, at: chunk.slice(from..<chunk.bytes.count), direction, into: &events)
  }

  /// HTTP goes on behind a hole, in the version that was spoken or in the one that was offered: which of them, what comes
  /// there shows as it would in a capture that begins there.
  mutating func probeAgain(_ dialogue: Rare<HTTP1Dialogue>, into events: inout [Event]) {
    var dialogue = dialogue
    options.upgraded = dialogue.value.offer
    dialogue.value.close(into: &events)
    options.exchangesBefore = dialogue.value.pairing.count
    options.expectsHTTP2 = true
    spoken = .unknown(Rare(Prelude(probe: ProbeDialogue(isMidstream: true, options))))
    // What the client said since its offer was read before the hole was given up.
    let (early, requests) = (dialogue.value.early, dialogue.value.requestDirection)
    for piece in early.pieces { consume(piece.chunk, requests, into: &events) }
  }

  /// Nobody keeps a timeline any more.
  package mutating func stopMoments() {
    options.tellsMoments = false
    switch spoken {
    case .unknown(var prelude):
      spoken = .opaque
      prelude.value.probe?.stopMoments()
      spoken = .unknown(prelude)
    case .http1(var dialogue):
      spoken = .opaque
      dialogue.value.tellsMoments = false
      spoken = .http1(dialogue)
    case .http2(var dialogue):
      spoken = .opaque
      dialogue.value.options.tellsMoments = false
      spoken = .http2(dialogue)
    case .webSocket(var dialogue):
      spoken = .opaque
      dialogue.value.tellsMoments = false
      spoken = .webSocket(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      dialogue.value.stopMoments()
      spoken = .tls(dialogue)
    case .silent, .opaque: break
    }
  }

  /// Tells what a socket keeps: before anything else is judged.
  package mutating func tellPlain(into events: inout [Event]) {
    keepsPlain = false
    switch spoken {
    case .webSocket(var dialogue):
      spoken = .opaque
      dialogue.value.tellPlain(into: &events)
      spoken = .webSocket(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      dialogue.value.tellPlain(into: &events)
      spoken = .tls(dialogue)
    case .silent, .unknown, .http1, .http2, .opaque: break
    }
  }

  /// Whether a direction is in the middle of something, so that a pause means something.
  package func isInside(_ direction: Direction) -> Bool {
    switch spoken {
    case .http1(let dialogue): dialogue.value.isInBody(direction)
    case .http2(let dialogue): dialogue.value.isInBody(direction)
    case .tls(let dialogue): dialogue.value.isInside(direction)
    case .silent, .unknown, .webSocket, .opaque: true
    }
  }

  /// A direction may have been silent because its sender waited for an answer: what it said cannot be read.
  package func mayAwaitAnswer(_ direction: Direction) -> Bool {
    if case .tls(let dialogue) = spoken { dialogue.value.mayAwaitAnswer(direction) } else { false }
  }

  /// What of a direction is going on. Looked at from time to time, and never for a packet.
  package func openBodies(_ direction: Direction, at now: Timestamp) -> [OpenBody] {
    switch spoken {
    case .http1(let dialogue): [dialogue.value.openBody(direction)].compactMap { $0 }
    case .http2(let dialogue): dialogue.value.openBodies(direction, at: now)
    case .webSocket(let dialogue): [dialogue.value.openBody(direction)].compactMap { $0 }
    case .tls(let dialogue): dialogue.value.openBodies(direction, at: now)
    case .silent, .unknown, .opaque: []
    }
  }

  /// Adds a pause of a direction to the message that was being sent, and names its exchange.
  package mutating func take(_ pause: inout StreamPause) {
    switch spoken {
    case .http1(var dialogue):
      spoken = .opaque
      dialogue.value.take(&pause)
      spoken = .http1(dialogue)
    case .http2(var dialogue):
      spoken = .opaque
      dialogue.value.take(&pause)
      spoken = .http2(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      dialogue.value.take(&pause)
      spoken = .tls(dialogue)
    case .webSocket(let dialogue): pause.exchange = dialogue.value.key
    case .silent, .unknown, .opaque: break
    }
  }

  /// The way that the bytes take.
  package mutating func know(_ roundTrip: RoundTrip) {
    switch spoken {
    case .http2(var dialogue):
      spoken = .opaque
      dialogue.value.roundTrip = roundTrip
      spoken = .http2(dialogue)
    case .tls(var dialogue):
      spoken = .opaque
      dialogue.value.know(roundTrip)
      spoken = .tls(dialogue)
    case .silent, .unknown, .http1, .webSocket, .opaque: break
    }
  }

  /// Who said first, inside of TLS, that nothing more comes.
  package var goodbye: Goodbye? {
    if case .tls(let dialogue) = spoken { dialogue.value.goodbye } else { nil }
  }
}
