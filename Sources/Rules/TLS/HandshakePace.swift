import Citation
import Events
import TLSSemantics

/// How long the handshake took, and what made it longer.
enum HandshakePace {
  static let infos: [RuleInfo] = [slow, retry, largeChain]

  static let slow = RuleInfo(
    id: "tls/handshake-slow", severity: .warning,
    summary: "A step of the TLS handshake took much longer than the way there and back.",
    explanation: """
      Each step is a round trip and a little arithmetic. More means that somebody was busy: a server short of processors \
      or waiting for a key store, a proxy that first connects to its origin, a client that asks for revocation lists or \
      for its user's consent. All of it is before the first byte of a request.
      """,
    evidence: """
      The packets that begin and end the slowest step, with all steps in the sentence. A step in which packets were lost \
      is the network's and not counted. The round trip is that of the TCP handshake; without it nothing is said.
      """,
    fix: """
      Server, where ServerHello or its flight are late: look at its load, and at what it asks before it answers. Client, \
      where its Finished is late: at its checks of the certificate.
      """,
    specifications: [.rfc(8446, "2")], thresholds: [.handshakeStep], since: "0.1")

  static let retry = RuleInfo(
    id: "tls/hello-retry", severity: .warning,
    summary: "The server asks for another ClientHello, which costs a round trip.",
    explanation: """
      The client guessed in which group the server wants to agree on a key, and sent its share of that one. The server \
      wants another group, or a cookie first: the hello goes the way a second time, on every connection.
      """,
    evidence:
      "The first ClientHello with the groups of its shares, and the HelloRetryRequest with the one that is wanted.",
    fix:
      "Client or server: prefer the same group, X25519 say; a client may send the share of the server's group at once.",
    specifications: [.rfc(8446, "4.1.4")], since: "0.1")

  static let largeChain = RuleInfo(
    id: "tls/large-chain", severity: .warning,
    summary: "The server's first flight is larger than the first congestion window.",
    explanation: """
      A server may send ten segments before it must wait for an acknowledgement. A longer chain of certificates, or one \
      with roots and cross-signed copies in it, needs another round trip before the client can answer at all.
      """,
    evidence: "The ServerHello and the end of the flight, with its bytes; the time between is the wait where it shows.",
    fix: """
      Server: send the leaf and the intermediates that lead to a common root, and no more; use keys of elliptic curves; \
      compress certificates.
      """,
    specifications: [.rfc(6928, "2")], thresholds: [.firstFlight], since: "0.1")

  /// A step of the handshake that is over.
  private struct Step {
    var name: String
    var from: PacketRef
    var to: PacketRef
    /// Whose answer the end is.
    var by: Direction

    var nanoseconds: Int64 { to.time.since(from.time) }
  }

  static func judge(_ story: TLSStory, report: (Finding) -> Void) {
    if story.phases.clientHello != nil { judgeSteps(story, report) }
    judgeRetry(story, report)
    judgeChain(story, report)
  }

  private static func steps(_ story: TLSStory) -> [Step] {
    let phases = story.phases
    var steps: [Step] = []
    func add(_ name: String, _ from: PacketRef?, _ to: PacketRef?, _ by: Direction) {
      guard let from, let to, to.number >= from.number else { return }
      steps.append(Step(name: name, from: from, to: to, by: by))
    }
    var asked = phases.clientHello
    if phases.retry != nil {
      add("HelloRetryRequest", asked, phases.retry, story.server)
      asked = story.session.hellos.secondClient?.span.last
      add("second ClientHello", phases.retry, asked, story.client)
    }
    add("ServerHello", asked, phases.serverHello, story.server)
    if let flight = phases.serverFlight, let hello = phases.serverHello, flight.number > hello.number {
      add("end of the server's flight", hello, flight, story.server)
    }
    let flight = phases.serverFlight ?? phases.serverHello
    if let client = phases.finished[story.client], let flight, client.number > flight.number {
      add("client's Finished", flight, client, story.client)
      if let server = phases.finished[story.server], server.number > client.number {
        add("server's Finished", client, server, story.server)
      }
    } else if let server = phases.finished[story.server], let flight, server.number > flight.number {
      add("server's Finished", flight, server, story.server)
    }
    return steps
  }

