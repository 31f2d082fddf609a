import Citation
import Dialogues
import Digests
import Events
import Queries
import Reassembly
import Rules
import TLSProtection

/// What a lane knows of a connection besides its streams: its story, its rules' state, their findings.
struct Companion: Sendable {
  private var dialogue: Dialogue
  /// Whether the dialogue wants bytes, and whether it tells the timeline what they are. Asked for every segment, where
  /// looking into the dialogue would copy it.
  private(set) var listens = true
  private(set) var isTelling = false
  private(set) var isSecure = false
  private(set) var isUnread = false
  /// What was said last did this to what is held.
  private(set) var growth = Dialogue.Growth.some
  /// Frames came that are not told yet.
  private(set) var keepsPlain = false
  /// What it may hold has changed since that was counted.
  var isUncounted = false
  var timeline: TimelineRecorder
  var digests: BothDirections<SHA256>?
  var findings = FindingSet()
  private var names = PartyNames()
  /// Those that are over, as far as the record of the connection holds them.
  private var sockets: [WebSocketRecord] = []
  /// Once a TLS connection is over.
  private var tls = Rare<TLSSession>()
  /// Once an HTTP/2 connection is over.
  private var http2 = Rare<HTTP2Record>()
  /// Who said first that nothing more comes, once the dialogue is over.
  private var farewell = Rare<Goodbye>()
  /// Made at the first pause or the first thing that may explain one: most connections have neither.
  private var silences = Rare<Silences>()
  /// Made at the first event a rule asked for: a connection on which nothing happens owns no rule.
  private var rules = Rare<ConnectionRules>()

  init(
    timelineLimit: Int = 0, _ dialogues: DialogueOptions = DialogueOptions(), isMidstream: Bool = false,
    serverPort: UInt16 = 0, roles: RoleGuess = RoleGuess()
  ) {
    var options = dialogues
    options.tellsMoments = timelineLimit > 0
    dialogue = Dialogue(isMidstream: isMidstream, serverPort: serverPort, roles: roles, options)
    timeline = TimelineRecorder(limit: timelineLimit)
    digests = dialogues.digests ? BothDirections(repeating: SHA256()) : nil
  }

  /// What it holds in memory, beside itself. Mutating, because to ask the whole is copied.
  mutating func countHeld() -> Int {
    if growth == .much { growth = .some }
    // Rules keep as much again as they are large, as a rule.
    var sum = dialogue.countHeld() + 2 * rules.heldBytes + silences.heldBytes + tls.heldBytes + http2.heldBytes
    sum += findings.count * 1_024 + timeline.count * MemoryLayout<TimelineEntry>.stride
    return sum + sockets.count * 2 * MemoryLayout<WebSocketRecord>.stride
  }

  /// Holds no more than that, as far as what was said allows it.
  mutating func shed(to bytes: Int, into events: inout [Event]) { dialogue.shed(to: bytes, into: &events) }

  /// What is no exchange.
  mutating func judge(_ event: Event, in context: FlowContext, _ selection: ItemSelection) {
    rules.make(ConnectionRules())
    Self.judge(by: &rules.value, selection, into: &findings) { $0.observe(event, in: context, report: $1) }
  }

  mutating func judge(_ exchange: ExchangeRecord, in context: FlowContext, _ selection: ItemSelection) {
    rules.make(ConnectionRules())
    Self.judge(by: &rules.value, selection, into: &findings) { $0.observe(exchange, in: context, report: $1) }
  }

  /// Of its parts, so that rules report straight into the set.
  @inline(__always)
  private static func judge(
    by rules: inout ConnectionRules, _ selection: ItemSelection, into findings: inout FindingSet,
    _ observe: (inout ConnectionRules, (Finding) -> Void) -> Void
  ) {
    observe(&rules) { if selection.accepts($0.rule) { findings.add($0) } }
  }

  /// Rules have seen something of it, or will see what is said.
  var isJudged: Bool { !rules.isEmpty || isTelling }

  @inline(__always)
  mutating func hear(
    _ chunk: borrowing CitedBytes, _ direction: Direction, lending rooms: inout TokenRooms, into events: inout [Event]
  ) {
    dialogue.consume(chunk, direction, lending: &rooms, into: &events)
    noteSpoken()
  }

