#if OpenSSL
  import Dialogues
  import Events
  import TLSProtection
  import Citation

  /// A TLS connection that is written down as it goes, packet by packet, with the lines of its key log.
  struct Talk {
    enum Step {
      case bytes(Direction, [UInt8])
      /// So many bytes are missing.
      case hole(Direction, Int)
      case end(Direction, DirectionEnd)
    }

    let kind: Sealer.Kind
    var steps: [Step] = []
    var lines: [String: [UInt8]] = [:]
    var clientRandom = [UInt8](repeating: 0xC1, count: 32)
    var serverRandom = [UInt8](repeating: 0x5E, count: 32)
    private var sealers: [Direction: Sealer] = [:]
    private var early = Sealer(secret: [UInt8](repeating: 9, count: 32))
    private static let master = [UInt8](repeating: 0x3A, count: 48)

    init(_ kind: Sealer.Kind) { self.kind = kind }

    /// The key log, without the lines of some labels.
    func keyLog(without labels: Set<String> = [], changing changed: Set<String> = []) -> String {
      lines.sorted { $0.key < $1.key }.filter { !labels.contains($0.key) }.map { label, secret in
        "\(label) \(Self.hex(clientRandom)) \(Self.hex(changed.contains(label) ? secret.map { $0 ^ 1 } : secret))\n"
      }.joined()
    }

    static func hex(_ bytes: [UInt8]) -> String {
      let digits = Array("0123456789abcdef")
      return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    // MARK: What is sent

    mutating func send(_ direction: Direction, _ bytes: [UInt8]) { steps.append(.bytes(direction, bytes)) }

    /// A record under the secret in force.
    mutating func sealed(_ direction: Direction, _ type: UInt8, _ plain: [UInt8], padding: Int = 0) -> [UInt8] {
      sealers[direction]?.seal(type, plain, padding: padding) ?? []
    }

    /// Text in records of a length, each in a packet of its own.
    mutating func say(_ direction: Direction, _ text: String, by length: Int = 1 << 14) {
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: length) {
        send(direction, sealed(direction, 23, Array(bytes[start..<min(start + length, bytes.count)])))
      }
    }

    mutating func alert(_ direction: Direction, _ code: UInt8 = 0) {
      send(direction, sealed(direction, 21, [code == 0 ? 1 : 2, code]))
    }

    mutating func updateKeys(_ direction: Direction) {
      send(direction, sealed(direction, 22, Self.message(24, [0])))
      sealers[direction]?.update()
    }

    static func record(_ type: UInt8, _ body: [UInt8], _ version: [UInt8] = [3, 3]) -> [UInt8] {
      [type] + version + Sealer.number(body.count, 2) + body
    }

    static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + Sealer.number(body.count, 3) + body }

    private static func ext(_ code: Int, _ body: [UInt8]) -> [UInt8] {
      Sealer.number(code, 2) + Sealer.number(body.count, 2) + body
    }

    func clientHello(offersEarly: Bool = false, offersTicket: Bool = false, renegotiates: Bool = false) -> [UInt8] {
      var extensions = Self.ext(16, [0, 9, 8] + Array("http/1.1".utf8))
      if kind.is13 { extensions += Self.ext(43, [2, 3, 4]) + Self.ext(51, [0, 7, 0, 29, 0, 3, 1, 2, 3]) }
      if offersTicket { extensions += Self.ext(35, [1, 2, 3, 4]) }
      if offersEarly {
        let binder = [UInt8](repeating: 7, count: 32)
        extensions += Self.ext(42, []) + Self.ext(41, [0, 8, 0, 2, 1, 2, 0, 0, 0, 9] + [0, 33, 32] + binder)
      }
      let version = kind == .cbc10 ? [3, 1] : [3, 3] as [UInt8]
      return Self.message(
        1,
        version + clientRandom + [0] + [0, 2] + kind.suite + [1, 0] + Sealer.number(extensions.count, 2)
          + extensions)
    }

    func serverHello(acceptsEarly: Bool = false, compression: UInt8 = 0, isRetry: Bool = false) -> [UInt8] {
      var extensions: [UInt8] =
        kind.is13 ? Self.ext(43, [3, 4]) + Self.ext(51, isRetry ? [0, 29] : [0, 29, 0, 3, 1, 2, 3]) : []
      if acceptsEarly { extensions += Self.ext(41, [0, 0]) }
      let version = kind == .cbc10 ? [3, 1] : [3, 3] as [UInt8]
      return Self.message(
        2, version + serverRandom + [0] + kind.suite + [compression] + Sealer.number(extensions.count, 2) + extensions)
    }

    /// A handshake of the kind: a packet for each flight and for the client's Finished.
    mutating func shakeHands(early text: String? = nil, isResumed: Bool = false) {
      if kind.is13 { shakeHands13(early: text) } else { shakeHands12(isResumed: isResumed) }
    }

    private mutating func shakeHands13(early text: String?) {
      for (label, byte) in [
        ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", 1), ("SERVER_HANDSHAKE_TRAFFIC_SECRET", 2), ("CLIENT_TRAFFIC_SECRET_0", 3),
        ("SERVER_TRAFFIC_SECRET_0", 4),
      ] as [(String, UInt8)] {
        lines[label] = [UInt8](repeating: byte, count: 32)
      }
      send(.toServer, Self.record(22, clientHello(offersEarly: text != nil), [3, 1]))
      if let text {
        lines["CLIENT_EARLY_TRAFFIC_SECRET"] = [UInt8](repeating: 9, count: 32)
        send(.toServer, early.seal(23, Array(text.utf8)))
      }
      send(.toClient, Self.record(22, serverHello(acceptsEarly: text != nil)))
      use("SERVER_HANDSHAKE_TRAFFIC_SECRET", .toClient)
      let early = text == nil ? [] : Self.ext(42, [])
      let extensions = Self.ext(16, [0, 9, 8] + Array("http/1.1".utf8)) + early
      let flight =
        Self.message(8, Sealer.number(extensions.count, 2) + extensions)
        + Self.message(15, [UInt8](repeating: 0, count: 300)) + Self.message(20, [UInt8](repeating: 0, count: 32))
      // In three records, so that messages go over their ends.
      send(.toClient, Self.record(20, [1]) + sealed(.toClient, 22, Array(flight[..<50])))
      send(.toClient, sealed(.toClient, 22, Array(flight[50..<200])) + sealed(.toClient, 22, Array(flight[200...])))
      use("SERVER_TRAFFIC_SECRET_0", .toClient)
      if text != nil { send(.toServer, self.early.seal(22, Self.message(5, []))) }
      use("CLIENT_HANDSHAKE_TRAFFIC_SECRET", .toServer)
      send(
        .toServer, Self.record(20, [1]) + sealed(.toServer, 22, Self.message(20, [UInt8](repeating: 0, count: 32))))
      use("CLIENT_TRAFFIC_SECRET_0", .toServer)
      send(
        .toClient,
        sealed(.toClient, 22, Self.message(4, Sealer.number(7_200, 4) + [0, 0, 0, 9] + [0, 0, 4, 1, 2, 3, 4, 0, 0])))
    }

    private mutating func use(_ label: String, _ direction: Direction) {
      sealers[direction] = Sealer(secret: lines[label] ?? [])
    }

    private mutating func shakeHands12(isResumed: Bool) {
      lines["CLIENT_RANDOM"] = Self.master
      let v = kind.version
      send(.toServer, Self.record(22, clientHello(offersTicket: isResumed), v))
      if isResumed {
        send(.toClient, Self.record(22, serverHello(), v))
        changeCipher(.toClient)
        changeCipher(.toServer)
        return
      }
      send(
        .toClient,
        Self.record(22, serverHello(), v) + Self.record(22, Self.message(11, [0, 0, 7, 0, 0, 4, 0x30, 2, 5, 0]), v)
          + Self.record(22, Self.message(14, []), v))
      send(.toServer, Self.record(22, Self.message(16, [UInt8](repeating: 0, count: 66)), v))
      changeCipher(.toServer)
      changeCipher(.toClient)
    }

    /// change_cipher_spec and Finished in a packet, under the secrets of the randoms that are now.
    mutating func changeCipher(_ direction: Direction) {
      let spec = sealers[direction] == nil ? Self.record(20, [1], kind.version) : sealed(direction, 20, [1])
      sealers[direction] = Sealer(
        kind, master: Self.master, client: clientRandom, server: serverRandom, isClient: direction == .toServer)
      send(direction, spec + sealed(direction, 22, Self.message(20, [UInt8](repeating: 0, count: 12))))
    }

    // MARK: What is told

    /// All steps through a dialogue, each a packet.
    static func tell(
      _ steps: [Step], keyLog text: String, isMidstream: Bool = false, tellsMoments: Bool = false, port: UInt16 = 443
    ) -> Told {
      var options = DialogueOptions(tellsMoments: tellsMoments)
      let log = Array(text.utf8)
      options.keyLog.add(log.span)
      var dialogue = Dialogue(isMidstream: isMidstream, serverPort: port, options)
      var told = Told()
      var packet = PacketRef(number: 0, time: .zero)
      var offsets = BothDirections<UInt64>(repeating: 0)
      for step in steps {
        packet.number += 1
        packet.time = Timestamp(nanoseconds: packet.time.nanoseconds + 1_000_000)
        switch step {
        case .bytes(let direction, let bytes):
          dialogue.consume(
            CitedBytes(bytes.span, at: offsets[direction], in: packet, released: packet), direction, into: &told.events
          )
          offsets[direction] += UInt64(bytes.count)
        case .hole(let direction, let count):
          let range = offsets[direction]..<offsets[direction] + UInt64(count)
          dialogue.skip(SequenceGap(range, .notCaptured, packet), direction, into: &told.events)
          offsets[direction] = range.upperBound
        case .end(let direction, let end): dialogue.finish(SideEnd(end, packet), direction, into: &told.events)
        }
      }
      told.isSecure = dialogue.isSecure
      dialogue.close(into: &told.events)
      return told
    }

    func told(
      without labels: Set<String> = [], changing changed: Set<String> = [], isMidstream: Bool = false,
      tellsMoments: Bool = false
    ) -> Told {
      Self.tell(
        steps, keyLog: keyLog(without: labels, changing: changed), isMidstream: isMidstream, tellsMoments: tellsMoments)
    }
  }

  struct Told {
    var events: [Event] = []
    var isSecure = false

    var sessions: [TLSSession] { events.compactMap { if case .tlsClosed(let session) = $0 { session } else { nil } } }
    var session: TLSSession { sessions.last ?? TLSSession() }
    var exchanges: [ExchangeRecord] {
      events.compactMap { if case .exchange(let exchange) = $0 { exchange } else { nil } }
    }
    var socket: WebSocketRecord? {
      for case .socketClosed(let record) in events { return record }
      return nil
    }
    var strays: Int { events.count { if case .stray = $0 { true } else { false } } }
  }
#endif
