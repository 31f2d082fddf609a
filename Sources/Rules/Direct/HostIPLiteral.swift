import Citation
import Events
import HTTPSemantics
import TLSSemantics

/// A Host field with an address, from a client that knows the server's name.
///
/// Judged when the capture is read, for the name may come later. Kept: of at most `limit` pairs of addresses, the first
/// exchange under a name and the one under an address that is worth quoting.
struct HostIPLiteral: CaptureRule {
  static let info = RuleInfo(
    id: "direct/host-ip-literal", severity: .warning, confidence: .medium,
    summary: "A request names an address as its host although the client knows the server by name.",
    explanation: """
      The Host field picks the site on a server that holds several, and cookies, caches and redirects go by it. A \
      client that resolves names itself and writes the address into the URL sends the address in Host, too, unless the \
      field is restored: the server then answers for its default site, often with 404 or 403, and the user is signed \
      out. Under TLS the same rewriting loses the server name and breaks the certificate check.
      """,
    evidence: """
      The Host field with the address, and the same client's Host field or ClientHello with a name for the same server \
      address, earlier or later. Without such a name the address may be all there is, and the rule is silent; so it is \
      for loopback and for requests to a proxy. Health checks of load balancers do this intentionally. A server name \
      in TLS counts as a name; one in DNS does not.
      """,
    fix: """
      Client: after rewriting the URL set Host to the name, and with TLS the server name and the name that is verified; \
      better, give the library a resolver (curl --resolve, OkHttp Dns, Network.framework endpoints) and leave URLs alone.
      """,
    specifications: [
      Specification("RFC 9110 §7.2", "https://www.rfc-editor.org/rfc/rfc9110#section-7.2"),
      Specification("RFC 3986 §3.2.2", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2"),
    ],
    since: "0.1")

  private static let limit = 4_096
  /// Answers of a server that does not know a site, or will not say.
  private static let strange: Set<UInt16> = [400, 403, 404, 410, 421, 500, 502, 503]

  private struct Parties: MixedKey {
    var client: IPAddress
    var server: IPAddress

    func mix(into mixer: inout WordMixer) {
      client.mix(into: &mixer)
      server.mix(into: &mixer)
    }
  }

  /// A request under an address.
  private struct Direct {
    var literal: String
    var title: String
    var connection: FlowContext
    var exchange: Int
    var direction: Direction
    var evidence: [Evidence]
    var isRefused: Bool

    var port: UInt16 { connection.server.port }
  }

  private struct Named {
    var host: String
    var evidence: Evidence
    var port: UInt16
    var isAnswered: Bool
  }

  /// Of one pair. Each in an array of one or none, because they are large and most pairs have one of them.
  private struct Seen {
    var direct: [Direct] = []
    var named: [Named] = []
    var directs: UInt64 = 0
  }

  /// In the order of their first exchanges, so that the findings have one.
  private var seen: [Seen] = []
  private var places = BoundedTable<Parties, Int>(limit: HostIPLiteral.limit)

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for seen in seen {
      if let finding = Self.finding(seen) { report(finding) }
    }
    seen.removeAll()
    places = BoundedTable(limit: Self.limit)
  }

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let head = asked.head
    guard let field = head.authority, !field.value.isEmpty,
      head.targetForm == .origin || head.targetForm == .asterisk
    else { return }
    let parties = Parties(client: context.client.address, server: context.server.address)
    if let place = places[parties] {
      return Self.take(asked, field, context, into: &seen[place])
    }
    guard seen.count < Self.limit else { return }
    var first = Seen()
    Self.take(asked, field, context, into: &first)
    guard !first.direct.isEmpty || !first.named.isEmpty else { return }
    places.update(parties, orMake: seen.count) { _ in }
    seen.append(first)
  }

  /// The name in a ClientHello.
  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard case .tlsClosed(let session) = event, let context, let name = session.serverName, !name.isEmpty,
      !HostText.isAddress(name), let hello = session.hellos.client,
      session.client == .toServer
    else { return }
    let parties = Parties(client: context.client.address, server: context.server.address)
    let named = Named(
      host: name, evidence: Evidence(.bytes(hello.span, .toServer), "the name, used here"), port: context.server.port,
      isAnswered: false)
    if let place = places[parties] {
      if seen[place].named.isEmpty { seen[place].named = [named] }
    } else if seen.count < Self.limit {
      places.update(parties, orMake: seen.count) { _ in }
      seen.append(Seen(named: [named]))
    }
  }

  private static func take(
    _ asked: AskedExchange, _ field: HeaderField, _ context: FlowContext, into seen: inout Seen
  ) {
    let (exchange, request, head) = (asked.exchange, asked.request, asked.head)
    let value = head.block.bytes[field.value.clamped(to: 0..<head.block.bytes.count)]
    // Most exchanges are under a name that is known already.
    if seen.named.first?.isAnswered == true, value.first.map({ !$0.isDigit && $0 != UInt8(ascii: "[") }) ?? true {
      return
    }
    guard let literal = AddressLiteral(host: value) else {
      let isAnswered = 200..<400 ~= exchange.status.code
      guard seen.named.allSatisfy({ isAnswered && !$0.isAnswered }) else { return }
      seen.named = [
        Named(
          host: head.block.text(of: field.value),
          evidence: .field(field, head, request.direction, "the name, used here"), port: context.server.port,
          isAnswered: isAnswered)
      ]
      return
    }
    guard !literal.isLoopback else { return }
    seen.directs += 1
    let isRefused = strange.contains(exchange.status.code)
    // The first one, or the first one that was refused.
    guard seen.direct.allSatisfy({ isRefused && !$0.isRefused }) else { return }
    var evidence = [Evidence.field(field, head, request.direction, "an address in the place of a name")]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    seen.direct = [
      Direct(
        literal: literal.text, title: exchange.title, connection: context, exchange: exchange.number,
        direction: request.direction, evidence: evidence, isRefused: isRefused)
    ]
  }

  private static func finding(_ seen: Seen) -> Finding? {
    guard let direct = seen.direct.first, let named = seen.named.first else { return nil }
    let isHurt = direct.isRefused && named.isAnswered && direct.port == named.port
    var finding = Finding(
      info, confidence: direct.port == named.port ? .medium : .low, subject: .connection(direct.connection.id),
      exchange: direct.exchange, direction: direct.direction,
      .address(direct.title, direct.literal, named.host, seen.directs, isHurt: isHurt),
      cost: isHurt ? .failed(.exchange) : .none,
      fix: Self.info.fix,
      evidence: direct.evidence + [named.evidence])
    finding.connection = direct.connection.number
    finding.count = seen.directs
    return finding
  }
}

extension FindingMessage {
  fileprivate static func address(
    _ title: String, _ literal: String, _ name: String, _ count: UInt64, isHurt: Bool
  ) -> Self {
    let others = count > 1 ? " (\(Wording.number(count)) requests do)" : ""
    return isHurt
      ? "\(title): the request gives the address \(literal) as its host\(others); under the name \(name) the same server answers."
      : "\(title): the request gives the address \(literal) as its host\(others); the same client names this server \(name), too."
  }
}
