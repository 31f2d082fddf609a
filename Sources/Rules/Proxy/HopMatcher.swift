import Citation
import Events
import HTTPSemantics

/// An exchange as it was seen on one connection. A class, because it waits in a list that is changed with every exchange.
final class Hop: Sendable {
  let exchange: ExchangeRecord
  let context: FlowContext
  let target: Int
  /// The first packets of its request and of its response; nil where there is none.
  let packets: (asked: UInt64, answered: UInt64)?

  init(_ asked: AskedExchange, _ context: FlowContext) {
    exchange = asked.exchange
    self.context = context
    target = asked.key.target
    packets = asked.exchange.response.map { (asked.request.first.number, $0.first.number) }
  }

  var leg: ExchangeKey { exchange.key }
}

extension Hop {
  /// It was asked by the host that another one asked, or in the name of that one's client.
  func isBehind(_ outer: Hop) -> Bool {
    outer.context.server.address == context.client.address || isForwarded(for: outer) || isOnHost(of: outer)
      || isAskedFor(by: outer) || isSameSpan(as: outer)
  }

  /// Proxies pass on what names one request, or a session of one client; a service that asks another one has a span of its
  /// own.
  private func isSameSpan(as outer: Hop) -> Bool {
    guard let asked = outer.exchange.request?.head?.block, let passed = exchange.request?.head?.block else {
      return false
    }
    let isSame = { (name: StaticString) in
      asked.value(name).map { !$0.isEmpty && $0 == passed.value(name) } ?? false
    }
    return isSame("traceparent") || isSame("mcp-session-id")
  }

  /// The client named this server to a forward proxy: its target is absolute, which only proxies are asked.
  private func isAskedFor(by outer: Hop) -> Bool {
    guard let asked = outer.exchange.request?.head, asked.targetForm == .absolute,
      let host = exchange.request?.head?.block.value("host"), host == asked.block.value("host")
    else { return false }
    return isSameAgent(as: outer)
  }

  func isSameAgent(as outer: Hop) -> Bool {
    guard let agent = outer.exchange.request?.head?.block.value("user-agent") else { return false }
    return agent == exchange.request?.head?.block.value("user-agent")
  }

  /// A proxy asks an origin on its own host over loopback: who captured that was there.
  private func isOnHost(of outer: Hop) -> Bool {
    context.client.address.isLoopback && !outer.context.client.address.isLoopback && isSameAgent(as: outer)
  }

  /// A proxy with an address on each side writes down for whom it asks, where the request that it got does not.
  private func isForwarded(for outer: Hop) -> Bool {
    guard let passed = exchange.request?.head, let asked = outer.exchange.request?.head,
      let list = passed.block.value("x-forwarded-for"), list != asked.block.value("x-forwarded-for"),
      let last = list.split(separator: ",").last
    else { return false }
    return last.filter { $0 != " " } == outer.context.client.address.description
  }

  /// The end of its response: of a body without a length, or one that breaks off, that of the connection.
  fileprivate var end: PacketRef? {
    guard let response = exchange.response else { return nil }
    if response.isComplete { return exchange.closing(response.direction) ?? response.last }
    let closing = context.closing(of: exchange)
    return closing.firstEnd ?? closing.at
  }
}

/// The same exchange towards the client and towards the origin.
struct HopPair: Sendable {
  let outer: Hop
  let inner: Hop

  /// The proxy by its Server field, where that is its own: Varnish, HAProxy and Squid pass on the origin's, which has to be
  /// known.
  var proxy: String {
    if let server = outer.exchange.response?.head?.block.value("server"), !server.isEmpty,
      let origin = inner.exchange.response?.head?.block, !origin.lacksFields, server != origin.value("server")
    {
      return String(server.prefix(48))
    }
    return "the proxy on \(outer.context.server)"
  }

  /// A finding about what the client asked the proxy.
  func finding(
    _ info: RuleInfo, _ message: FindingMessage, of direction: Direction = .toServer, cost: Cost,
    evidence: [Evidence?]
  ) -> Finding {
    var finding = Finding(
      info, subject: .connection(outer.context.id), exchange: outer.exchange.number, direction: direction, message,
      cost: cost, fix: info.fix, evidence: evidence.compactMap { $0 }
    ).on(outer.context.number)
    finding.parties = FindingParties(client: outer.context.client, server: outer.context.server)
    return finding
  }
}

