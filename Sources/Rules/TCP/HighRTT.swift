import Citation
import Events
import HTTPSemantics

/// A path so slow that its round trip is most of every answer.
///
/// Bounded: so many connections at a time whose first answer was slow, and so many pairs of hosts.
struct HighRTT: CaptureRule {
  static let info = RuleInfo(
    id: "tcp/high-rtt", severity: .warning, confidence: .medium,
    summary: "The round trip to the server is very long.",
    explanation: """
      Half a second and more for a packet and its answer is a satellite, a radio link with a full queue, a tunnel around \
      the world, or an overloaded link. Each step of a connection takes as long: the handshake, TLS, every request. The \
      time is the network's, not the server's.
      """,
    evidence: """
      SYN and SYN-ACK, and the first request or ClientHello and its answer, which took half to twice that time: a server \
      that is only slow to accept or to answer is left out, and so are connections whose SYN was retransmitted. Nor is \
      a path slow on which another connection of the same hosts was opened at once: there the first packet alone had to \
      wait, for a radio that was asleep, an address to be resolved, or a queue.
      """,
    fix: """
      Network: find where the time goes (traceroute, captures at both ends, queues of the slowest link). Client and \
      server: save round trips: keep connections open, TLS 1.3, HTTP/2, a server that is nearer.
      """,
    specifications: [Specification("RFC 9293 §3.5", "https://www.rfc-editor.org/rfc/rfc9293#section-3.5")],
    thresholds: [.slowPath], since: "0.1")

  private struct Sample: Sendable {
    var asked: PacketRef
    var answered: PacketRef
    var title: String
  }

  private struct Hosts: MixedKey {
    var client: IPAddress
    var server: IPAddress

    @inline(__always)
    func mix(into mixer: inout WordMixer) {
      client.mix(into: &mixer)
      server.mix(into: &mixer)
    }
  }

  private static let limit = 256

  private var samples = BoundedTable<FlowID, Sample>(limit: limit)
  /// Those that were fast at another time.
  private var fast = BoundedTable<Hosts, Bool>(limit: limit)
  private var paths = BoundedTable<Hosts, (hosts: Hosts, finding: Finding, worst: Int64, count: UInt64)>(limit: limit)

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.number == 1, let request = exchange.request, let response = exchange.response,
      request.isComplete, request.last.number < response.first.number
    else { return }
    note(asked: request.last, answered: response.first, exchange.title, context)
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard let context else { return }
    switch event {
    case .tlsClosed(let session):
      guard let asked = session.phases.clientHello, let answered = session.phases.serverHello else { return }
      note(asked: asked, answered: answered, "the ClientHello and its answer", context)
    case .connectionClosed: settle(context, thresholds)
    default: break
    }
  }

  private mutating func note(
    asked: PacketRef, answered: PacketRef, _ title: @autoclosure () -> String, _ context: FlowContext
  ) {
    guard let roundTrip = context.roundTrip.total, roundTrip >= context.thresholds[.slowPath], !context.isMidstream,
      case let again = answered.time.since(asked.time), again >= roundTrip / 2, again / 2 <= roundTrip
    else { return }
    samples.update(context.id, orMake: Sample(asked: asked, answered: answered, title: title())) { _ in }
  }

  private mutating func settle(_ context: FlowContext, _ thresholds: Thresholds) {
    guard let roundTrip = context.roundTrip.total else { return }
    let hosts = Hosts(client: context.client.address, server: context.server.address)
    guard roundTrip >= thresholds[.slowPath] else { return fast.update(hosts, orMake: true) { _ in } }
    guard let sample = samples[context.id], let opening = context.opening, opening.synCount == 1,
      let answer = opening.answer
    else { return }
    let again = sample.answered.time.since(sample.asked.time)
    let finding = Finding(
      Self.info, subject: .connection(context.id), direction: nil,
      """
      The path between \(context.client.address) and \(context.server.address) is slow: the handshake's round trip took \
      \(Wording.duration(roundTrip)), and \(sample.title) \(Wording.duration(again)).
      """,
      cost: .delay(nanoseconds: roundTrip), fix: Self.info.fix,
      evidence: [
        Evidence(.packet(opening.syn, .toServer), "SYN"), Evidence(.packet(answer, .toClient), "SYN-ACK"),
        Evidence(.packet(sample.asked, .toServer), "asked"), Evidence(.packet(sample.answered, .toClient), "answered"),
      ]
    ).on(context.number)
    paths.update(hosts, orMake: (hosts, finding, roundTrip, 0)) { path in
      path.count += 1
      if roundTrip > path.worst { (path.finding, path.worst) = (finding, roundTrip) }
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for var path in paths.inOrder where !fast.has(path.hosts) {
      path.finding.count = path.count
      report(path.finding)
    }
  }
}

extension Threshold {
  static let slowPath = Threshold(
    "tcp.slow-path", .nanoseconds, 500_000_000, "a round trip this long is felt at each step")
}