  private static func judgeSteps(_ story: TLSStory, _ report: (Finding) -> Void) {
    guard story.isWhole, let roundTrip = story.context.roundTrip.total else { return }
    let allowed = 2 &* roundTrip &+ story.context.thresholds[.handshakeStep]
    let steps = steps(story)
    let late = steps.filter { step in
      step.nanoseconds > allowed
        && !Direction.allCases.contains { story.watch.isTroubled($0, step.from, step.to) }
    }
    guard let worst = late.max(by: { $0.nanoseconds < $1.nanoseconds }) else { return }
    let all = steps.map { "\($0.name) \(Wording.duration($0.nanoseconds))" }.joined(separator: ", ")
    let lost = late.reduce(0) { $0 &+ $1.nanoseconds &- roundTrip }
    report(
      story.finding(
        slow, worst.by,
        "The handshake waited \(Wording.duration(worst.nanoseconds)) for the \(worst.name), with a round trip of \(Wording.duration(roundTrip)): \(all).",
        cost: .delay(nanoseconds: lost),
        causedBy: worst.to == story.phases.serverFlight && isLarge(story) ? largeChain.id : nil,
        [
          Evidence(.packet(worst.from, nil), "the step begins"),
          Evidence(.packet(worst.to, worst.by), "the \(worst.name)"),
        ]))
  }

  private static func judgeRetry(_ story: TLSStory, _ report: (Finding) -> Void) {
    guard let retry = story.session.hellos.retry, let hello = story.hello else { return }
    let shares = hello.keyShares.filter { !$0.rawValue.isGREASE }.map(\.name).joined(separator: ", ")
    let what =
      retry.keyShare.map {
        "wants \($0.name), and the client sent \(shares.isEmpty ? "no share" : "shares of \(shares)")"
      }
      ?? "wants its cookie back"
    let again = story.session.hellos.secondClient?.span.first ?? retry.span.last
    report(
      story.finding(
        Self.retry, story.server, "The server asks for another ClientHello: it \(what).",
        cost: .delay(nanoseconds: max(1, again.time.since(hello.span.first.time))),
        story.helloEvidence("the first one")
          + [Evidence(.bytes(retry.span, story.server), "HelloRetryRequest")]))
  }

  private static func isLarge(_ story: TLSStory) -> Bool {
    story.phases.serverFlightBytes > UInt64(max(0, story.context.thresholds[.firstFlight]))
  }

  private static func judgeChain(_ story: TLSStory, _ report: (Finding) -> Void) {
    let bytes = story.phases.serverFlightBytes
    guard let first = story.phases.serverHello, let last = story.phases.serverFlight, story.isWhole,
      isLarge(story)
    else { return }
    let took = last.time.since(first.time)
    // Shorter than a round trip, and nothing was waited for.
    let roundTrip = story.context.roundTrip.total ?? .max
    let isWait = took >= roundTrip / 10 &* 8 && took >= 1_000_000
    let certificates = story.session.certificate.map {
      ", \(Wording.bytes(UInt64($0.byteCount))) of them in \(Wording.count(UInt64($0.count), "certificate"))"
    }
    report(
      story.finding(
        largeChain, story.server,
        "The server's first flight has \(Wording.bytes(bytes))\(certificates ?? "")\(isWait ? ", and its end came \(Wording.duration(took)) after its beginning" : "").",
        cost: isWait ? .delay(nanoseconds: took) : .none,
        [
          Evidence(.packet(first, story.server), "ServerHello"),
          Evidence(.packet(last, story.server), "the end of the flight"),
        ]))
  }
}
