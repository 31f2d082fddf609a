#if OpenSSL
  import Events
  import Support
  import TLSSemantics
  import Testing
  import Citation

  @testable import Dialogues

  @Suite("TLS with bytes or secrets missing")
  struct TLSLossTests {
    typealias Base = TLSDialogueTests

    private static let rounds = 6

    /// Several exchanges, each response in records of 40 bytes.
    private func talk(_ kind: Sealer.Kind) -> Talk {
      var talk = Talk(kind)
      talk.shakeHands()
      for round in 0..<Self.rounds {
        talk.say(.toServer, "GET /\(round) HTTP/1.1\r\nHost: h\r\n\r\n")
        talk.say(
          .toClient, "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n" + String(repeating: "a line of\n", count: 20),
          by: 40)
      }
      for direction in Direction.allCases { talk.alert(direction) }
      return talk
    }

    private func size(_ step: Talk.Step) -> Int { if case .bytes(_, let bytes) = step { bytes.count } else { 0 } }

    private func isOf(_ direction: Direction, _ step: Talk.Step) -> Bool {
      if case .bytes(direction, _) = step { true } else { false }
    }

    /// The steps with a hole of so many bytes at a place in one direction's stream.
    private func lose(_ range: Range<Int>, _ direction: Direction, of steps: [Talk.Step]) -> [Talk.Step] {
      var offset = 0
      var isTold = false
      return steps.flatMap { step -> [Talk.Step] in
        guard case .bytes(direction, let bytes) = step else { return [step] }
        let here = offset..<offset + bytes.count
        offset += bytes.count
        let lost = range.clamped(to: here)
        guard !lost.isEmpty else { return [step] }
        var parts: [Talk.Step] = []
        if lost.lowerBound > here.lowerBound {
          parts.append(.bytes(direction, Array(bytes[..<(lost.lowerBound - here.lowerBound)])))
        }
        if !isTold { parts.append(.hole(direction, range.count)) }
        isTold = true
        if lost.upperBound < here.upperBound {
          parts.append(.bytes(direction, Array(bytes[(lost.upperBound - here.lowerBound)...])))
        }
        return parts
      }
    }

    private func length(_ direction: Direction, of steps: ArraySlice<Talk.Step>) -> Int {
      steps.reduce(0) { $0 + (isOf(direction, $1) ? size($1) : 0) }
    }

    /// Where application data begins.
    private func start(_ talk: Talk, _ direction: Direction) -> Int {
      let first = talk.steps.firstIndex(where: isRequest) ?? 0
      return length(direction, of: talk.steps[..<first])
    }

    private func isRequest(_ step: Talk.Step) -> Bool {
      if case .bytes(.toServer, let bytes) = step { bytes[0] == 23 } else { false }
    }

    @Test(
      "Behind a hole anywhere in the responses later ones are read, and nothing is said to fail.",
      arguments: [Sealer.Kind.gcm13, .gcm12, .cbc12, .cbc10])
    func responses(_ kind: Sealer.Kind) {
      let talk = talk(kind)
      let first = start(talk, .toClient)
      var random = SplitMix64(seed: 4)
      for from in stride(from: first, to: first + 700, by: 7) {
        let count = Int.random(in: 1...400, using: &random)
        let told = Talk.tell(lose(from..<from + count, .toClient, of: talk.steps), keyLog: talk.keyLog())
        // One whose head is in the hole has its response's place taken by the next, as in clear text.
        let isWell =
          told.session.opening == .opened && told.session.sides.toClient.isLost
          && told.exchanges.count { $0.response?.bodyBytes == 200 && $0.response?.end?.outcome == .complete }
            >= Self.rounds - 3
          && told.exchanges.count == Self.rounds
          && told.exchanges.allSatisfy { $0.request?.end?.outcome == .complete }
        if !isWell {
          Issue.record("\(kind) hole at \(from - first) of \(count): \(Base.words(told))")
          return
        }
      }
    }

    @Test(
      "A hole that AEAD suites let be counted is as long inside as what was in it.",
      arguments: [Sealer.Kind.gcm13, .gcm12])
    func lengths(_ kind: Sealer.Kind) {
      // Two records of the first response's body, whole or in parts.
      let talk = talk(kind)
      let each = 40 + (kind.is13 ? 22 : 29)
      let first = start(talk, .toClient) + 2 * each
      for range in [first..<first + each, first + 9..<first + 12, first + 3..<first + 2 * each - 4] {
        let told = Talk.tell(lose(range, .toClient, of: talk.steps), keyLog: talk.keyLog())
        let response = told.exchanges.first?.response
        // Read on to the message's end by its length.
        #expect(told.exchanges.count == Self.rounds, "\(Base.words(told))")
        #expect(response?.end.map { $0.offset } != nil)
        #expect(told.exchanges.dropFirst().allSatisfy { $0.response?.bodyBytes == 200 })
      }
    }

    @Test(
      "A hole anywhere in the handshake fails nothing; with keys, what follows is read.",
      arguments: [Sealer.Kind.gcm13, .gcm12, .cbc12], Direction.allCases)
    func handshake(_ kind: Sealer.Kind, _ direction: Direction) {
      let talk = talk(kind)
      let end = start(talk, direction)
      var hello = 0
      if case .bytes(_, let bytes) = talk.steps[direction == .toServer ? 0 : 1] {
        hello = 5 + Int(bytes[3]) << 8 + Int(bytes[4])
      }
      for from in stride(from: 0, to: end, by: 3) {
        for count in [1, 30, end - from] where from + count <= end {
          let steps = lose(from..<from + count, direction, of: talk.steps)
          for log in [talk.keyLog(), ""] {
            let told = Talk.tell(steps, keyLog: log)
            if case .failed = told.session.opening {
              Issue.record("\(kind) \(direction) \(from)+\(count): \(Base.words(told))")
              return
            }
            // Without a hello before 1.3 the random that keys depend on is missing.
            let isReadable = from >= hello || direction == .toClient && kind.is13
            guard isReadable, !log.isEmpty else { continue }
            let read = told.exchanges.count {
              $0.request != nil && (direction == .toServer || $0.response?.bodyBytes == 200)
            }
            if read < Self.rounds - 1 {
              Issue.record(
                "\(kind) \(direction) \(from)+\(count) of \(end), hello \(hello): \(Base.words(told)) \(told.session.flaws)"
              )
              return
            }
          }
        }
      }
    }

    @Test("A lost request is a hole, not the start of the connection.", arguments: [Sealer.Kind.gcm13, .gcm12])
    func firstRequest(_ kind: Sealer.Kind) {
      let talk = talk(kind)
      let from = start(talk, .toServer)
      let step = talk.steps.firstIndex(where: isRequest) ?? 0
      let told = Talk.tell(lose(from..<from + size(talk.steps[step]), .toServer, of: talk.steps), keyLog: talk.keyLog())
      #expect(told.session.opening == .opened)
      #expect(told.exchanges.last?.title.contains("/\(Self.rounds - 1) ") == true, "\(Base.words(told))")
      #expect(told.exchanges.last?.response?.bodyBytes == 200)
    }

    @Test("One side alone is read where its secrets suffice.")
    func oneSide() {
      for kind in [Sealer.Kind.gcm13, .gcm12] {
        let talk = talk(kind)
        for direction in Direction.allCases {
          let steps = talk.steps.filter { isOf(direction, $0) }
          let told = Talk.tell(steps, keyLog: talk.keyLog())
          let isRead = kind.is13 && direction == .toServer
          #expect(told.exchanges.count == (isRead ? Self.rounds : 0), "\(kind) \(direction) \(Base.words(told))")
          #expect(told.session.opening == (isRead ? .opened : .incomplete))
          let blind = Talk.tell(steps, keyLog: "").session
          #expect(blind.opening == .noKeys && blind.flaws.isEmpty)
          #expect(blind.sides[direction].application.count > 5)
        }
      }
    }

    @Test("A capture that began later counts records, and says what lacks for more.")
    func midstream() {
      let talk = talk(.gcm13)
      let first = talk.steps.firstIndex(where: isRequest) ?? 0
      for (log, opening) in [("", TLSOpening.noKeys), (talk.keyLog(), .incomplete)] {
        let told = Talk.tell(Array(talk.steps[first...]), keyLog: log, isMidstream: true)
        #expect(told.session.opening == opening && told.exchanges.isEmpty)
        #expect(told.session.sides.toServer.application.count == UInt64(Self.rounds + 1))
      }
    }

    @Test("A ServerHello that comes before the hello it answers does no harm.")
    func disorder() {
      for kind in [Sealer.Kind.gcm13, .gcm12] {
        var talk = talk(kind)
        talk.steps.swapAt(0, 1)
        let told = talk.told()
        #expect(told.session.opening == .opened && told.exchanges.count == Self.rounds)
        #expect(told.exchanges.allSatisfy { $0.response?.bodyBytes == 200 && $0.request != nil }, "\(Base.words(told))")
      }
    }

    // MARK: Secrets

    @Test("A wrong secret fails with the record that shows it; what stays shut is a hole.")
    func wrong() {
      for kind in [Sealer.Kind.gcm13, .gcm12, .cbc12] {
        let talk = talk(kind)
        let told = talk.told(changing: Set(talk.lines.keys))
        guard case .failed(_, _, hadOpened: false) = told.session.opening else {
          Issue.record("\(kind) \(told.session.opening)")
          continue
        }
        #expect(told.exchanges.isEmpty)
      }
      let talk = talk(.gcm13)
      let one = talk.told(changing: ["SERVER_TRAFFIC_SECRET_0"])
      guard case .failed(_, .toClient, hadOpened: true) = one.session.opening else {
        Issue.record("\(one.session.opening)")
        return
      }
      #expect(
        one.exchanges.count == Self.rounds && one.exchanges.allSatisfy { $0.isResponseMissing }, "\(Base.words(one))")
      let both = talk.told(changing: ["SERVER_TRAFFIC_SECRET_0", "SERVER_HANDSHAKE_TRAFFIC_SECRET"])
      guard case .failed(_, .toClient, hadOpened: false) = both.session.opening else {
        Issue.record("\(both.session.opening)")
        return
      }
      #expect(both.exchanges.allSatisfy { $0.isResponseMissing }, "\(Base.words(both))")
      let asked = talk.told(changing: ["CLIENT_TRAFFIC_SECRET_0"])
      #expect(asked.exchanges.count == Self.rounds && asked.exchanges.allSatisfy { $0.response?.bodyBytes == 200 })
    }

    @Test("A missing secret is told as such, and shuts no more than what is under it.")
    func missing() {
      let talk = talk(.gcm13)
      for label in ["CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET"] {
        let told = talk.told(without: [label])
        #expect(told.session.opening == .opened && told.exchanges.count == Self.rounds, "\(label) \(Base.words(told))")
      }
      for label in ["CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"] {
        let told = talk.told(without: [label])
        #expect(told.session.opening == .incomplete, "\(label)")
        #expect(told.exchanges.allSatisfy { ($0.response == nil) == (label == "SERVER_TRAFFIC_SECRET_0") })
      }
      let neither = talk.told(without: ["CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"])
      #expect(neither.session.opening == .incomplete && neither.exchanges.isEmpty)
    }
  }
#endif
