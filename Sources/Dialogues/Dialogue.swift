import Citation
// Dialogues pair the two directions of a stream and turn tokens into events: which request a response answers, when it
// was complete, why it is not. Probe decides by content what is spoken; a dialogue per protocol follows it. They see
// streams, parsers and events; no rule and no report sees them.
//
//   Dialogue        what is spoken
//   ProbeDialogue   not known yet: keeps the first bytes of both directions
//   HTTP1Dialogue   exchanges of HTTP/1.x
//   WebSocketDialogue   frames and messages after a 101
//   TLSDialogue     records and handshakes; with secrets, a Dialogue of what is inside
//   NameReader      answers of name servers, beside the probe on their port
//   (opaque)        nothing this program reads; costs nothing any more
import Events
import HTTPSemantics
import TLSProtection

/// What a dialogue is asked to tell besides exchanges.
package struct DialogueOptions: Sendable {
  /// Parts of messages as they come, for a timeline.
  package var tellsMoments = false
  /// Each chunk, event, message and record that stayed shut.
  package var pieces = PieceOptions()
  /// SHA-256 of every body, chunk framing removed.
  package var digests = false
  /// Frames after a 101.
  package var readsFrames = true

  /// Exchanges that were told of the connection, so that those inside of a tunnel are counted on.
  var exchangesBefore = 0
  /// Connections of TLS that this is inside of.
  var depth = 0
  /// Secrets of TLS connections.
  package var keyLog = KeyLog()

  package init(tellsMoments: Bool = false, digests: Bool = false, readsFrames: Bool = true) {
    self.tellsMoments = tellsMoments
    self.digests = digests
    self.readsFrames = readsFrames
  }
}

