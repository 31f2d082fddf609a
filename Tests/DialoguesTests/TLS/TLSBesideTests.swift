#if OpenSSL
  import Events
  import Testing
  import Citation

  @testable import Dialogues

  @Suite("TLS behind and beside other protocols")
  struct TLSBesideTests {
    private typealias Base = TLSDialogueTests

    private func write(_ direction: Direction, _ text: String) -> Talk.Step { .bytes(direction, Array(text.utf8)) }

    private static let greetings: [(String, [(Direction, [UInt8])])] = [
      (
        "SOCKS",
        [
          (.toServer, [5, 1, 0]), (.toClient, [5, 0]), (.toServer, [5, 1, 0, 1, 10, 0, 0, 1, 1, 0xBB]),
          (.toClient, [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        ]
      ),
      ("PROXY", [(.toServer, Array("PROXY TCP4 10.0.0.1 10.0.0.2 5 443\r\n".utf8))]),
      (
        "MySQL",
        [
          (.toClient, [0x4A, 0, 0, 0, 10] + Array("8.0.36\0".utf8) + [UInt8](repeating: 1, count: 60)),
          (.toServer, [32, 0, 0, 1, 5, 0xAE, 0, 0] + [UInt8](repeating: 0, count: 28)),
        ]
      ),
      ("PostgreSQL", [(.toServer, [0, 0, 0, 8, 4, 0xD2, 0x16, 0x2F]), (.toClient, Array("S".utf8))]),
      (
        "SMTP",
        [
          (.toClient, Array("220 mail ESMTP\r\n".utf8)), (.toServer, Array("EHLO me\r\n".utf8)),
          (.toClient, Array("250-mail\r\n250 STARTTLS\r\n".utf8)), (.toServer, Array("STARTTLS\r\n".utf8)),
          (.toClient, Array("220 go\r\n".utf8)),
        ]
      ),
      ("nothing", []),
    ]

    @Test("TLS is read behind a greeting, however small its first segments are.", arguments: greetings.map(\.0), 0...7)
    func greeting(_ name: String, _ first: Int) {
      let greeting = Self.greetings.first { $0.0 == name }?.1 ?? []
      var talk = Base.talk(.gcm13)
      if first > 0 {
        for place in [1, 0] {
          guard case .bytes(let direction, let bytes) = talk.steps[place] else { continue }
          talk.steps.replaceSubrange(
            place...place, with: [.bytes(direction, Array(bytes[..<first])), .bytes(direction, Array(bytes[first...]))])
        }
      }
      talk.steps.insert(contentsOf: greeting.map { Talk.Step.bytes($0.0, $0.1) }, at: 0)
      let told = talk.told()
      #expect(told.session.opening == .opened && told.exchanges.count == 1, "\(Base.words(told))")
      #expect(told.session.sides.toClient.opaque == nil && told.session.sides.toServer.opaque == nil)
    }

    @Test("Through a CONNECT, in TLS or not, the exchanges inside are counted on.")
    func connect() {
      let ask = "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n"
      let agreed = "HTTP/1.1 200 Connection established\r\n\r\n"
      var talk = Base.talk(.gcm13)
      talk.steps.insert(contentsOf: [write(.toServer, ask), write(.toClient, agreed)], at: 0)
      let told = talk.told()
      #expect(told.exchanges.map { $0.number } == [1, 2] && told.session.opening == .opened)

      // The proxy is spoken to in TLS, and so is the server behind it.
      var outer = Talk(.gcm12)
      outer.clientRandom[0] = 0
      outer.shakeHands()
      outer.say(.toServer, ask)
      outer.say(.toClient, agreed)
      let inner = Base.talk(.gcm13)
      for case .bytes(let direction, let bytes) in inner.steps {
        outer.send(direction, outer.sealed(direction, 23, bytes))
      }
      let both = Talk.tell(outer.steps, keyLog: outer.keyLog() + inner.keyLog())
      #expect(both.exchanges.map { $0.number } == [1, 2] && both.sessions.count == 2)
    }

    @Test("TLS inside of TLS inside of TLS is left alone.")
    func depth() {
      var steps = Base.talk(.gcm13).steps
      var log = Base.talk(.gcm13).keyLog()
      for level in 0..<3 {
        var outer = Talk(.gcm12)
        outer.clientRandom[0] = UInt8(level)
        outer.shakeHands()
        for case .bytes(let direction, let bytes) in steps { outer.send(direction, outer.sealed(direction, 23, bytes)) }
        steps = outer.steps
        log += outer.keyLog()
      }
      let told = Talk.tell(steps, keyLog: log)
      #expect(told.sessions.count == 2 && told.exchanges.isEmpty)
    }

    @Test("A server that answers a ClientHello in HTTP is heard, at every cut of its answer.")
    func plainAnswer() {
      let answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 5\r\nConnection: close\r\n\r\nplain"
      for cut in 0..<answer.utf8.count {
        var steps = [Base.talk(.gcm13).steps[0]]
        let bytes = Array(answer.utf8)
        if cut > 0 { steps.append(.bytes(.toClient, Array(bytes[..<cut]))) }
        steps += [.bytes(.toClient, Array(bytes[cut...])), .end(.toClient, .fin), .end(.toServer, .fin)]
        let told = Talk.tell(steps, keyLog: "")
        let response = told.exchanges.first?.response
        #expect(response?.bodyBytes == 5 && response?.end?.outcome == .complete, "cut at \(cut)")
        #expect(told.session.sides.toClient.opaque?.cause == .notTLS && told.session.hellos.client != nil)
      }
    }

    @Test("An HTTP request that a TLS server refuses is told with what came.")
    func plainRequest() {
      let told = Talk.tell(
        [write(.toServer, Base.request), .bytes(.toClient, [21, 3, 1, 0, 2, 2, 70]), .end(.toClient, .fin)], keyLog: "")
      #expect(told.exchanges.count == 1 && told.exchanges.first?.title.contains("/inside") == true)
    }

    @Test("On the port of TLS, what is none is no TLS.")
    func none() {
      for bytes in [[0x16, 3, 9, 0, 5, 1], [0x17, 3, 3, 0, 4, 1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 7, 8]] as [[UInt8]] {
        let told = Talk.tell([.bytes(.toServer, bytes), .bytes(.toClient, bytes)], keyLog: "")
        #expect(told.sessions.isEmpty)
      }
    }

    @Test("A hello in the form of SSL 2.0 begins a connection.")
    func oldHello() {
      var talk = Talk(.gcm12)
      talk.clientRandom = [UInt8](repeating: 0xAB, count: 32)
      talk.shakeHands()
      talk.say(.toServer, Base.request)
      talk.say(.toClient, Base.response)
      let body: [UInt8] = [1, 3, 3, 0, 3, 0, 0, 0, 32, 0, 0xC0, 0x2F] + talk.clientRandom
      talk.steps[0] = .bytes(.toServer, [0x80, UInt8(body.count)] + body)
      let told = talk.told()
      #expect(told.session.hellos.client?.isSSLv2 == true && told.session.opening == .opened)
      #expect(told.exchanges.count == 1)
    }

    @Test("What comes behind a close_notify reaches nobody, and is counted.")
    func behindClose() {
      var talk = Talk(.gcm13)
      talk.shakeHands()
      talk.say(.toServer, Base.request)
      talk.alert(.toClient)
      talk.say(.toClient, Base.response)
      let told = talk.told()
      #expect(told.exchanges.count == 1 && told.exchanges.first?.response == nil)
      #expect(told.session.sides.toClient.afterClose == 1)
    }
  }
#endif
