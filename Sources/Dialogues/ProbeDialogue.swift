import Citation
import Events
import HTTP1
import HTTP2
import TLS
import TLSSemantics
import WebSocket

/// The first bytes of a connection, kept until they show what is spoken.
///
/// At most `HTTP1Probe.limit` bytes of each direction. Most connections are decided by their first segment, and then
/// nothing is copied.
package struct ProbeDialogue: Sendable {
  struct Held: Sendable {
    enum Content: Sendable {
      case bytes(HeldChunk)
      /// These are missing.
      case gap(SequenceGap)
    }

    var direction: Direction
    var content: Content
  }

  /// Writes that are looked at after a direction began with something else.
  private static let tryLimit = 16

  /// A smaller segment does not pay for a search of all that is kept.
  private static let tiny = 64
  /// As much is searched with every segment.
  private static let patience = 256

  let isMidstream: Bool
  /// What the directions rest on.
  let roles: RoleGuess
  var options: DialogueOptions
  private var tries = 0
  private(set) var lastTry = PacketRef.none
  var held: [Held] = []
  var head = BothDirections<[UInt8]>(repeating: [])
  /// Where the bytes of a head begin that no hole cuts: their place in it, and in the stream.
  var unbroken = BothDirections(repeating: Unbroken())
  /// Bytes that are to be there before they are searched again.
  var due = BothDirections(repeating: 0)
  var isRuledOut = BothDirections(repeating: false)
  /// Was ruled out before, and may be again.
  var hasFailed = BothDirections(repeating: false)
  var hasHole = BothDirections(repeating: false)
  /// The first of its holes, where nothing of the direction came before it.
  var missingStart = BothDirections<SequenceGap?>(repeating: nil)
  var ends = BothDirections<SideEnd?>(repeating: nil)
  /// What was found, while it is asked whether the sides are to be turned round.
  var found: Found?
  /// What a server said before its client, and is nothing by itself: its request may stand behind it in the file.
  private var early: [HeldChunk] = []

  mutating func countHeld() -> Int {
    held.reduce(2 * (head.toServer.count + head.toClient.count) + early.count * 96) { sum, piece in
      if case .bytes(let chunk) = piece.content { sum + chunk.count + 128 } else { sum + 128 }
    }
  }

  init(isMidstream: Bool, roles: RoleGuess = RoleGuess(), _ options: DialogueOptions) {
    self.isMidstream = isMidstream
    self.roles = roles
    self.options = options
  }

  enum Verdict {
    case undecided
    /// Found, and the server is whoever was taken for the client: `resume` goes on when that is settled.
    case turn
    /// What takes over, with all that was kept already read.
    case http1(Rare<HTTP1Dialogue>)
    // Rare and large: every answer would be as large as they are.
    indirect case socket(WebSocketDialogue)
    indirect case tls(TLSDialogue)
    indirect case http2(HTTP2Dialogue)
    case unknown
  }

  mutating func consume(
    _ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) -> Verdict {
    // Bytes after an end: it was none. A reset ends both ways or neither.
    if ends[direction]?.end == .reset { ends = BothDirections(repeating: nil) }
    ends[direction] = nil
    if isRuledOut[direction] { return tryAgain(chunk, direction, into: &events) }
    if head[direction].isEmpty, !hasHole[direction] {
      // What came early stands behind the request, and is kept until then.
      if early.isEmpty, case .certain(let role) = HTTP1Probe.look(at: chunk.bytes) {
        if roles.contradicts(server: role == .response ? direction : direction.opposite) {
          keep(chunk, direction)
          return turn(.message(role, direction))
        }
        var dialogue = Rare(begin(role, direction, into: &events))
        dialogue.value.consume(chunk, direction, into: &events)
        return .http1(dialogue)
      }
      if held.isEmpty, isTLS(chunk.bytes, direction) == .yes {
        var dialogue = newTLS()
        dialogue.consume(chunk, direction, into: &events)
        return .tls(dialogue)
      }
    }
    keep(chunk, direction)
    guard dropProxyHeader(direction), isDue(chunk, direction) else { return .undecided }
    switch lookForHTTP2(direction) {
    case .found(let beginning, let requests):
      if isTurned(beginning, direction) { return turn(.http2) }
      return .http2(beginHTTP2(beginning, requests: requests, into: &events))
    case .unsure: return .undecided
    case .no: break
    }
    if isMidstream, let body = lookForBody(direction) { return join(body, direction, into: &events) }
    switch answer(direction) {
    case .certain(let role):
      if roles.contradicts(server: role == .response ? direction : direction.opposite) {
        return turn(.message(role, direction))
      }
      let reply = role == .request ? earlyReply(to: chunk.packet, direction) : []
      return .http1(Rare(begin(role, direction, reply, into: &events)))
    case .unsure where head[direction].count < HTTP1Probe.limit:
      return .undecided
    case .unsure, .not:
      let bytes = head[direction]
      switch isTLS(bytes.span, direction) {
      case .yes: return .tls(beginTLS(direction, into: &events))
      case .unsure: return .undecided
      case .no: break
      }
      if isMidstream, let socket = lookForFrames(into: &events) { return .socket(socket) }
      if isMidstream || hasHole[direction], head[direction].count < HTTP1Probe.limit { return .undecided }
      isRuledOut[direction] = true
      if direction == .toClient { keepEarly() }
      held.removeAll { $0.direction == direction }
      return .undecided
    }
  }

  /// The middle of a connection is searched for several things, each time from where it begins. Where it comes in tiny
  /// segments, that waits until a sixteenth more is there, so that a byte is looked at a bounded number of times.
  private mutating func isDue(_ chunk: borrowing CitedBytes, _ direction: Direction) -> Bool {
    guard isMidstream || hasHole[direction] else { return true }
    let count = head[direction].count
    guard count >= due[direction] || chunk.bytes.count >= Self.tiny || count >= HTTP1Probe.limit else { return false }
    due[direction] = count < Self.patience ? 0 : count + count / 16
    return true
  }

  /// HTTP or TLS may follow a greeting of something else (SOCKS, a PROXY line): the next few writes get a chance of
  /// their own, in however many segments they come.
  private mutating func tryAgain(
    _ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) -> Verdict {
    let mayBeTLS = options.depth < Self.depthLimit
    let tls = TLSProbe.look(at: chunk.bytes)
    if mayBeTLS, tls == .yes(.clientHello) {
      var dialogue = newTLS()
      dialogue.consume(chunk, direction, into: &events)
      return .tls(dialogue)
    }
    if HTTP2Probe.isPreface(chunk.bytes) == .yes {
      var dialogue = HTTP2Dialogue(requests: direction, .prior, options, isJoined: lacksBeginning)
      dialogue.consume(chunk, direction, into: &events)
      return .http2(dialogue)
    }
    switch HTTP1Probe.look(at: chunk.bytes) {
    case .certain(let role):
      if roles.contradicts(server: role == .response ? direction : direction.opposite) {
        lookAgain(chunk, direction)
        return turn(.message(role, direction))
      }
      var dialogue = Rare(begin(role, direction, into: &events))
      dialogue.value.consume(chunk, direction, into: &events)
      return .http1(dialogue)
    case .unsure where chunk.bytes.count > 0 && chunk.bytes[0] > .space:
      // The rest of its first line decides.
      lookAgain(chunk, direction)
    case .not where mayBeTLS && tls == .unsure && chunk.bytes[0] == TLSContentType.handshake.rawValue:
      lookAgain(chunk, direction)
    case .not where isMidstream && mayBeginItem(chunk.bytes):
      // A body of long items: the probe saw none of them whole.
      lookAgain(chunk, direction)
      if let body = lookForBody(direction) { return join(body, direction, into: &events) }
    case .unsure, .not: break
    }
    // As long as the other side is silent, its next word may be a request: a download began before the capture.
    if isMidstream, head[direction.opposite].isEmpty, !isRuledOut[direction.opposite] { return .undecided }
    if !chunk.packet.sharesMoment(with: lastTry) { tries += 1 }
    lastTry = chunk.packet
    return tries >= ProbeDialogue.tryLimit ? .unknown : .undecided
  }

  /// At most what is kept to be looked at, and the one write that decided. Of the request, the beginning may be there.
  private mutating func keepEarly() {
    guard !isRuledOut.toServer, !isMidstream else { return }
    early = held.compactMap { piece -> HeldChunk? in
      guard piece.direction == .toClient, case .bytes(let chunk) = piece.content else { return nil }
      return chunk
    }
  }

  /// Bytes that were sent after the request's first line and recorded before its end are its response, one without a
  /// head.
  private func earlyReply(to request: PacketRef, _ direction: Direction) -> [Held] {
    guard direction == .toServer, !hasHole.toServer else { return [] }
    return early.filter { HTTP1Pairing.isBefore(request, $0.packet) }.map { chunk in
      Held(direction: .toClient, content: .bytes(chunk))
    }
  }

  private mutating func lookAgain(_ chunk: borrowing CitedBytes, _ direction: Direction) {
    isRuledOut[direction] = false
    hasFailed[direction] = true
    head[direction] = []
    due[direction] = 0
    unbroken[direction] = Unbroken()
    keep(chunk, direction)
  }

  private func answer(_ direction: Direction) -> HTTP1Probe.Answer {
    let bytes = head[direction]
    let first = hasHole[direction] ? .not : HTTP1Probe.look(at: bytes.span)
    if case .not = first, isMidstream || hasHole[direction], let found = HTTP1Probe.startLine(in: bytes.span) {
      return .certain(found.role)
    }
    return first
  }

  mutating func keep(_ chunk: borrowing CitedBytes, _ direction: Direction) {
    if head[direction].count == unbroken[direction].index { unbroken[direction].offset = chunk.offset }
    let room = max(0, HTTP1Probe.limit - head[direction].count)
    chunk.bytes.extracting(first: room).withUnsafeBufferPointer { head[direction].append(contentsOf: $0) }
    held.append(Held(direction: direction, content: .bytes(HeldChunk(chunk))))
  }

  mutating func stopMoments() {
    options.tellsMoments = false
  }

  mutating func skip(_ gap: SequenceGap, _ direction: Direction) {
    if !hasHole[direction], head[direction].isEmpty, !isRuledOut[direction] { missingStart[direction] = gap }
    hasHole[direction] = true
    unbroken[direction].index = head[direction].count
    // What was kept before it is not continued by what follows.
    guard held.contains(where: { $0.direction == direction }) else { return }
    held.append(Held(direction: direction, content: .gap(gap)))
  }

  /// No more comes in this direction. A first line that was never finished is HTTP when all that is there says so. Most
  /// connections of a scan get here with nothing said: a dialogue that may not be there is large, and is filled all the same.
  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) -> Rare<HTTP1Dialogue>? {
    ends[direction] = end
    guard !isRuledOut[direction], !hasHole[direction] else { return nil }
    let bytes = head[direction]
    guard let role = HTTP1Probe.unfinishedLine(in: bytes.span) else { return nil }
    return Rare(begin(role, direction, into: &events))
  }

  /// Hands over to HTTP/1, with everything that was kept, and behind it a reply that came early.
  mutating func begin(
    _ role: HTTP1Role, _ direction: Direction, _ reply: [Held] = [], into events: inout [Event]
  ) -> HTTP1Dialogue {
    let requests = role == .request ? direction : direction.opposite
    let isLate = isMidstream || hasHole[direction]
    var dialogue = HTTP1Dialogue(requests: requests, isMidstream: isLate, options)
    held.removeAll { $0.direction != direction && hasFailed[$0.direction] }
    held += reply
    hand(to: &dialogue, into: &events)
    return dialogue
  }

  /// Lets a dialogue read all that was kept, and where it ended.
  mutating func hand(to dialogue: inout some Successor, into events: inout [Event]) {
    for piece in held {
      switch piece.content {
      case .bytes(let held): dialogue.consume(held.chunk, piece.direction, into: &events)
      case .gap(let gap): dialogue.skip(gap, piece.direction, into: &events)
      }
    }
    held = []
    for each in Direction.allCases {
      if let end = ends[each] { dialogue.finish(end, each, into: &events) }
    }
  }
}

/// What may take over from the probe. What it answers is for whoever holds it later.
protocol Successor {
  associatedtype Answer
  @discardableResult
  mutating func consume(
    _ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) -> Answer
  mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event])
  @discardableResult
  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) -> Answer
}

extension HTTP1Dialogue: Successor {}
extension HTTP2Dialogue: Successor {}
extension TLSDialogue: Successor {}