  @inline(__always)
  private mutating func noteSpoken() {
    listens = !dialogue.isOpaque
    let tells = dialogue.isTelling
    // What was recorded as data until now is told as messages.
    if tells, !isTelling {
      timeline.dropData()
      isSecure = dialogue.isSecure
    }
    isTelling = tells
    keepsPlain = dialogue.keepsPlain
    growth = dialogue.growth
  }

  /// What is said speaks against who is called the client. Only while nothing is told.
  var wantsTurn: Bool { dialogue.wantsTurn }

  /// Goes on behind that, with the sides turned round or left as they are. What rules and timeline have seen of the
  /// connection is forgotten where it is turned: a few segments, said of the wrong side.
  mutating func resume(isTurned: Bool, into events: inout [Event]) {
    if isTurned {
      digests?.turnRound()
      timeline.turnRound()
      silences.remove()
      rules.remove()
      findings = FindingSet()
    }
    dialogue.resume(isTurned: isTurned, into: &events)
    noteSpoken()
  }

  /// What is said from now on is not read: an internal error came up where it was.
  mutating func leaveUnread() {
    isUnread = true
    dialogue.leave()
    noteSpoken()
  }

  /// Tells the frames that were kept to be told together.
  mutating func tellPlain(into events: inout [Event]) {
    dialogue.tellPlain(into: &events)
    keepsPlain = false
  }

  mutating func stopTimeline() {
    timeline = TimelineRecorder(limit: 0)
    dialogue.stopMoments()
  }

  @inline(__always)
  mutating func record(_ delivery: Delivery) {
    if !isTelling { timeline.data(delivery) }
  }

  // MARK: Silences

  /// Pauses of one connection that a report can print.
  private static let pauseLimit = 64
  /// After a shorter silence nobody has forgotten a connection.
  private static let idle: Int64 = 2_000_000_000

  private struct Silences: Sendable {
    var tracker = SilenceTracker()
    var sums = BothDirections(repeating: SilenceSums())
    var pauses: [StreamPause] = []
    var resumption: Resumption?
  }

  private mutating func noteSilence(_ change: (inout Silences) -> Void) {
    silences.make(Silences())
    change(&silences.value)
  }

  mutating func note(_ observation: TCPObservation) {
    if SilenceTracker.interests(observation.kind) { noteSilence { $0.tracker.note(observation) } }
    timeline.observation(observation)
  }

  /// A direction of the connection gave nothing for a while; `others` is the last packet of the other one.
  mutating func take(
    _ pause: DeliveryPause, others: PacketRef, survived: Int64, _ roundTrip: RoundTrip, into events: inout [Event]
  ) {
    let before = others.number > pause.from.number && others.number < pause.to.number ? others : pause.from
    if !pause.isEnd, pause.to.time.since(before.time) >= Self.idle {
      noteSilence { $0.resumption = Resumption(pause.direction, from: before, packet: pause.to, survived: survived) }
    }
    guard pause.nanoseconds >= 4 &* (roundTrip.total ?? 0), dialogue.isInside(pause.direction),
      !pause.isEnd || isTelling && !dialogue.mayAwaitAnswer(pause.direction)
    else { return }
    silences.make(Silences())
    for var part in silences.value.tracker.parts(of: pause, roundTrip) {
      dialogue.take(&part)
      silences.value.sums[part.direction].add(part.cause, part.nanoseconds)
      if keepsPlain { tellPlain(into: &events) }
      if timeline.isKept, silences.value.pauses.count < Self.pauseLimit { silences.value.pauses.append(part) }
      events.append(.pause(part))
    }
  }

  /// What of the connection is going on at `now`, and why nothing of it comes.
  func openStreams(on connection: Connection, at now: Timestamp) -> [OpenStream] {
    var streams: [OpenStream] = []
    for direction in Direction.allCases {
      for body in dialogue.openBodies(direction, at: now) {
        streams.append(stream(body, direction, connection, at: now))
      }
    }
    return streams
  }