/// Judges an exchange of which both sides of a proxy are in the capture.
protocol HopPairRule: StoryRule where Story == HopPair {}

/// Finds pairs of connections that carry the same exchange: the proxy's host is the server of one and the client of the
/// other, or asks over loopback, or the request behind it says for whom it is, or both begin and end together; the target is
/// the same, or a prefix of the path has been dropped or added; and one lies inside the other in time.
///
/// Bounded: the last `limit` shapes of requests, `perShape` exchanges of each. What is in doubt, because two fit, is not
/// joined.
struct HopMatcher: CaptureWatcher {
  private static let limit = 64
  private static let perShape = 8

  private struct Key: MixedKey {
    var method: Int
    /// The end of the target.
    var tail: Int

    @inline(__always)
    func mix(into mixer: inout WordMixer) {
      mixer.combine(method)
      mixer.combine(tail)
    }
  }

  /// Exchanges whose findings are remembered to come of what the proxy did.
  private static let heldLimit = 1_024

  /// A hop may be between two others, and is in a pair with each of them then.
  private struct Waiting: Sendable {
    let hop: Hop
    var isOuter = false
    var isInner = false
  }

  private var waiting = BoundedTable<Key, [Waiting]>(limit: limit)
  /// What the proxy did to a response, of exchanges towards the client: it held it, or cut it.
  private var held = BoundedTable<ExchangeKey, RuleID>(limit: heldLimit)
  /// The same by the exchange towards the origin.
  private var heldBehind = BoundedTable<ExchangeKey, RuleID>(limit: heldLimit)
  private var passed = PassedOn()
  private var both = PassedFindings()
  private var unanswered = UnansweredHops()
  private static let causes: Set<RuleID> = [
    HopJoined.info.id, ReadTimeout.info.id, StreamDropped.info.id, TruncationHidden.info.id,
  ]

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard asked.exchange.response != nil else {
      return unanswered.observe(asked.exchange, in: context, report: report)
    }
    for pair in take(asked, in: context) { judge(pair, in: context, report: report) }
  }

  private mutating func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    both.join(pair)
    var cause: RuleID?
    for rule in RuleIndex.hopPairRules {
      rule.judge(pair, in: context) { finding in
        if Self.causes.contains(finding.rule), finding.isDiagnosis { cause = finding.rule }
        report(finding)
      }
    }
    guard let cause else { return passed.note(pair, context.thresholds) }
    held.update(pair.outer.leg, orMake: cause) { $0 = cause }
    heldBehind.update(pair.inner.leg, orMake: cause) { $0 = cause }
  }

  /// What one connection can only suggest, both hops have proven.
  mutating func review(_ finding: inout Finding) {
    both.note(finding)
    guard let cause = proven(finding) else { return passed.review(&finding) }
    finding.causedBy = cause
    finding.message.settle()
    // The owner of the cause is known, and what would prove it has been done.
    finding.fix = nil
  }

  /// Of one that was held until the pair was known.
  func cause(of finding: Finding) -> RuleID? { proven(finding) ?? unanswered.cause(of: finding) }

  /// Of one that its origin's side explains, which is a finding of another connection.
  func origin(of finding: Finding) -> RuleID? {
    if let cause = finding.leg.flatMap({ heldBehind[$0] }), Consequences.follows(finding.rule, from: cause) {
      return cause
    }
    return passed.cause(of: finding) ?? both.cause(of: finding) ?? unanswered.origin(of: finding)
  }

  /// Of a request that the proxy gave up because its client did.
  func cause(ofUnanswered leg: ExchangeKey) -> RuleID? { unanswered.cause(ofLeft: leg) }

  /// Whether a proxy passed on all that a finding about an endpoint is about.
  func isPassedOn(_ finding: Finding) -> Bool { both.areErrors(of: finding) }

  /// What is to be done about one that is proven by both sides.
  func fix(of finding: Finding) -> String? { both.fix(of: finding) }

  private func proven(_ finding: Finding) -> RuleID? {
    guard finding.causedBy == nil, let leg = finding.leg, let cause = held[leg], finding.rule != cause,
      Consequences.follows(finding.rule, from: cause)
    else { return nil }
    return cause
  }

  /// Takes the next exchange, and answers the pairs that it completes.
  private mutating func take(_ asked: AskedExchange, in context: FlowContext) -> [HopPair] {
    guard asked.exchange.response?.head != nil else { return [] }
    var new = Waiting(hop: Hop(asked, context))
    var found: [HopPair] = []
    waiting.update(Key(method: asked.key.method, tail: asked.key.tail), orMake: []) { others in
      // The hop behind the proxy is usually over first, but a client may leave before.
      let inner = Self.only(
        others.indices.filter { !others[$0].isInner && Self.isPair(outer: new.hop, inner: others[$0].hop) }
      ) {
        others[$0].hop.target == new.hop.target
      }
      let outer = Self.only(
        others.indices.filter { !others[$0].isOuter && Self.isPair(outer: others[$0].hop, inner: new.hop) }
      ) {
        others[$0].hop.target == new.hop.target
      }
      if let inner {
        found.append(HopPair(outer: new.hop, inner: others[inner].hop))
        (new.isOuter, others[inner].isInner) = (true, true)
      }
      if let outer {
        found.append(HopPair(outer: others[outer].hop, inner: new.hop))
        (new.isInner, others[outer].isOuter) = (true, true)
      }
      if others.count == Self.perShape { others.remove(at: others.firstIndex { $0.isOuter || $0.isInner } ?? 0) }
      others.append(new)
    }
    return found
  }

  /// The one that fits; of several, the one that fits best, if there is only one of those.
  private static func only(_ places: [Int], best: (Int) -> Bool) -> Int? {
    let places = places.count > 1 ? places.filter(best) : places
    return places.count == 1 ? places[0] : nil
  }

  private static func isPair(outer: Hop, inner: Hop) -> Bool {
    // Most of those that are compared lie behind one another.
    guard let own = outer.packets, let other = inner.packets, own.asked < other.asked, other.asked < own.answered,
      other.answered < own.answered
    else { return false }
    guard outer.context.id != inner.context.id, outer.context.server != inner.context.server,
      inner.isBehind(outer) || isTwin(inner, of: outer),
      let answered = outer.exchange.response, let came = inner.exchange.response
    else { return false }
    return inner.exchange.status == outer.exchange.status && isSameBody(answered, came)
      && (outer.target == inner.target || isRewritten(outer, inner))
  }

  /// Proxies drop a prefix of the path, or add one. Services ask each other for the like, too: the client's name must be
  /// passed on.
  private static func isRewritten(_ outer: Hop, _ inner: Hop) -> Bool {
    guard let asked = outer.exchange.request?.head, let passed = inner.exchange.request?.head,
      inner.isSameAgent(as: outer)
    else { return false }
    let paths = [asked.path, passed.path].sorted { $0.utf8.count < $1.utf8.count }
    return paths[0].hasPrefix("/") && paths[1].hasSuffix(paths[0])
  }

  /// How soon a proxy passes on a request, and the end of a response.
  private static let prompt: Int64 = 20_000_000
  /// Exchanges that are over sooner lie within others by chance.
  private static let telling = 5 * prompt

  /// A proxy with an address on each side that writes down nothing: the same request of the same agent, passed on at once,
  /// and a response of the same bytes that ends with the one behind it, some time later. Clients that ask two servers for
  /// the same thing do not end together, too.
  private static func isTwin(_ inner: Hop, of outer: Hop) -> Bool {
    guard inner.context.client.address != outer.context.client.address, let asked = outer.exchange.request,
      let passed = inner.exchange.request, passed.first.time.since(asked.last.time) <= prompt,
      let answered = outer.exchange.response, answered.bodyBytes > 0, let end = inner.end, let answeredEnd = outer.end
    else { return false }
    // Two servers seldom fail alike upon the same body at the same time; health checks have none.
    let isFailure = outer.exchange.status.code >= 500 && asked.bodyBytes > 0 && asked.bodyBytes == passed.bodyBytes
    let isTelling = isFailure || end.time.since(asked.last.time) >= telling
    return isTelling && answeredEnd.time.apart(from: end.time) <= prompt && inner.isSameAgent(as: outer)
  }

  /// As many bytes, content decoded; where one of them broke off, no more than there should be.
  private static func isSameBody(_ outer: Message, _ inner: Message) -> Bool {
    guard let passed = length(outer), let came = length(inner) else { return true }
    return outer.isComplete && inner.isComplete ? passed == came : passed <= came
  }

  private static func length(_ message: Message) -> UInt64? {
    guard message.end?.isCaptured == true else { return nil }
    guard let content = message.content else { return message.bodyBytes }
    return content.outcome == .decoded ? content.bytes : nil
  }
}
