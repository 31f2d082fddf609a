import Citation
import Events
import TLSSemantics

/// A step of the handshake that took long.
enum HandshakeSlow: TLSRule {
  static let info = RuleInfo(
    id: "tls/handshake-slow", severity: .warning,
    summary: "A step of the TLS handshake took much longer than a round trip.",
    explanation: """
      Each step is a round trip and a little arithmetic. More means that one side was busy: a server short of \
      processors or waiting for a key store, a proxy that first connects to its origin, a client that asks for \
      revocation lists or for its user's consent. All of it is before the first byte of a request.
      """,
    evidence: """
      The packets that begin and end the slowest step, with all steps in the sentence. A step in which packets were \
      lost is the network's and not counted; across the network from this capture point a step may be a lost segment and \
      its copy, and the finding says so. The round trip is that of the TCP handshake, or the server's fastest \
      answer inside TLS where that took longer: a tunnel or a proxy on the way may have answered the SYN, and then a \
      step of the server must exceed what any path takes. Without a round trip the rule is silent. Where the server \
      closes before the client's Finished, the connection failed.
      """,
    fix: """
      Server, where ServerHello or its flight are late: look at its load, and at what it asks before it answers. Client, \
      where its Finished is late: at its checks of the certificate.
      """,
    specifications: [.rfc(8446, "2")], thresholds: [.handshakeStep, .longestPath], since: "0.1")

  /// A step of the handshake that is over.
  private struct Step {
    var name: String
    var from: PacketRef
    var to: PacketRef
    /// Whose answer the end is.
    var by: Direction
    /// From a packet of the other side: the way there and back is in it.
    var isTurn: Bool

    var nanoseconds: Int64 { to.time.since(from.time) }
  }

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard story.phases.clientHello != nil, story.isWhole, let roundTrip = story.context.roundTrip.total else { return }
    let steps = steps(story)
    let late = steps.filter { step in
      step.nanoseconds > allowed(step, steps, roundTrip, story)
        && !Direction.allCases.contains { story.watch.isTroubled($0, step.from, step.to) }
    }
    guard let worst = late.max(by: { $0.nanoseconds < $1.nanoseconds }) else { return }
    let all = steps.map { "\($0.name) \(Wording.duration($0.nanoseconds))" }.joined(separator: ", ")
    let lost = late.reduce(0) { $0 &+ $1.nanoseconds &- roundTrip }
    let given = givenUp(story, after: worst)
    let mayBeLoss = mayBeLoss(worst, roundTrip, story)
    let outcome = given == nil ? "" : " The server closed before the client's Finished came."
    report(
      story.finding(
        info, worst.by,
        "The handshake waited \(Wording.duration(worst.nanoseconds)) for the \(worst.name), with a round trip of \(Wording.duration(roundTrip)): \(all).\(outcome)\(mayBeLoss ? " A segment lost before this point and retransmitted by a timer would look the same." : "")",
        severity: given == nil ? nil : .error, confidence: mayBeLoss ? .medium : nil,
        cost: given == nil ? .delay(nanoseconds: lost) : .failed(.connection),
        causedBy: worst.to == story.phases.serverFlight && LargeChain.isLarge(story) ? LargeChain.info.id : nil,
        [
          Evidence(.packet(worst.from, nil), "the step begins"),
          Evidence(.packet(worst.to, worst.by), "the \(worst.name)"),
        ] + (given.map { [Evidence(.packet($0, story.server), "the server closes")] } ?? [])))
  }

  /// A shorter one never left its host.
  private static let localRoundTrip: Int64 = 200_000
  /// What timers of TCP wait, besides the round trip: 200 ms at least on Linux, a second by RFC 6298.
  private static let timers: ClosedRange<Int64> = 200_000_000...2_000_000_000

  /// The first copy of what ended the step may have been lost before it reached this point, and nothing here shows it.
  private static func mayBeLoss(_ step: Step, _ roundTrip: Int64, _ story: TLSStory) -> Bool {
    // On one host nothing is lost.
    guard roundTrip >= localRoundTrip else { return false }
    let beside: Vantage = step.by == .toServer ? .client : .server
    return story.context.roundTrip.vantage != beside && timers.contains(step.nanoseconds &- roundTrip)
  }

  /// Where the server closed when the slow step was over and the client had not finished: no request got through.
  private static func givenUp(_ story: TLSStory, after step: Step) -> PacketRef? {
    guard story.context.closing.by == story.server, let end = story.context.closing.firstEnd,
      end.number >= step.to.number
    else { return nil }
    if let finished = story.phases.finished[story.client], finished.number < end.number { return nil }
    return end
  }

  /// What the fastest answer may take beside the path.
  private static let thinking: Int64 = 60_000_000

  /// How long a step may take. The host that answered the SYN need not be the server: its other answers say how far it
  /// is.
  private static func allowed(_ step: Step, _ steps: [Step], _ roundTrip: Int64, _ story: TLSStory) -> Int64 {
    let patience = story.context.thresholds[.handshakeStep]
    guard step.by == story.server else { return 2 &* roundTrip &+ patience }
    let others = steps.filter { $0.by == story.server && $0.isTurn && $0.to != step.to } + firstAnswer(story)
    guard let fastest = others.map(\.nanoseconds).min(), fastest <= 4 &* roundTrip &+ Self.thinking else {
      return max(2 &* roundTrip &+ patience, story.context.thresholds[.longestPath])
    }
    return 2 &* max(roundTrip, fastest) &+ patience
  }

  /// The server's first application data behind the client's, which is a turn like those of the handshake.
  private static func firstAnswer(_ story: TLSStory) -> [Step] {
    guard let asked = story.phases.application[story.client], let answer = story.phases.application[story.server],
      answer.number > asked.number
    else { return [] }
    return [Step(name: "first answer", from: asked, to: answer, by: story.server, isTurn: true)]
  }

  private static func steps(_ story: TLSStory) -> [Step] {
    let phases = story.phases
    var steps: [Step] = []
    func add(_ name: String, _ from: PacketRef?, _ to: PacketRef?, _ by: Direction, isTurn: Bool = true) {
      guard let from, let to, to.number >= from.number else { return }
      steps.append(Step(name: name, from: from, to: to, by: by, isTurn: isTurn))
    }
    var asked = phases.clientHello
    if phases.retry != nil {
      add("HelloRetryRequest", asked, phases.retry, story.server)
      asked = story.session.hellos.secondClient?.span.last
      add("second ClientHello", phases.retry, asked, story.client)
    }
    add("ServerHello", asked, phases.serverHello, story.server)
    if let flight = phases.serverFlight, let hello = phases.serverHello, flight.number > hello.number {
      add("end of the server's flight", hello, flight, story.server, isTurn: false)
    }
    let flight = phases.serverFlight ?? phases.serverHello
    if let client = phases.finished[story.client], let flight, client.number > flight.number {
      add("client's Finished", flight, client, story.client)
      if let server = phases.finished[story.server], server.number > client.number {
        add("server's Finished", client, server, story.server)
      }
    } else if let server = phases.finished[story.server], let flight, server.number > flight.number {
      add("server's Finished", flight, server, story.server, isTurn: false)
    }
    return steps
  }
}

extension Threshold {
  static let handshakeStep = Threshold(
    "tls.handshake-step", .nanoseconds, 100_000_000, "a step of a handshake that takes two round trips and this is slow"
  )
  static let longestPath = Threshold(
    "tls.longest-path", .nanoseconds, 3_000_000_000,
    "a server's step that takes longer is the server's, even where a tunnel or a proxy may have answered the SYN")
}
