import Events
import TLS
import TLSProtection
import TLSSemantics
import Trace

// What handshake messages, alerts and change_cipher_spec say, and the secrets that come into force by them.
extension TLSDialogue {
  mutating func takeHandshake(
    _ bytes: Span<UInt8>, _ record: TLSRecord, _ direction: Direction, into events: inout [Event]
  ) {
    var tokens: [HandshakeToken] = []
    sides[direction].handshake.consume(bytes, of: record, into: &tokens)
    for token in tokens {
      switch token {
      case .flaw(let flaw):
        if session.flaws.count < TLSSession.flawLimit { session.flaws.append(.init(flaw, direction)) }
      case .message(let message):
        take(message, direction)
        judgeEarlyData(by: message, direction, into: &events)
        if tellsMoments { tellMoment(message, direction, into: &events) }
      }
    }
    // Without a word of the client, what the server sends is its first flight.
    if direction != client, session.phases.serverHello != nil, session.phases.finished[client] == nil {
      session.phases.serverFlight = record.released
      session.phases.serverFlightBytes &+= UInt64(record.headerLength + record.length)
    }
  }

  private mutating func take(_ message: HandshakeMessage, _ direction: Direction) {
    switch message.body {
    case .clientHello(let hello): take(hello, message, direction)
    case .serverHello(let hello): take(hello, message, direction)
    case .encryptedExtensions(let extensions):
      session.applicationProtocol = extensions.applicationProtocol?.nameText
      session.hellos.acceptsEarlyData = extensions.acceptsEarlyData
    case .certificate(let list):
      guard direction != client, session.certificate == nil else { return }
      session.certificate = ShownCertificate(
        leaf: list.certificates.first.flatMap { CertificateSummary(der: $0.span) }, count: list.count,
        byteCount: list.byteCount, span: message.span)
    case .newSessionTicket(let ticket):
      guard session.tickets.count < TLSSession.ticketLimit else { return }
      session.tickets.append(.init(packet: message.released, ticket: ticket.ticket, lifetime: ticket.lifetime))
    case .keyUpdate: sides[direction].openers.updateKeys()
    case .certificateRequest, .other: break
    }
    if message.type == .finished { noteFinished(message.released, direction) }
  }

  private mutating func take(_ hello: ClientHello, _ message: HandshakeMessage, _ direction: Direction) {
    hellos.client = hello
    if session.hellos.client == nil {
      client = direction
      session.hellos.client = hello
      session.phases.clientHello = message.span.first
    } else if session.hellos.retry != nil, session.hellos.secondClient == nil {
      session.hellos.secondClient = hello
    }
    keys = HelloRandom(hello.random.span).flatMap { options.keyLog.keys(of: $0) }
    if keys != nil, case .noKeys = session.opening { session.opening = .unused }
    for side in Direction.allCases { sides[side].parser.keepsApplicationData = keys != nil }
    if hello.offersEarlyData, let secret = keys?.clientEarlyTraffic { openEarlyData(secret, direction) }
  }

  /// The suite is that of the earlier connection, which is not known here: each that fits is tried.
  private mutating func openEarlyData(_ secret: SecretBytes, _ direction: Direction) {
    for suite: UInt16 in [0x1301, 0x1302, 0x1303, 0x1304, 0x1305] {
      if case .ready(let opener) = RecordOpener.make(suite: suite, trafficSecret: secret) {
        sides[direction].openers.add(opener)
      }
    }
  }

  private mutating func take(_ hello: ServerHello, _ message: HandshakeMessage, _ direction: Direction) {
    if hello.isHelloRetryRequest {
      if session.hellos.retry == nil { session.hellos.retry = hello }
      session.phases.retry = message.released
      return
    }
    hellos.server = hello
    if session.hellos.server == nil {
      if session.hellos.client == nil { client = direction.opposite }
      session.hellos.server = hello
      session.phases.serverHello = message.released
      if let name = hello.applicationProtocol { session.applicationProtocol = name.nameText }
      if !hello.version.isTLS13, !hello.sessionID.isEmpty, hello.sessionID != session.hellos.client?.sessionID {
        session.tickets.append(
          .init(packet: message.released, ticket: TLSTicket(hello.sessionID.span), lifetime: 0))
      }
    }
    for side in Direction.allCases { sides[side].handshake.version = hello.version }
    if hello.version.isTLS13 { openTLS13(hello) }
  }

  private mutating func openTLS13(_ hello: ServerHello) {
    guard let keys else { return }
    let suite = hello.cipherSuite.rawValue
    let secrets: [(Direction, SecretBytes?)] = [
      (client, keys.clientHandshakeTraffic), (client, keys.clientTraffic),
      (client.opposite, keys.serverHandshakeTraffic), (client.opposite, keys.serverTraffic),
    ]
    for (direction, secret) in secrets {
      guard let secret else { continue }
      note(RecordOpener.make(suite: suite, trafficSecret: secret), direction, replacing: false)
    }
    // What the handshake hides is not missed.
    if keys.clientTraffic == nil || keys.serverTraffic == nil { session.opening = .incomplete }
  }

