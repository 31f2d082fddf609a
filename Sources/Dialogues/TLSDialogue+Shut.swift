import Citation
import Events
import TLSSemantics

// Protected records that stay encrypted: for lack of secrets, or because they do not open.
extension TLSDialogue {
  /// Records that are tried behind a hole while none was ever opened: each is under so many numbers.
  private static let failureLimit = 4

  /// A record that does not open. One under a secret that is not there is no failure: later ones open.
  mutating func fail(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    let openers = sides[direction].openers
    if openers.hasHole {
      sides[direction].failures += 1
      let isLast = openers.hasOpened ? !openers.isChained || sides[direction].failures > 1 : false
      if isLast || sides[direction].failures >= Self.failureLimit {
        sides[direction].isClosedToUs = true
        if case .failed = session.opening {} else { session.opening = .lost(record.span.first, direction) }
      }
    } else if openers.hasOpened {
      if openers.isLast || !sides[direction].lacksSecret {
        sides[direction].isClosedToUs = true
        session.opening =
          openers.hasApplication ? .failed(record, direction, hadOpened: true) : .incomplete
      }
    } else if sides[direction].firstFailure == nil {
      sides[direction].firstFailure = record
    }
    takeOpaque(record, direction, into: &events)
  }

  /// A protected record that stays encrypted. In TLS 1.3 the handshake goes on in such, so what a record is follows
  /// from who sent what before.
  mutating func takeOpaque(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    if session.version?.isTLS13 ?? false {
      // Of a server alone nobody knows where its handshake ends.
      guard session.phases.finished[client] != nil || isMidstream || hellos.client == nil else {
        return takeHiddenHandshake(record, direction, into: &events)
      }
      if session.phases.application[client] == nil, direction != client, hellos.client != nil, !isMidstream {
        // Tickets, or a server that speaks first.
        return
      }
    } else if record.type == .handshake {
      return noteFinished(record, direction, into: &events)
    } else if record.type == .alert {
      return noteAlert(nil, record, direction, into: &events)
    }
    takeShut(record, direction, into: &events)
  }

  /// Before the client's Finished, without secrets: the first record of the client is that, and what the server sent
  /// until then is its flight.
  private mutating func takeHiddenHandshake(
    _ record: TLSRecord, _ direction: Direction, into events: inout [Event]
  ) {
    guard direction == client else {
      session.phases.serverFlight = record.released
      session.phases.serverFlightBytes &+= UInt64(record.headerLength + record.length)
      return
    }
    // Early data comes before the server's answer.
    guard session.phases.serverHello != nil else { return takeShut(record, direction, into: &events) }
    // No Finished is as short as an alert.
    if plaintextSize(of: record) == 2 { return noteAlert(nil, record, direction, into: &events) }
    if session.phases.finished[client.opposite] == nil {
      session.phases.finished[client.opposite] = session.phases.serverFlight ?? session.phases.serverHello
    }
    noteFinished(record, direction, into: &events)
  }

  /// Application data that stays encrypted. A heartbeat is none, and takes nothing from its stream.
  private mutating func takeShut(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    guard record.type == .applicationData else { return }
    noteApplication(record, direction, plaintext: plaintextSize(of: record), isOpened: false, into: &events)
    noteShut(record, direction, into: &events)
  }

  private func plaintextSize(of record: TLSRecord) -> Int {
    guard let suite = session.cipherSuite, let version = session.version,
      let plain = suite.plaintext(ofBody: record.length, in: version, encryptsThenMACs: encryptsThenMACs)
    else { return record.length }
    return plain.upperBound
  }

  var encryptsThenMACs: Bool {
    (hellos.client?.offersEncryptThenMAC ?? false) && (hellos.server?.hasEncryptThenMAC ?? false)
  }

  // MARK: The end

  /// What can be said once nothing more comes.
  mutating func conclude() {
    for direction in Direction.allCases {
      if let record = sides[direction].firstFailure, !sides[direction].openers.hasOpened, keys != nil {
        session.opening = sides[direction].lacksSecret ? .incomplete : .failed(record, direction, hadOpened: false)
      }
      inferClose(direction)
    }
    let isProtected = sides.toServer.lastProtected != nil || sides.toClient.lastProtected != nil
    switch session.opening {
    case .unused where isProtected && hellos.server == nil: session.opening = .incomplete
    case .noKeys where isProtected && hellos.client == nil && !options.keyLog.isEmpty: session.opening = .incomplete
    default: break
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
