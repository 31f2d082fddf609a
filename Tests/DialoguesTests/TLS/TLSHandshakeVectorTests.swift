#if OpenSSL
  import Events
  import Support
  import Testing
  import Citation

  @testable import Dialogues

  /// RFC 8448's handshakes: the protected records as they stand there, behind hellos with as much as the secrets need.
  @Suite("TLS as RFC 8448 has it")
  struct TLSHandshakeVectorTests {
    /// The secret and the records of each part, by the handshake's name and the part's.
    private static let parts: [String: [String: (secret: String, records: [[UInt8]])]] = {
      var all: [String: [String: (secret: String, records: [[UInt8]])]] = [:]
      let folder = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
      var name = ""
      var part = ""
      for line in (TextFile.read("/\(folder)/TLSProtectionTests/Vectors/rfc8448.txt") ?? "").split(separator: "\n") {
        let words = line.split(separator: " ")
        switch words[0] {
        case "name":
          let ends = line.dropFirst(5).split(separator: ":")
          (name, part) = (String(ends[0]), String(ends[1].dropFirst()))
        case "secret": all[name, default: [:]][part, default: ("", [])].secret = String(words[1])
        case "record": all[name]?[part]?.records.append(bytes(words[2]))
        default: break
        }
      }
      return all
    }()

    private static func bytes(_ hex: Substring) -> [UInt8] {
      let digits = hex.utf8.map { $0 >= 0x61 ? $0 - 0x61 + 10 : $0 - 0x30 }
      return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static let labels = [
      ("CLIENT_EARLY_TRAFFIC_SECRET", "early application data from the client"),
      ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", "handshake data from the client"),
      ("SERVER_HANDSHAKE_TRAFFIC_SECRET", "handshake data from the server"),
      ("CLIENT_TRAFFIC_SECRET_0", "application data from the client"),
      ("SERVER_TRAFFIC_SECRET_0", "application data from the server"),
    ]

    @Test(
      "Every handshake opens to its close_notify.",
      arguments: [
        "Simple 1-RTT Handshake", "Resumed 0-RTT Handshake", "HelloRetryRequest", "Client Authentication",
        "Compatibility Mode",
      ])
    func handshake(_ name: String) throws {
      let parts = try #require(Self.parts[name])
      let talk = Talk(.gcm13)
      let isEarly = parts[Self.labels[0].1] != nil
      var steps: [Talk.Step] = []
      func send(_ direction: Direction, _ record: [UInt8]) { steps.append(.bytes(direction, record)) }
      send(.toServer, Talk.record(22, talk.clientHello(offersEarly: isEarly), [3, 1]))
      for record in parts[Self.labels[0].1]?.records.prefix(1) ?? [] { send(.toServer, record) }
      if name == "HelloRetryRequest" {
        var retry = talk
        retry.serverRandom = Self.bytes("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
        send(.toClient, Talk.record(22, retry.serverHello(isRetry: true)))
        send(.toServer, Talk.record(22, talk.clientHello()))
      }
      send(.toClient, Talk.record(22, talk.serverHello(acceptsEarly: isEarly)))
      if name == "Compatibility Mode" {
        send(.toClient, Talk.record(20, [1]))
        send(.toServer, Talk.record(20, [1]))
      }
      for record in parts[Self.labels[2].1]?.records ?? [] { send(.toClient, record) }
      for record in parts[Self.labels[0].1]?.records.dropFirst() ?? [] { send(.toServer, record) }
      for record in parts[Self.labels[1].1]?.records ?? [] { send(.toServer, record) }
      for record in parts[Self.labels[3].1]?.records ?? [] { send(.toServer, record) }
      for record in parts[Self.labels[4].1]?.records ?? [] { send(.toClient, record) }
      let log = Self.labels.compactMap { label, part in
        parts[part].map { "\(label) \(Talk.hex(talk.clientRandom)) \($0.secret)\n" }
      }.joined()
      let session = Talk.tell(steps, keyLog: log).session
      #expect(session.opening == .opened && session.flaws.isEmpty)
      #expect(session.isResumed == isEarly)
      #expect((session.hellos.retry != nil) == (name == "HelloRetryRequest"))
      #expect((session.hellos.secondClient != nil) == (name == "HelloRetryRequest"))
      #expect((session.certificate != nil) == !isEarly)
      #expect(session.hellos.acceptsEarlyData == isEarly)
      #expect(session.tickets.count == (name == "Simple 1-RTT Handshake" ? 1 : 0))
      for direction in Direction.allCases {
        #expect(session.phases.finished[direction] != nil)
        #expect(session.sides[direction].closeNotify != nil && !session.sides[direction].isCloseInferred)
      }
      let sizes = name.contains("RTT") ? (toServer: isEarly ? 2 : 1, toClient: 1) : (toServer: 0, toClient: 0)
      #expect(session.sides.toServer.application.count == UInt64(sizes.toServer))
      #expect(session.sides.toClient.application.count == UInt64(sizes.toClient))
    }
  }
#endif
