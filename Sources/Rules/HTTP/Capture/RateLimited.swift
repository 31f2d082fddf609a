import Citation
import Events
import HTTPSemantics

/// An endpoint that refuses a good part of its requests because there are too many.
///
/// Counted from the first refusal on, and only where there is one. Bounded: the first `limit` endpoints.
struct RateLimited: CaptureRule {
  static let info = RuleInfo(
    id: "http/rate-limited", severity: .warning,
    summary: "Many requests to an endpoint were refused because of a limit.",
    explanation: """
      429 (Too Many Requests) says that a limit of the server, or of a proxy or gateway in front of it, was reached: so many \
      requests in a time, for one client, one key or all of them. The requests were not carried out. Now and then that is how \
      a limit is meant; where it is a good part of all answers, users wait for what never comes, and clients that repeat \
      their requests make it worse.
      """,
    evidence: """
      The first refusal of an endpoint (method, host, path) and the last: at least five, and a fifth or more of its answers \
      from the first one on. Whose limit it is cannot be seen. Where a client comes back before Retry-After allows, see \
      http/retry-after-ignored.
      """,
    fix: """
      Client: send less at a time (a queue, requests joined), and wait longer after each refusal, as long as Retry-After says. \
      Server or proxy: see whose limit it is (nginx: limit_req; an API gateway's quota) and what it is meant for; raise it \
      where these requests are legitimate, and say Retry-After.
      """,
    specifications: [
      Specification("RFC 6585 §4", "https://www.rfc-editor.org/rfc/rfc6585#section-4")
    ],
    thresholds: [.refusedRequests, .refusedShare, .earlyRetries], since: "0.1")

  private struct Tally: Sendable {
    let endpoint: EndpointName
    let first: SeenExchange
    let firstAnswer: PacketRef
    var lastAnswer: PacketRef
    var refused: UInt64 = 0
    var answered: UInt64 = 0
    /// Numbers, some of them more than once.
    var connections: [Int] = []
    /// When the last of them may be asked again, and how many came sooner from the same client.
    var rest: (same: RequestKey.Same, since: PacketRef, nanoseconds: Int64)?
    var early = 0
  }

  private static let limit = 256
  private static let connectionLimit = 1_024

  private var tallies: [Tally] = []
  private var places: [EndpointName: Int] = [:]

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let isRefused = asked.exchange.status.code == 429
    guard isRefused || !tallies.isEmpty, let response = asked.exchange.response, !asked.exchange.isPairingUnsure,
      let endpoint = asked.exchange.endpoint
    else { return }
    if let at = places[endpoint] {
      count(asked, response, isRefused, at, context)
    } else if isRefused, tallies.count < Self.limit {
      places[endpoint] = tallies.count
      tallies.append(
        Tally(
          endpoint: endpoint, first: SeenExchange(asked, in: context), firstAnswer: response.first,
          lastAnswer: response.first))
      count(asked, response, true, tallies.count - 1, context)
    }
  }

  private mutating func count(
    _ asked: AskedExchange, _ response: Message, _ isRefused: Bool, _ at: Int, _ context: FlowContext
  ) {
    tallies[at].answered += 1
    guard isRefused else { return }
    tallies[at].refused += 1
    if response.first.number > tallies[at].lastAnswer.number { tallies[at].lastAnswer = response.first }
    if tallies[at].connections.count < Self.connectionLimit, tallies[at].connections.last != context.number {
      tallies[at].connections.append(context.number)
    }
    let same = RequestKey.Same(asked.key)
    if let rest = tallies[at].rest, rest.same == same, asked.request.first.number > rest.since.number,
      asked.request.first.time.since(rest.since.time) < rest.nanoseconds / 10 * 9
    {
      tallies[at].early += 1
    }
    tallies[at].rest = response.retryAfter.map { (same, response.last, $0) }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for tally in tallies {
      let share = Double(tally.refused) / Double(max(1, tally.answered)) * 100
      guard tally.refused >= UInt64(clamping: thresholds[.refusedRequests]),
        share >= Double(thresholds[.refusedShare]),
        // That client has a rule of its own.
        Int64(tally.early) < thresholds[.earlyRetries]
      else { continue }
      var finding = tally.first.finding(
        Self.info, .toClient,
        "\(tally.first.title): \(Wording.number(tally.refused)) of \(Wording.number(tally.answered)) requests to this endpoint were refused because of a limit (429), over \(Wording.duration(tally.lastAnswer.time.since(tally.firstAnswer.time))).",
        cost: .failed(.exchange),
        evidence: [
          Evidence(.packet(tally.firstAnswer, .toClient), "429, the first"),
          Evidence(.packet(tally.lastAnswer, .toClient), "429, the last"),
        ])
      finding.count = tally.refused
      finding.isOfEndpoint = true
      finding.place = tally.endpoint
      finding.alsoOn = Set(tally.connections).subtracting([tally.first.connection]).sorted()
      report(finding)
    }
    tallies.removeAll()
    places.removeAll()
  }
}

extension Threshold {
  static let refusedRequests = Threshold("http.refused-requests", .count, 5, "fewer refusals are how a limit is meant")
  static let refusedShare = Threshold("http.refused-share", .percent, 20, "of the answers, from the first refusal on")
}
