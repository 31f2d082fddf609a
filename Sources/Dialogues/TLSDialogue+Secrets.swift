import Citation
import Events
import TLSProtection
import TLSSemantics

// The secrets that come into force, and when.
extension TLSDialogue {
  /// The suites of TLS 1.3.
  private static let suites = ([0x1301, 0x1302, 0x1303, 0x1304, 0x1305] as [UInt16]).map(CipherSuite.init(rawValue:))

  /// The suite is that of the earlier connection, which is not known here: each that fits is tried.
  mutating func openEarlyData(_ direction: Direction) {
    guard let secret = keys?.clientEarlyTraffic else {
      sides[direction].lacksSecret = true
      return
    }
    add(secret, .early, Self.suites, direction)
  }

  mutating func openTLS13(_ suites: [CipherSuite]) {
    guard let keys else { return }
    let secrets: [(Direction, RecordOpeners.Epoch, SecretBytes?)] = [
      (client, .handshake, keys.clientHandshakeTraffic), (client, .application, keys.clientTraffic),
      (client.opposite, .handshake, keys.serverHandshakeTraffic), (client.opposite, .application, keys.serverTraffic),
    ]
    for (direction, epoch, secret) in secrets {
      if let secret {
        add(secret, epoch, suites, direction)
      } else {
        sides[direction].lacksSecret = true
        if epoch == .application { session.opening = .incomplete }
      }
    }
  }

  private mutating func add(
    _ secret: SecretBytes, _ epoch: RecordOpeners.Epoch, _ suites: [CipherSuite], _ direction: Direction
  ) {
    for suite in suites {
      let setup = RecordOpener.make(suite: suite.rawValue, trafficSecret: secret)
      if case .ready(let opener) = setup {
        sides[direction].openers.add(opener, epoch)
      } else if suites.count == 1 {
        noteFailed(setup)
      }
    }
  }

  /// The ServerHello is missing. In TLS 1.3 all that it would tell is the suite, and the labels of the key log tell that
  /// it was 1.3.
  mutating func openWithoutServer(_ direction: Direction) {
    guard let keys, keys.clientTraffic != nil || keys.serverTraffic != nil, hellos.client != nil,
      session.sides[client.opposite].isLost || !sides[client.opposite].hasBegun
    else { return }
    openTLS13(Self.suites)
    for side in Direction.allCases { sides[side].handshake.version = .tls13 }
  }

  /// The ClientHello came behind what answers it, out of order or out of the hands of two captures.
  mutating func openLate(_ packet: PacketRef) {
    guard let server = hellos.server, keys != nil else { return }
    let late = client.opposite
    if server.version.isTLS13 {
      openTLS13([server.cipherSuite])
    } else if sides[late].hasChangedCipher {
      changeCipher(late)
    }
    sides[late].openers.noteHole()
    if sides[late].hole == nil { sides[late].hole = SequenceGap(0..<1, .notCaptured, packet) }
  }

  /// What comes in this direction is protected from here on; before TLS 1.3, which says nothing by it.
  mutating func changeCipher(_ direction: Direction) {
    guard let version = session.version else {
      if hellos.client == nil { sides[direction].hasChangedCipher = true }
      sides[direction].mayHaveChangedCipher = true
      return
    }
    guard !version.isTLS13 else { return }
    sides[direction].hasChangedCipher = true
    guard let server = hellos.server, let hello = hellos.client else { return }
    // The secrets of an earlier handshake are no longer in force, whether or not there are others.
    let hadSecrets = !sides[direction].openers.isEmpty
    sides[direction].openers.replace(by: nil)
    guard let secret = keys?.masterSecret, let clientRandom = HelloRandom(hello.random.span),
      let serverRandom = HelloRandom(server.random.span)
    else {
      if keys != nil || hadSecrets { session.opening = .incomplete }
      return
    }
    guard server.version >= .tls10 else {
      session.opening = .unsupportedVersion(server.version)
      return
    }
    guard server.compression == 0 else {
      session.opening = .compressed
      return
    }
    let setup = RecordOpener.make(
      suite: server.cipherSuite.rawValue, version: server.version.rawValue, masterSecret: secret,
      clientRandom: clientRandom, serverRandom: serverRandom, fromClient: direction == client,
      encryptThenMAC: encryptsThenMACs)
    if case .ready(let opener) = setup { sides[direction].openers.replace(by: opener) } else { noteFailed(setup) }
  }

  private mutating func noteFailed(_ setup: RecordOpener.Setup) {
    switch setup {
    case .ready: break
    case .unsupported(let suite): session.opening = .unsupported(CipherSuite(rawValue: suite))
    case .secretOfOtherLength: session.opening = .incomplete
    case .notBuiltIn: session.opening = .notBuiltIn
    }
  }
}

extension DialogueOptions {
  /// What the key log has for a client's random value.
  func secrets(of random: [UInt8]) -> ConnectionKeys? { HelloRandom(random.span).flatMap { keyLog.keys(of: $0) } }
}
