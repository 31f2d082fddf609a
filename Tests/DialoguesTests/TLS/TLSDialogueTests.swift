#if OpenSSL
  import Events
  import Support
  import TLSSemantics
  import Testing
  import Citation

  @testable import Dialogues

  @Suite("TLS, and HTTP inside")
  struct TLSDialogueTests {
    static let request = "GET /inside HTTP/1.1\r\nHost: h\r\n\r\n"
    static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let response = head + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"

    /// A whole connection: the response in records of 20 bytes.
    static func talk(_ kind: Sealer.Kind, early: String? = nil, isResumed: Bool = false) -> Talk {
      var talk = Talk(kind)
      talk.shakeHands(early: early, isResumed: isResumed)
      if early == nil { talk.say(.toServer, request) }
      talk.say(.toClient, response, by: 20)
      talk.alert(.toServer)
      talk.alert(.toClient)
      for direction in Direction.allCases { talk.steps.append(.end(direction, .fin)) }
      return talk
    }

    static func words(_ told: Told) -> String {
      let session = told.session
      let opening =
        switch session.opening {
        case .failed(let record, let direction, let hadOpened): "failed \(record.index) \(direction) \(hadOpened)"
        default: "\(session.opening)"
        }
      let sides = Direction.allCases.map { direction in
        let side = session.sides[direction]
        return
          "\(side.counts) \(side.application.count) \(side.application.bytes) \(side.closeNotify != nil) \(side.isLost)"
      }
      let exchanges = told.exchanges.map { exchange in
        "\(exchange.title) "
          + exchange.messages.map { message in
            "\(message.bodyBytes) \(message.chunks.map { "\($0.count) \($0.largest) \($0.framing)" } ?? "-") "
              + "\(message.end.map { "\($0.outcome) \($0.offset)" } ?? "open") \(String(decoding: message.opening, as: UTF8.self))"
          }.joined(separator: " | ")
      }
      return
        ([opening, "\(session.isResumed as Bool?) \(session.flaws.map(\.flaw.kind)) \(told.strays)"] + sides + exchanges)
        .joined(separator: "\n")
    }

    @Test("With keys the exchange is read, and each phase is there.", arguments: Sealer.Kind.allCases)
    func whole(_ kind: Sealer.Kind) throws {
      let told = Self.talk(kind).told()
      let session = told.session
      #expect(session.opening == .opened && session.flaws.isEmpty && told.sessions.count == 1)
      #expect(session.version == (kind.is13 ? .tls13 : kind == .cbc10 ? .tls10 : .tls12))
      #expect(session.isResumed == false)
      let exchange = try #require(told.exchanges.first)
      #expect(exchange.title.contains("/inside") && exchange.response?.bodyBytes == 11)
      #expect(exchange.response?.end?.outcome == .complete && told.exchanges.count == 1)
      // The request came in one packet, the last piece of the response in the last but four.
      #expect(exchange.response?.last.number == UInt64(Self.talk(kind).steps.count - 4))
      for direction in Direction.allCases {
        #expect(session.phases.finished[direction] != nil && session.phases.application[direction] != nil)
        #expect(session.sides[direction].closeNotify != nil && !session.sides[direction].isCloseInferred)
        #expect(session.alerts.contains { $0.direction == direction && $0.alert?.isCloseNotify == true })
      }
      #expect(session.sides.toClient.application.count == UInt64((Self.response.utf8.count + 19) / 20))
      #expect(session.applicationProtocol == (kind.is13 ? "http/1.1" : nil))
      #expect(session.tickets.count == (kind.is13 ? 1 : 0))
    }

    @Test("Without keys phases, records and the ends are the same.", arguments: Sealer.Kind.allCases)
    func shut(_ kind: Sealer.Kind) {
      let talk = Self.talk(kind)
      let open = talk.told().session
      for told in [talk.told(without: Set(talk.lines.keys)), Talk.tell(talk.steps, keyLog: "")] {
        let session = told.session
        #expect(told.exchanges.isEmpty && session.opening == .noKeys && session.flaws.isEmpty)
        #expect(session.phases.serverHello == open.phases.serverHello)
        #expect(session.phases.finished.toServer == open.phases.finished.toServer)
        #expect(session.isResumed == open.isResumed)
        for direction in Direction.allCases {
          #expect(session.sides[direction].counts == open.sides[direction].counts)
          #expect(session.sides[direction].closeNotify == open.sides[direction].closeNotify)
          #expect(session.sides[direction].isCloseInferred)
        }
      }
    }

    @Test(
      "A session that is taken up again shows by who finishes first.", arguments: [Sealer.Kind.gcm12, .cbc12, .cbc10])
    func resumed(_ kind: Sealer.Kind) {
      let talk = Self.talk(kind, isResumed: true)
      #expect(talk.told().session.isResumed == true && talk.told().exchanges.count == 1)
      #expect(Talk.tell(talk.steps, keyLog: "").session.isResumed == true)
    }

    @Test("A request in early data is answered; without its secret, or the handshake's, the rest is read.")
    func earlyData() {
      let talk = Self.talk(.gcm13, early: Self.request)
      let told = talk.told()
      #expect(told.session.isResumed == true && told.session.hellos.acceptsEarlyData == true)
      #expect(told.exchanges.first?.title.contains("/inside") == true && told.session.opening == .opened)

      let late = talk.told(without: ["CLIENT_EARLY_TRAFFIC_SECRET"])
      #expect(late.session.opening == .opened && late.exchanges.first?.response?.bodyBytes == 11)
      #expect(late.exchanges.count == 1 && late.exchanges.first?.request == nil)

      let between = talk.told(without: ["CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET"])
      #expect(between.session.opening == .opened && between.exchanges.first?.title.contains("/inside") == true)
      #expect(between.session.sides.toServer.closeNotify != nil && !between.session.sides.toServer.isCloseInferred)
    }

    @Test("Key updates of both sides are followed, and one that a hole swallowed.")
    func updates() {
      var talk = Talk(.gcm13)
      talk.shakeHands()
      for round in 0..<3 {
        talk.say(.toServer, Self.request)
        talk.say(.toClient, Self.response, by: 30)
        talk.updateKeys(round == 1 ? .toServer : .toClient)
      }
      #expect(talk.told().exchanges.count == 3 && talk.told().session.opening == .opened)
      var lossy = talk
      let first = lossy.steps.firstIndex {
        if case .bytes(.toClient, let bytes) = $0 { bytes.count == 27 } else { false }
      }
      if let first { lossy.steps[first] = .hole(.toClient, 27) }
      let told = lossy.told()
      #expect(first != nil && told.session.opening == .opened)
      // Nothing but the update is missing, so that all three are found again.
      #expect(told.exchanges.count { $0.response?.bodyBytes == 11 } == 3, "\(Self.words(told))")
    }

    @Test("A second handshake before 1.3 is followed; without its secrets, what comes behind it is a hole.")
    func renegotiation() {
      let old = Self.talk(.gcm12).keyLog()
      var talk = Talk(.gcm12)
      talk.shakeHands()
      talk.say(.toServer, Self.request)
      talk.say(.toClient, Self.response)
      talk.clientRandom[0] = 0xC2
      talk.serverRandom[0] = 0x5F
      talk.send(.toServer, talk.sealed(.toServer, 22, talk.clientHello()))
      talk.say(.toServer, Self.request)
      talk.say(.toClient, "HTTP/1.1 100 Continue\r\n\r\n")
      talk.send(.toClient, talk.sealed(.toClient, 22, talk.serverHello()))
      talk.changeCipher(.toServer)
      talk.changeCipher(.toClient)
      talk.say(.toClient, Self.response)
      let told = Talk.tell(talk.steps, keyLog: old + talk.keyLog())
      #expect(
        told.session.opening == .opened && told.exchanges.count == 2 && told.session.flaws.isEmpty,
        "\(Self.words(told))")
      #expect(told.session.sides.toServer.oddRecord == nil)
      let half = Talk.tell(talk.steps, keyLog: old)
      #expect(half.session.opening == .incomplete && half.exchanges.first?.response?.bodyBytes == 11)
      #expect(half.exchanges.allSatisfy { $0.response != nil || $0.isResponseMissing || $0.request == nil })
    }

    @Test("Compression before 1.3 is not undone, and said.")
    func compression() {
      var talk = Self.talk(.gcm12)
      guard case .bytes(_, var flight) = talk.steps[1] else { return }
      flight[5 + 4 + 2 + 32 + 1 + 2] = 1
      talk.steps[1] = .bytes(.toClient, flight)
      let told = talk.told()
      #expect(told.exchanges.isEmpty && told.session.opening == .compressed)
    }

    // MARK: Cuts

    private static func cut(_ steps: [Talk.Step], _ length: (inout Int) -> Int) -> [Talk.Step] {
      var round = 0
      return steps.flatMap { step -> [Talk.Step] in
        guard case .bytes(let direction, let bytes) = step else { return [step] }
        var pieces: [Talk.Step] = []
        var rest = bytes[...]
        while !rest.isEmpty {
          let taken = min(rest.count, max(1, length(&round)))
          pieces.append(.bytes(direction, Array(rest.prefix(taken))))
          rest = rest.dropFirst(taken)
        }
        return pieces
      }
    }

    @Test("Every length of segments, and a thousand random ones, tell the same.", arguments: Sealer.Kind.allCases)
    func cuts(_ kind: Sealer.Kind) {
      let talk = Self.talk(kind)
      let text = talk.keyLog()
      let whole = Self.words(talk.told())
      #expect(whole.contains("/inside"))
      for length in 1...64 {
        let told = Self.words(Talk.tell(Self.cut(talk.steps) { _ in length }, keyLog: text))
        if told != whole { #expect(told == whole, "segments of \(length)") }
      }
      var random = SplitMix64(seed: 0x7157)
      for round in 0..<1_000 {
        let most = [2, 7, 60, 400][round % 4]
        let told = Self.words(
          Talk.tell(Self.cut(talk.steps) { _ in Int.random(in: 1...most, using: &random) }, keyLog: text))
        if told != whole {
          #expect(told == whole, "round \(round)")
          return
        }
      }
    }

    @Test("A cut at every byte of every packet tells the same.", arguments: [Sealer.Kind.gcm13, .cbc10])
    func everyCut(_ kind: Sealer.Kind) {
      let talk = Self.talk(kind)
      let text = talk.keyLog()
      let whole = Self.words(talk.told())
      for (place, step) in talk.steps.enumerated() {
        guard case .bytes(let direction, let bytes) = step else { continue }
        for at in 1..<bytes.count {
          var steps = talk.steps
          steps.replaceSubrange(
            place...place, with: [.bytes(direction, Array(bytes[..<at])), .bytes(direction, Array(bytes[at...]))])
          let told = Self.words(Talk.tell(steps, keyLog: text))
          if told != whole { #expect(told == whole, "packet \(place + 1) at \(at)") }
        }
      }
    }
  }
#endif