/// What two sides say to each other, as far as it is understood.
///
/// What follows a protocol is large, and stands in an array of its own: most connections of a scan never need it, and in
/// its place it is changed without being copied. `isTelling` and `isOpaque` are stored, because asking the payload
/// itself, for every segment, copied it.
package struct Dialogue: Sendable {
  /// One, until it is known what is spoken.
  private var probe: [ProbeDialogue]
  /// One, once HTTP/1 was recognised; then until nothing more of it comes.
  private var http1: [HTTP1Dialogue] = []
  /// One, once a 101 switched to it.
  private var socket: [WebSocketDialogue] = []
  /// One, once TLS was recognised.
  private var tls: [TLSDialogue] = []

  /// One on the port of name servers, until HTTP is recognised or what they say is none of theirs.
  private var names: [NameReader] = []
  private var options: DialogueOptions

  package init(isMidstream: Bool, serverPort: UInt16 = 0, _ options: DialogueOptions = DialogueOptions()) {
    self.options = options
    probe = [ProbeDialogue(isMidstream: isMidstream, options)]
    if serverPort == NameReader.port { names.append(NameReader()) }
  }

  /// What is said is told as messages; segments need not be told as such.
  package private(set) var isTelling = false
  /// Nothing that is said is understood: its bytes need not be shown to it.
  package private(set) var isOpaque = false
  /// A socket keeps frames that are to be told together.
  package private(set) var keepsPlain = false

  @inline(__always)
  package mutating func consume(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    if isTelling {
      if !http1.isEmpty {
        if http1[0].consume(chunk, direction, into: &events) {
          passThrough(chunk, direction, into: &events)
        } else if !http1[0].successor.isEmpty {
          handOver(into: &events)
        }
      } else if !socket.isEmpty {
        socket[0].consume(chunk, direction, into: &events)
        keepsPlain = socket[0].keepsPlain
      } else {
        tls[0].consume(chunk, direction, into: &events)
        keepsPlain = tls[0].keepsPlain
      }
    } else {
      look(at: chunk, direction, into: &events)
    }
  }

  /// Tells what a socket keeps: before anything else is judged.
  package mutating func tellPlain(into events: inout [Event]) {
    keepsPlain = false
    if !socket.isEmpty { socket[0].tellPlain(into: &events) }
    if !tls.isEmpty { tls[0].tellPlain(into: &events) }
  }

  private mutating func look(at chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    if direction == .toClient, !names.isEmpty, !names[0].consume(chunk, into: &events) {
      names = []
      if probe.isEmpty { return beOpaque() }
    }
    guard !probe.isEmpty else { return }
    switch probe[0].consume(chunk, direction, into: &events) {
    case .undecided: break
    case .http1(let dialogue): speakHTTP1(dialogue, into: &events)
    case .socket(let dialogue): speakSocket(dialogue)
    case .tls(let dialogue): speakTLS(dialogue)
    case .unknown:
      probe = []
      if names.isEmpty { beOpaque() }
    }
  }

  /// HTTP is over: by a CONNECT something else is spoken on the same connection, else nothing that is understood.
  private mutating func passThrough(
    _ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) {
    guard let start = http1[0].passage else { return beOpaque() }
    let speaksServer = direction != http1[0].requestDirection
    options.exchangesBefore = http1[0].count
    http1 = []
    isTelling = false
    probe = [ProbeDialogue(isMidstream: false, options)]
    let from = Int(clamping: max(start, chunk.offset) &- chunk.offset)
    if speaksServer, from < chunk.bytes.count {
      look(at: chunk.slice(from..<chunk.bytes.count), direction, into: &events)
    }
  }

  private mutating func beOpaque() {
    probe = []
    http1 = []
    socket = []
    tls = []
    names = []
    isTelling = false
    isOpaque = true
  }

  /// Nobody keeps a timeline any more.
  package mutating func stopMoments() {
    if !probe.isEmpty { probe[0].stopMoments() }
    options.tellsMoments = false
    if !http1.isEmpty { http1[0].tellsMoments = false }
    if !socket.isEmpty { socket[0].tellsMoments = false }
    if !tls.isEmpty { tls[0].stopMoments() }
  }

  /// Whether a direction is in the middle of something, so that a pause means something.
  package func isInside(_ direction: Direction) -> Bool {
    if !tls.isEmpty { return tls[0].isInside(direction) }
    return http1.isEmpty || http1[0].isInBody(direction)
  }

  /// What of a direction is going on. Looked at from time to time, and never for a packet.
  package func openBody(_ direction: Direction) -> OpenBody? {
    if !http1.isEmpty { return http1[0].openBody(direction) }
    if !socket.isEmpty { return socket[0].openBody(direction) }
    return tls.isEmpty ? nil : tls[0].openBody(direction)
  }

  package mutating func take(_ pause: StreamPause) {
    if !http1.isEmpty { http1[0].take(pause) }
    if !tls.isEmpty { tls[0].take(pause) }
  }

  /// What is said is said inside of TLS.
  package var isSecure: Bool { !tls.isEmpty }

  /// Who said first, inside of TLS, that nothing more comes.
  package var goodbye: Goodbye? { tls.isEmpty ? nil : tls[0].goodbye }

  package mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event]) {
    if !http1.isEmpty { http1[0].skip(gap, direction, into: &events) }
    if !socket.isEmpty { socket[0].skip(gap, direction, into: &events) }
    if !tls.isEmpty { tls[0].skip(gap, direction, into: &events) }
    if !probe.isEmpty { probe[0].skip(gap, direction) }
    if direction == .toClient, !names.isEmpty {
      names = []
      if probe.isEmpty { beOpaque() }
    }
  }

  package mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    if !tls.isEmpty {
      tls[0].finish(end, direction, into: &events)
    } else if !socket.isEmpty {
      socket[0].finish(end, direction, into: &events)
    } else if isTelling {
      if http1[0].finish(end, direction, into: &events) { beOpaque() }
    } else if !probe.isEmpty, let dialogue = probe[0].finish(end, direction, into: &events) {
      speakHTTP1(dialogue, into: &events)
    }
  }

  private mutating func speakHTTP1(_ dialogue: HTTP1Dialogue, into events: inout [Event]) {
    probe = []
    names = []
    http1 = [dialogue]
    isTelling = true
    if !http1[0].successor.isEmpty { handOver(into: &events) }
  }

  private mutating func handOver(into events: inout [Event]) {
    http1[0].close(into: &events)
    speakSocket(http1[0].successor[0])
  }

  private mutating func speakSocket(_ dialogue: WebSocketDialogue) {
    probe = []
    names = []
    http1 = []
    socket = [dialogue]
    isTelling = true
  }

  private mutating func speakTLS(_ dialogue: TLSDialogue) {
    probe = []
    names = []
    tls = [dialogue]
    isTelling = true
  }

  /// The connection is over: whatever is open is told as it stands.
  package mutating func close(into events: inout [Event]) {
    if !http1.isEmpty { http1[0].close(into: &events) }
    if !socket.isEmpty { socket[0].close(into: &events) }
    if !tls.isEmpty { tls[0].close(into: &events) }
    beOpaque()
  }
}
