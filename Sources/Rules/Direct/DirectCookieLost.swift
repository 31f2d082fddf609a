import Citation
import Events
import HTTPSemantics

/// A request by address without the cookies that the client has for the name.
///
/// Bounded: of the last `limit` clients and servers, the names of cookies and where they were sent.
struct DirectCookieLost: CaptureRule, LostCookieRule {
  static let info = RuleInfo(
    id: "direct/cookie-lost", severity: .warning, confidence: .medium,
    summary: "A request sent by address lacks the cookies that the client has for the name.",
    explanation: """
      Clients store cookies by the host of the URL. Where the URL was rewritten to an address, by a private resolver \
      or an intercepting URL protocol, the library looks for cookies of the address and finds none; a Host field \
      restored by hand comes too late. The user is signed out on exactly the requests that were rewritten, and cookies \
      that the answers set are stored under the address, too.
      """,
    evidence: """
      A request under the name that had the cookies, and the one by address that has none: its Host field is an address of \
      the same server, or DNS gave the client other addresses for its name (direct/connect-mismatch). By name, never by \
      value. The same client means the same address and User-Agent. Requests to other paths, from other sites, and \
      cookies that were deleted meanwhile are not expected.
      """,
    fix: """
      Client: take the cookies of the original URL from the store and set the Cookie field when rewriting, and store \
      cookies of the answer under the name; better, give the library a resolver and leave URLs alone.
      """,
    specifications: [
      Specification("RFC 6265 §5.4", "https://www.rfc-editor.org/rfc/rfc6265#section-5.4")
    ],
    since: "0.1")

  fileprivate static let cookieLimit = 16

  private struct Pair: MixedKey {
    var client: IPAddress
    var agent: Int
    /// With the port: what listens on another one is another service, with sessions of its own.
    var server: Endpoint

    func mix(into mixer: inout WordMixer) {
      client.mix(into: &mixer)
      mixer.combine(agent)
      server.mix(into: &mixer)
    }
  }

  fileprivate struct Cookie: Sendable {
    var name: String
    /// What the requests that had it have in common.
    var path: String
    var packet: PacketRef
    var host: String
  }

  fileprivate struct Jar: Sendable {
    var cookies: [Cookie] = []
    var isTold = false
    /// Of path and cookies of the last request: the usual case is the same again.
    var last = 0
  }

  private var jars = BoundedTable<Pair, Jar>(limit: 512)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, request, head, key) = (asked.exchange, asked.request, asked.head, asked.key)
    let cookie = head.block.first("cookie")
    let pair = Pair(client: context.client.address, agent: key.asker.agent, server: context.server)
    guard cookie != nil || jars.has(pair), head.targetForm == .origin, let host = head.authority else {
      return
    }
    let bytes = head.block.bytes
    let value = bytes[host.value.clamped(to: bytes.indices)]
    if let literal = AddressLiteral(host: value) {
      guard cookie == nil, !literal.isLoopback, jars.has(pair) else { return }
      jars.update(pair, orMake: Jar()) { jar in
        guard !jar.isTold, let finding = Self.finding(exchange, request, head, host, literal, jar.cookies, context)
        else { return }
        jar.isTold = true
        report(finding)
      }
      return
    }
    jars.update(pair, orMake: Jar()) { jar in
      var hasher = Hasher()
      hasher.combine(key.path)
      hasher.combine(key.asker.authority)
      if let cookie { hasher.combine(bytes[cookie.value.clamped(to: bytes.indices)]) }
      let asked = hasher.finalize()
      defer { jar.last = asked }
      if asked != jar.last, cookie != nil {
        for name in HTTPCookieLost.names(head) {
          jar.note(name, head.path, head.block.text(of: host.value), request.first)
        }
      }
      guard let answer = exchange.response, let answered = answer.head else { return }
      for field in answered.block.all("set-cookie") {
        let set = SetCookie(answered.block, field, at: answer.first.time)
        if set.expires <= answer.first.time { jar.cookies.removeAll { $0.name == set.name } }
      }
    }
  }

  private static func finding(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ host: HeaderField, _ literal: AddressLiteral,
    _ cookies: [Cookie], _ context: FlowContext
  ) -> Finding? {
    guard !HTTPCookieLost.isFromElsewhere(head) else { return nil }
    let path = head.path
    let missing = cookies.filter { CookiePath.covers($0.path, path) && $0.packet.number < request.first.number }
    guard let last = missing.max(by: { $0.packet.number < $1.packet.number }) else { return nil }
    let isRefused = exchange.status.code == 401 || exchange.status.code == 403
    var evidence = [
      Evidence(.packet(last.packet, .toServer), "sent to \(last.host)"),
      Evidence.field(host, head, request.direction, "an address, and no Cookie field"),
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    return Finding(
      info, severity: isRefused ? .error : .warning, subject: .connection(context.id), exchange: exchange.number,
      direction: .toServer,
      """
      \(exchange.title): the request to \(literal.text) lacks \(HTTPCookieLost.words(missing.map(\.name))), which this client \
      sent to the same server under the name \(last.host) \(Wording.duration(request.first.time.since(last.packet.time))) \
      before.
      """,
      cost: isRefused ? .failed(.exchange) : .none,
      fix: Self.info.fix, evidence: evidence
    ).on(context.number)
  }

  /// What explains a lost cookie: its request went past DNS.
  static func judge(_ lost: LostCookie, in context: FlowContext, report: (Finding) -> Void) {
    let finding = lost.finding
    let given = Wording.addresses(lost.given)
    var lead = Finding(
      info, severity: finding.severity, subject: finding.subject, exchange: finding.exchange, direction: .toServer,
      """
      \(lost.asked.exchange.title): the request for \(lost.name) went to \(context.server.address) instead of \(given), and without the \
      cookies that this client had for the name.
      """,
      cost: finding.cost,
      fix: Self.info.fix,
      evidence: finding.evidence + [Evidence(.packet(lost.answer, nil), "DNS: \(lost.name) is \(given)")])
    lead.connection = finding.connection
    report(lead)
  }
}

extension DirectCookieLost.Jar {
  fileprivate mutating func note(_ name: String, _ path: String, _ host: String, _ packet: PacketRef) {
    if let at = cookies.firstIndex(where: { $0.name == name }) {
      cookies[at].path = CookiePath.common(cookies[at].path, path)
      cookies[at].packet = packet
      cookies[at].host = host
    } else if cookies.count < DirectCookieLost.cookieLimit {
      cookies.append(DirectCookieLost.Cookie(name: name, path: path, packet: packet, host: host))
    }
  }
}
