import Citation
import Events
import HTTPSemantics

/// The same key in two handshakes: the two hops of a proxy, which passes it on as it is, or a client that does not make a
/// new one.
///
/// Bounded: the last keys, and of each the first connections that had it.
struct KeyMatches: Sendable {
  static let infos: [RuleInfo] = [reused, hop, stripped]

  private static let reused = RuleInfo(
    id: "ws/hs-key-reused", severity: .warning,
    summary: "Two connections use the same Sec-WebSocket-Key.",
    explanation: """
      The key is to be random for each connection, so that no cached or replayed 101 can pass for an answer. A key that comes \
      again is a constant in a client's code, often the sample of RFC 6455, or a request that was replayed.
      """,
    evidence: """
      The key of both. Where the second request begins inside the first one's handshake, it is the same request behind a \
      proxy: ws/proxy-hop.
      """,
    fix: "Client: make sixteen random bytes for every connection.", specifications: [.webSocket("4.1")], since: "0.1")

  private static let hop = RuleInfo(
    id: "ws/proxy-hop", severity: .note,
    summary: "Two connections are the two hops of one WebSocket.",
    explanation: """
      A proxy passes Sec-WebSocket-Key on as it is, so that both hops of a handshake can be found in one capture. What is \
      late, changed or cut on the way is then the proxy's or the server's, and the two hops tell whose.
      """,
    evidence: "The key on the hop to the client, and on the hop to the server.",
    fix: "Nobody has to do anything; compare the two connections.", specifications: [.webSocket("4.1")], since: "0.1")

  static let stripped = RuleInfo(
    id: "ws/hs-stripped-by-proxy", severity: .warning,
    summary: "A proxy took the upgrade out of a request for WebSocket.",
    explanation: """
      The client's request is in order; behind the proxy the same request, with the same key, has no Upgrade, no Connection: \
      Upgrade, or is HTTP/1.0. Upgrade concerns one hop, and a proxy drops it unless it is told to forward it.
      """,
    evidence: "The two request lines, and what is left of the fields behind the proxy.",
    fix: """
      Proxy: nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"; \
      Apache: ProxyPass with upgrade=websocket.
      """,
    specifications: [.http("7.6.1"), .webSocket("4.1")], since: "0.1")

  private struct Sighting: Sendable {
    let upgrade: Upgrade
    let context: FlowContext

    var asked: UInt64 { upgrade.request.first.number }
    /// Up to where another request may be the same behind a proxy.
    var answered: UInt64 { upgrade.response?.first.number ?? .max }

    func isOuter(of other: Sighting) -> Bool {
      asked < other.asked && other.asked < answered
        && (other.upgrade.response == nil || upgrade.response == nil || other.answered < answered)
    }
  }

  private static let limit = 128
  private static let perKey = 4

  private var sightings = BoundedTable<[UInt8], [Sighting]>(limit: Self.limit)
  /// Handshakes that a proxy spoiled: what they were answered stands under that.
  private var spoiled: [(flow: FlowID, exchange: Int)] = []

  mutating func observe(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    guard let field = upgrade.key else { return }
    let key = Array(upgrade.block.bytes[field.value.clamped(to: upgrade.block.bytes.indices)])
    guard !key.isEmpty, key.count <= 64 else { return }
    let sighting = Sighting(upgrade: upgrade, context: context)
    var pairs: [(outer: Sighting, inner: Sighting)] = []
    var earlier: Sighting?
    sightings.update(key, orMake: []) { list in
      for other in list where other.context.id != context.id {
        if other.isOuter(of: sighting) {
          pairs.append((other, sighting))
        } else if sighting.isOuter(of: other) {
          pairs.append((sighting, other))
        } else if earlier == nil {
          earlier = other
        }
      }
      if list.count < Self.perKey { list.append(sighting) }
    }
    for pair in pairs { join(pair.outer, pair.inner, report) }
    if pairs.isEmpty, let earlier { tell(earlier, sighting, report) }
  }

  /// A refusal that a proxy caused stands under that.
  func review(_ finding: inout Finding) {
    guard finding.causedBy == nil, finding.rule.text.hasPrefix("ws/hs-refused") else { return }
    guard
      spoiled.contains(where: { finding.subject == .connection($0.flow) && finding.exchange == $0.exchange })
    else { return }
    finding.causedBy = Self.stripped.id
  }

  private mutating func join(_ outer: Sighting, _ inner: Sighting, _ report: (Finding) -> Void) {
    guard let asked = outer.upgrade.key, let passed = inner.upgrade.key else { return }
    let added: String
    if let whole = outer.upgrade.exchange.wait, let behind = inner.upgrade.exchange.wait, whole >= behind {
      added = "; of \(Wording.duration(whole)) the handshake took, the proxy added \(Wording.duration(whole - behind))"
    } else {
      added = ""
    }
    report(
      Finding(
        Self.hop, subject: .connection(outer.context.id), exchange: outer.upgrade.exchange.number, direction: .toServer,
        FindingMessage(
          "\(outer.upgrade.exchange.title): connection #\(inner.context.number) carries the same handshake behind a proxy\(added)."
        ),
        cost: .none,
        evidence: [
          outer.upgrade.field(asked, "from the client"), inner.upgrade.field(passed, "the same, behind the proxy"),
        ]
      ).on(outer.context.number))
    judge(outer, inner, report)
  }

  private mutating func judge(_ outer: Sighting, _ inner: Sighting, _ report: (Finding) -> Void) {
    guard outer.upgrade.hasToken, outer.upgrade.namesUpgrade, outer.upgrade.head.version >= .http11 else { return }
    let behind = inner.upgrade
    var lost: [String] = []
    if !behind.hasToken { lost.append("Upgrade is gone") }
    if !behind.namesUpgrade {
      let value = behind.block.value("connection").map { "Connection says \"\(HeaderBlock.shown($0))\"" }
      lost.append(value ?? "Connection is gone")
    }
    if behind.head.version < .http11 { lost.append("it is HTTP/\(behind.head.version)") }
    guard !lost.isEmpty else { return }
    let isRefused = outer.upgrade.isRefused || outer.upgrade.response == nil
    if isRefused, spoiled.count < Self.limit { spoiled.append((outer.context.id, outer.upgrade.exchange.number)) }
    report(
      Finding(
        Self.stripped, subject: .connection(outer.context.id), exchange: outer.upgrade.exchange.number,
        direction: .toServer,
        FindingMessage(
          "\(outer.upgrade.exchange.title): the proxy passed the request on as connection #\(inner.context.number), and \(lost.joined(separator: ", "))."
        ), cost: isRefused ? .failed(.exchange) : .none, fix: Self.stripped.fix,
        evidence: outer.upgrade.line("to the proxy") + behind.line("behind it")
          + [behind.block.first("connection").map { behind.field($0, "behind it") }].compactMap { $0 }
      ).on(outer.context.number))
  }

  private func tell(_ first: Sighting, _ second: Sighting, _ report: (Finding) -> Void) {
    let (first, second) = first.asked < second.asked ? (first, second) : (second, first)
    guard let one = first.upgrade.key, let other = second.upgrade.key else { return }
    report(
      Finding(
        Self.reused, subject: .connection(second.context.id), exchange: second.upgrade.exchange.number,
        direction: .toServer,
        FindingMessage(
          "\(second.upgrade.exchange.title): the key is that of connection #\(first.context.number)."), cost: .none,
        fix: Self.reused.fix,
        evidence: [first.upgrade.field(one, "the key"), second.upgrade.field(other, "the same key again")]
      ).on(second.context.number))
  }
}
