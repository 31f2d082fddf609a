import Citation
import Events
import TLS
import TLSSemantics

// What handshake messages and alerts say.
extension TLSDialogue {
  mutating func takeHandshake(
    _ bytes: Span<UInt8>, _ record: TLSRecord, _ direction: Direction, isClear: Bool, into events: inout [Event]
  ) {
    var tokens: [HandshakeToken] = []
    sides[direction].handshake.consume(bytes, of: record, into: &tokens)
    for token in tokens {
      switch token {
      case .flaw(let flaw): take(flaw, direction)
      case .message(let message):
        take(message, direction, isClear: isClear)
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

  /// Handshake messages may be missing here, or no more of them come.
  mutating func skipHandshake(_ direction: Direction) {
    var tokens: [HandshakeToken] = []
    sides[direction].handshake.skip(into: &tokens)
    for case .flaw(let flaw) in tokens { take(flaw, direction) }
  }

  private mutating func take(_ flaw: HandshakeFlaw, _ direction: Direction) {
    if session.flaws.count < TLSSession.flawLimit { session.flaws.append(.init(flaw, direction)) }
  }

  private mutating func take(_ message: HandshakeMessage, _ direction: Direction, isClear: Bool) {
    switch message.body {
    case .clientHello(let hello): take(hello, message, direction)
    case .serverHello(let hello): take(hello, message, direction)
    case .encryptedExtensions(let extensions):
      session.applicationProtocol = extensions.applicationProtocol?.nameText
      session.hellos.acceptsEarlyData = extensions.acceptsEarlyData
    case .certificate(let list):
      guard direction != client else {
        if list.count == 0, !list.isCut, session.emptyCertificate == nil { session.emptyCertificate = message.span }
        return
      }
      guard session.certificate == nil else { return }
      session.certificate = ShownCertificate(
        leaf: list.certificates.first.flatMap { CertificateSummary(der: $0.span) }, count: list.count,
        byteCount: list.byteCount, span: message.span)
    case .newSessionTicket(let ticket):
      guard session.tickets.count < TLSSession.ticketLimit else { return }
      session.tickets.append(.init(packet: message.released, ticket: ticket.ticket, lifetime: ticket.lifetime))
    case .keyUpdate: if !isClear { sides[direction].openers.updateKeys() }
    case .certificateRequest:
      if session.certificateRequest == nil { session.certificateRequest = message.span }
    case .other: break
    }
    if message.type == .finished, !sides[direction].hasReadFinished {
      sides[direction].hasReadFinished = true
      session.phases.finished[direction] = message.released
      // In TLS 1.3 the server's came before the client's, though it could not be read.
      if direction == client, session.version?.isTLS13 ?? false, session.phases.finished[client.opposite] == nil {
        session.phases.finished[client.opposite] = session.phases.serverFlight ?? session.phases.serverHello
      }
    }
  }

  private mutating func take(_ hello: ClientHello, _ message: HandshakeMessage, _ direction: Direction) {
    hellos.client = hello
    let isFirst = session.hellos.client == nil
    if isFirst {
      session.client = direction
      session.hellos.client = hello
      session.phases.clientHello = message.span.first
    } else if session.hellos.retry != nil, session.hellos.secondClient == nil {
      session.hellos.secondClient = hello
    }
    keys = options.secrets(of: hello.random)
    if keys != nil, case .noKeys = session.opening { session.opening = .unused }
    for side in Direction.allCases {
      // In a later handshake the secrets of the one before stay in force until it is over.
      sides[side].parser.keepsApplicationData = keys != nil || !sides[side].openers.isEmpty
    }
    guard isFirst else { return }
    if hello.offersEarlyData { openEarlyData(direction) }
    if hellos.server != nil { openLate(message.released) }
  }

  private mutating func take(_ hello: ServerHello, _ message: HandshakeMessage, _ direction: Direction) {
    if hello.isHelloRetryRequest {
      if session.hellos.retry == nil { session.hellos.retry = hello }
      session.phases.retry = message.released
      return
    }
    hellos.server = hello
    let isFirst = session.hellos.server == nil
    if isFirst {
      if session.hellos.client == nil { session.client = direction.opposite }
      session.hellos.server = hello
      session.phases.serverHello = message.released
      if let name = hello.applicationProtocol { session.applicationProtocol = name.nameText }
      if !hello.version.isTLS13, !hello.sessionID.isEmpty, hello.sessionID != session.hellos.client?.sessionID {
        session.tickets.append(
          .init(packet: message.released, ticket: TLSTicket(hello.sessionID.span), lifetime: 0))
      }
    }
    for side in Direction.allCases { sides[side].handshake.version = hello.version }
    if isFirst, hello.version.isTLS13 { openTLS13([hello.cipherSuite]) }
  }

  // MARK: Marks of the handshake

  /// An encrypted handshake message: the first one behind change_cipher_spec is Finished.
  mutating func noteFinished(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    guard session.phases.finished[direction] == nil else { return }
    session.phases.finished[direction] = record.released
    if direction == client { settleEarlyData(.thrownAway, into: &events) }
    if tellsMoments { tellMoment("Finished", direction, record.span.first, record.released, into: &events) }
  }

  mutating func noteApplication(
    _ record: TLSRecord, _ direction: Direction, plaintext size: Int, isOpened: Bool, into events: inout [Event]
  ) {
    if session.phases.application[direction] == nil { session.phases.application[direction] = record.released }
    session.sides[direction].application.add(record, plaintext: size)
    if !isOpened {
      session.turns.note(
        record, isClients: direction == client, plaintext: size, isTLS13: session.version?.isTLS13 == true)
      session.beat.note(record, isClients: direction == client, plaintext: size)
    }
    if session.sides[direction].closeNotify != nil {
      session.sides[direction].afterClose += 1
      if session.sides[direction].firstAfterClose == nil { session.sides[direction].firstAfterClose = record }
    }
    if tellsMoments, !isOpened { tellMoment(record, direction, plaintext: size, into: &events) }
    if options.pieces.isTold, !isOpened {
      let piece = Item(
        .record, direction, first: record.span.first, completed: record.released, bytes: UInt64(max(0, size)))
      events.append(.piece(Shared(piece)))
    }
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
}