  private func stream(
    _ body: OpenBody, _ direction: Direction, _ connection: Connection, at now: Timestamp
  ) -> OpenStream {
    var stream = OpenStream(
      flow: connection.id, key: body.key, client: connection.client, server: connection.server,
      direction: body.direction, kind: body.kind, title: body.title, isBody: !body.isSocket, first: body.first,
      last: body.last, bytes: body.bytes)
    let until = PacketRef(number: .max, time: max(now, body.last.time))
    if let pause = connection.silence(direction, until: until) {
      let tracker = silences.copy?.tracker ?? SilenceTracker()
      stream.cause = tracker.parts(of: pause, connection.roundTrip).max { $0.nanoseconds < $1.nanoseconds }?.cause
      // What befell the connection explains the stream's silence only as far as it lasted as long.
      let isWhole = pause.nanoseconds >= until.time.since(body.last.time) / 2
      if let own = body.cause, !isWhole || stream.cause == .senderIdle || stream.cause == .unknown {
        stream.cause = own
      }
    }
    return stream
  }

  /// A protocol with flow control asks for it, once.
  mutating func know(_ roundTrip: RoundTrip) { dialogue.know(roundTrip) }

  mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event]) {
    noteSilence { $0.tracker.note(gap, direction) }
    dialogue.skip(gap, direction, into: &events)
    listens = !dialogue.isOpaque
    growth = .some
  }

  mutating func end(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    dialogue.finish(end, direction, into: &events)
    listens = !dialogue.isOpaque
  }

  /// The longest silence so far after which what was sent was acknowledged.
  func survived(on connection: Connection) -> Int64 {
    guard !silences.isEmpty, let resumption = silences.value.resumption else { return 0 }
    let isAnswered = !connection.isUnanswered(resumption.direction, since: resumption.packet)
    return max(resumption.survived, isAnswered ? resumption.nanoseconds : 0)
  }

  /// Something was sent after a silence.
  var hasResumption: Bool { !silences.isEmpty && silences.value.resumption != nil }

  /// What was sent after a silence and has had no answer.
  func unanswered(on connection: Connection) -> Resumption? {
    // In its place: the whole would be copied, for every event.
    guard !silences.isEmpty, let resumption = silences.value.resumption,
      connection.isUnanswered(resumption.direction, since: resumption.packet),
      // A silence with bytes missing in it was none.
      !connection.lacksPackets(of: resumption.direction, after: resumption.from)
    else { return nil }
    return resumption
  }

  var goodbye: Goodbye? { farewell.copy ?? dialogue.goodbye }

  mutating func close(into events: inout [Event]) {
    // What is told from now on, and the end of all, is judged by it, too.
    if isSecure, let goodbye = dialogue.goodbye { farewell = Rare(goodbye) }
    dialogue.close(into: &events)
  }

  mutating func note(_ exchange: ExchangeRecord) {
    names.note(exchange)
  }

  mutating func note(_ socket: WebSocketRecord) {
    if sockets.count < ConnectionRecord.socketLimit { sockets.append(socket) }
  }

  mutating func note(_ session: TLSSession) {
    tls = Rare(session)
  }

  mutating func note(_ record: HTTP2Record) {
    http2 = Rare(record)
  }

  mutating func complete(_ record: inout ConnectionRecord) {
    if timeline.count > 0 { record.timeline = timeline.entries }
    if !tls.isEmpty {
      record.tls = tls.value
      record.protocols.append("tls")
      if http2.isEmpty, tls.value.applicationProtocol == "h2" { record.protocols.append("h2") }
    }
    if !http2.isEmpty {
      record.http2 = http2.value
      record.protocols.append("h2")
    }
    names.complete(&record)
    // A certificate may be for anybody; a name that the client gave is the one it wanted.
    if record.serverName == nil, !tls.isEmpty { record.serverName = tls.value.serverName }
    record.timelineCuts = timeline.cuts
    record.sockets = sockets
    if !sockets.isEmpty { record.protocols.append("websocket") }
    if !silences.isEmpty {
      record.pauses = silences.value.pauses
      for direction in Direction.allCases {
        record.sides[direction].silence = silences.value.sums[direction]
      }
    }
    if digests != nil {
      for direction in Direction.allCases { record.sides[direction].sha256 = digests?[direction].finish() }
    }
  }
}
