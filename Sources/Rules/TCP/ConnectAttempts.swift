import Citation
import Events

/// Attempts of one client to reach one service by addresses of both families: side by side, or one after the other.
///
/// Names are not known here: two attempts belong together when the same host on the link sent both, to the same port, in
/// two address families, shortly after one another. A source on the link with several addresses of one family is a router,
/// as far as one can tell, and whose attempts it passed on nobody knows. Bounded: the newest attempts are kept.
struct ConnectAttempts: Sendable {
  static let parallel = RuleInfo(
    id: "tcp/parallel-connects", severity: .note, confidence: .medium,
    summary: "The client tried IPv6 and IPv4 for what looks like one service.",
    explanation: """
      A client that has addresses of both families tries the preferred one first and gives it a head start (Happy \
      Eyeballs: 250 ms in RFC 8305, 200 ms in curl, 300 ms in Chrome) before it tries the other beside it. The slower \
      attempt is dropped. It is meant so, and worth knowing when connects take the head start longer than they should: \
      some errors (an ICMP message, say) do not end the head start.
      """,
    evidence: """
      Both SYNs, what became of the one that lost, and the answer of the one that won. That both were for the same name \
      is inferred from the same sending host, the same port and the two address families; DNS is not looked at. Nothing is \
      said of what a router sent on for several clients.
      """,
    fix: """
      Nothing, when the first address works. Server: make the preferred address answer, or take it out of DNS.
      """,
    specifications: [
      Specification("RFC 8305 §5", "https://www.rfc-editor.org/rfc/rfc8305#section-5")
    ],
    thresholds: [.leastStagger, .mostStagger], since: "0.1")

  static let fallback = RuleInfo(
    id: "tcp/connect-fallback-delay", severity: .warning, confidence: .medium,
    summary: "A connection was delayed by an address that does not work.",
    explanation: """
      The client tried one address, waited, and got through by one of the other family. Everybody who connects pays that \
      wait, every time: usually IPv6 that is announced in DNS and not reachable, or an address list with a dead host in \
      front. Clients without Happy Eyeballs wait for whole SYN timeouts (1, 3, 7 s and more).
      """,
    evidence: """
      The SYN that led nowhere, its refusal or ICMP error where there was one, the SYN to the other address, and its \
      answer. That both were for the same name is inferred from the same sending host, the same port and the two address \
      families; nothing is said of what a router sent on for several clients.
      """,
    fix: """
      Server: make the first address answer, or remove it from DNS. Client: try the families side by side (RFC 8305), \
      and remember which one worked.
      """,
    specifications: [
      Specification("RFC 8305 §5", "https://www.rfc-editor.org/rfc/rfc8305#section-5"),
      Specification("RFC 6555 §1", "https://www.rfc-editor.org/rfc/rfc6555#section-1"),
    ],
    thresholds: [.fallbackDelay, .mostFallback], since: "0.1")

  private struct Attempt: Sendable {
    let id: FlowID
    let number: Int
    let client: IPAddress
    let server: Endpoint
    let opening: ConnectionOpening
    let end: ConnectionEnd
    /// The rule of how long a try may take before it counts as slow needs the answer's time.
    var answered: Int64? { opening.answer.map { $0.time.since(opening.syn.time) } }
    /// What ended it before it was of any use.
    var failure: (packet: PacketRef, what: String)? {
      if opening.isUsed { return nil }
      if opening.answer == nil, let icmp = opening.unreachable { return (icmp, "an ICMP error answers it") }
      if opening.answer == nil, end.kind == .reset, let packet = end.packet { return (packet, "refused") }
      return nil
    }
  }

  private static let limit = 4_096
  private var attempts: [Attempt] = []
  private var start = 0

  mutating func close(_ end: ConnectionEnd, _ context: FlowContext) {
    // Without a link-layer source nobody can tell whose attempts belong together.
    guard let opening = context.opening, opening.linkSource != 0 else { return }
    let attempt = Attempt(
      id: context.id, number: context.number, client: context.client.address, server: context.server, opening: opening,
      end: end)
    if attempts.count < Self.limit {
      attempts.append(attempt)
    } else {
      attempts[start] = attempt
      start = (start + 1) % Self.limit
    }
  }

  func finish(_ thresholds: Thresholds, report: (Finding) -> Void) {
    let attempts = attempts.sorted { $0.id < $1.id }
    let routers = Self.routers(attempts)
    for (index, first) in attempts.enumerated()
    where !first.opening.isUsed && !routers.contains(first.opening.linkSource) {
      // The next attempt of the same host to the same port is the one to compare with, if it is of the other family.
      for second in attempts[(index + 1)...] {
        let stagger = second.opening.syn.time.since(first.opening.syn.time)
        guard stagger <= thresholds[.mostFallback] else { break }
        guard second.opening.linkSource == first.opening.linkSource, second.server.port == first.server.port else {
          continue
        }
        if second.server.address.isV4 != first.server.address.isV4 { judge(first, second, stagger, thresholds, report) }
        break
      }
    }
  }

  /// Sources on the link that sent for several addresses of one family.
  private static func routers(_ attempts: [Attempt]) -> Set<UInt32> {
    var clients: [UInt32: (v4: IPAddress?, v6: IPAddress?)] = [:]
    var routers: Set<UInt32> = []
    for attempt in attempts {
      let source = attempt.opening.linkSource
      var known = clients[source] ?? (nil, nil)
      let other = attempt.client.isV4 ? known.v4 : known.v6
      if let other, other != attempt.client { routers.insert(source) }
      if attempt.client.isV4 { known.v4 = attempt.client } else { known.v6 = attempt.client }
      clients[source] = known
    }
    return routers
  }

  private func judge(
    _ first: Attempt, _ second: Attempt, _ stagger: Int64, _ thresholds: Thresholds, _ report: (Finding) -> Void
  ) {
    guard let answer = second.opening.answer, second.opening.isUsed else { return }
    let failure = first.failure
    var evidence = [Evidence(.packet(first.opening.syn, .toServer), "SYN to \(first.server.address)")]
    if let failure, failure.packet.number < answer.number {
      evidence.append(Evidence(.packet(failure.packet, nil), failure.what))
    }
    evidence.append(Evidence(.packet(second.opening.syn, .toServer), "SYN to \(second.server.address)"))
    evidence.append(Evidence(.packet(answer, .toClient), "this one is answered"))
    let outcome =
      failure.map { $0.what == "refused" ? "was refused" : "was answered by an ICMP error" }
      ?? first.answered.map { "was answered after \(Wording.duration($0)) and not used" } ?? "got no answer"
    let words = "\(first.server) \(outcome); \(second.server) was tried \(Wording.duration(stagger)) later and works."
    let isSlow = first.answered.map { $0 > stagger } ?? true
    if isSlow, stagger >= thresholds[.fallbackDelay] {
      report(
        Finding(
          Self.fallback, subject: .connection(second.id), direction: .toServer,
          "The connection came \(Wording.duration(stagger)) late: \(words)",
          cost: .delay(nanoseconds: stagger),
          fix: "Server: make \(first.server.address) answer on port \(first.server.port), or take it out of DNS.",
          evidence: evidence
        ).on(second.number))
    } else if stagger >= thresholds[.leastStagger], stagger <= thresholds[.mostStagger] {
      report(
        Finding(
          Self.parallel, subject: .connection(second.id), direction: .toServer, FindingMessage(words), cost: .none,
          evidence: evidence
        ).on(second.number))
    }
  }
}