  /// What comes in this direction is protected from here on; before TLS 1.3, which says nothing by it.
  mutating func changeCipher(_ direction: Direction) {
    if session.version?.isTLS13 ?? (hellos.client != nil) { return }
    sides[direction].hasChangedCipher = true
    guard let keys, let server = hellos.server, let hello = hellos.client else { return }
    guard let secret = keys.masterSecret, let clientRandom = HelloRandom(hello.random.span),
      let serverRandom = HelloRandom(server.random.span)
    else {
      session.opening = .incomplete
      return
    }
    guard server.compression == 0 else {
      session.opening = .unsupported(server.cipherSuite)
      return
    }
    let setup = RecordOpener.make(
      suite: server.cipherSuite.rawValue, version: server.version.rawValue, masterSecret: secret,
      clientRandom: clientRandom, serverRandom: serverRandom, fromClient: direction == client,
      encryptThenMAC: hello.offersEncryptThenMAC && server.hasEncryptThenMAC)
    note(setup, direction, replacing: true)
  }

  private mutating func note(_ setup: RecordOpener.Setup, _ direction: Direction, replacing: Bool) {
    switch setup {
    case .ready(let opener):
      if replacing {
        sides[direction].openers.replace(by: opener)
      } else {
        sides[direction].openers.add(opener)
      }
    case .unsupported(let suite): session.opening = .unsupported(CipherSuite(rawValue: suite))
    case .secretOfOtherLength: session.opening = .incomplete
    case .notBuiltIn: session.opening = .notBuiltIn
    }
  }

  // MARK: Marks of the handshake

  /// An encrypted handshake message: the first one behind change_cipher_spec is Finished.
  mutating func noteFinished(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    guard session.phases.finished[direction] == nil else { return }
    noteFinished(record.released, direction)
    if direction == client { settleEarlyData(.thrownAway, into: &events) }
    if tellsMoments { tellMoment("Finished", direction, record.span.first, record.released, into: &events) }
  }

  private mutating func noteFinished(_ packet: PacketRef, _ direction: Direction) {
    if session.phases.finished[direction] == nil { session.phases.finished[direction] = packet }
    // In TLS 1.3 the server's came before the client's, though it could not be read.
    guard direction == client, session.version?.isTLS13 ?? false, session.phases.finished[client.opposite] == nil else {
      return
    }
    session.phases.finished[client.opposite] = session.phases.serverFlight ?? session.phases.serverHello
  }

  mutating func noteApplication(
    _ record: TLSRecord, _ direction: Direction, plaintext size: Int, isOpened: Bool, into events: inout [Event]
  ) {
    if session.phases.application[direction] == nil { session.phases.application[direction] = record.released }
    session.sides[direction].application.add(record, plaintext: size)
    if session.sides[direction].closeNotify != nil {
      session.sides[direction].afterClose += 1
      if session.sides[direction].firstAfterClose == nil { session.sides[direction].firstAfterClose = record }
    }
    if tellsMoments, !isOpened { tellMoment(record, direction, plaintext: size, into: &events) }
  }

  mutating func noteAlert(
    _ alert: TLSAlert?, _ record: TLSRecord, _ direction: Direction, into events: inout [Event]
  ) {
    let isAfter = session.phases.finished.toServer != nil && session.phases.finished.toClient != nil
    if session.alerts.count < TLSSession.alertLimit {
      session.alerts.append(
        SeenAlert(alert, direction, record.span, released: record.released, isAfterHandshake: isAfter))
    }
    if tellsMoments {
      tellMoment(
        alert.map { "alert \($0.name)" } ?? "encrypted alert", direction, record.span.first, record.released,
        into: &events)
    }
    guard alert?.isCloseNotify ?? isAfter, session.sides[direction].closeNotify == nil else { return }
    session.sides[direction].closeNotify = record.span.first
    session.sides[direction].isCloseInferred = alert == nil
    if alert != nil { endInner(record, direction, into: &events) }
  }

  /// To whoever reads what is inside, close_notify is the end of a direction; the FIN behind it is only how TCP follows,
  /// and often the other side's comes first.
  private mutating func endInner(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    guard mayFinish(direction) else { return }
    if goodbye == nil {
      let last = [Direction.toServer, .toClient].compactMap { session.sides[$0].application.last?.released }
      goodbye = Goodbye(by: direction, at: record.released, silentSince: last.max { $0.number < $1.number })
    }
    tellPlain(into: &events)
    events.append(.directionEnded(.fin, direction, record.released))
    finishInner(SideEnd(.fin, record.released), direction, into: &events)
  }

  // MARK: The end

  /// What can be said once nothing more comes.
  mutating func conclude() {
    for direction in Direction.allCases {
      if let record = sides[direction].firstFailure, !sides[direction].openers.hasOpened, keys != nil {
        if case .opened = session.opening { continue }
        session.opening = .failed(record, direction, hadOpened: false)
      }
      inferClose(direction)
    }
  }

  /// In TLS 1.3 a last record as long as a sealed alert is one: there is nothing else to say at the end.
  private mutating func inferClose(_ direction: Direction) {
    guard session.version?.isTLS13 ?? false, session.sides[direction].closeNotify == nil,
      !sides[direction].openers.hasOpened, let last = sides[direction].lastProtected,
      session.phases.finished[direction] != nil, last.released != session.phases.finished[direction],
      let plain = session.cipherSuite?.plaintext(ofBody: last.length, in: .tls13), plain == 2...2
    else { return }
    session.sides[direction].closeNotify = last.span.first
    session.sides[direction].isCloseInferred = true
  }
}
