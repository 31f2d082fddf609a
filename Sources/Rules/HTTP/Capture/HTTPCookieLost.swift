import Citation
import Events
import HTTPSemantics

/// A cookie that a client had, and no longer sent.
struct HTTPCookieLost: CaptureRule {
  static let info = RuleInfo(
    id: "http/cookie-lost", severity: .warning, confidence: .medium,
    summary: "A request lacks the cookies that the same client had for this host.",
    explanation: """
      The client had sent these cookies to this Host and path, or had just been given them, and this request came without. \
      It happens where a request is rebuilt on its way: rewritten to an IP address, redirected by hand, sent through an \
      intercepting URL protocol or another session. The user is signed out, though the login was right.
      """,
    evidence: """
      The request that had the cookies or the response that set them, and the one without; by name, never by value. The \
      same client means the same address and User-Agent. Requests from another site, expired and deleted cookies, Secure \
      ones, and those of another path are not expected. A client that removes a cookie by script looks the same. A cookie \
      that was set and never sent back counts where the client sends others, or the server sets it once more.
      """,
    fix: """
      Client: copy the Cookie field when rebuilding a request, or let the session that owns the cookies send it, with the \
      original host name in Host.
      """,
    specifications: [
      Specification("RFC 6265 §5.4", "https://www.rfc-editor.org/rfc/rfc6265#section-5.4")
    ],
    since: "0.1")

  fileprivate struct Cookie: Sendable {
    var name: String
    /// Where it is known to be sent: the path of a Set-Cookie, or what the requests that had it have in common.
    var path: String
    var wasSent: Bool
    var expires = Timestamp.distantFuture
    /// The packet that showed it last.
    var packet: PacketRef
    var direction: Direction
  }

  fileprivate struct Jar: Sendable {
    var cookies: [Cookie] = []
    var isTold = false
    /// Of the path and the cookies of the last request; nil after others were set.
    var asked: Int?
    var last = PacketRef.none
  }

  private static let cookieLimit = 16

  private var jars = BoundedTable<Asker, Jar>(limit: 512)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, request, head, key) = (asked.exchange, asked.request, asked.head, asked.key)
    let cookie = head.block.first("cookie")
    let sets = exchange.response?.head?.block.first("set-cookie") != nil
    let asker = key.asker
    guard cookie != nil || sets || jars.has(asker) else { return }
    jars.update(asker, orMake: Jar()) { jar in
      var hasher = Hasher()
      hasher.combine(key.path)
      if let cookie { hasher.combine(head.block.bytes[cookie.value.clamped(to: head.block.bytes.indices)]) }
      let asked = hasher.finalize()
      // The same path with the same cookies as the last time: the usual case, and nothing new.
      if cookie != nil, !sets, asked == jar.asked, !exchange.status.isError {
        jar.renew(request.first)
        return
      }
      jar.asked = asked
      jar.last = request.first
      let path = head.path
      Self.judge(&jar, exchange, request, head, path, context, report)
      for name in Self.names(head) {
        jar.note(name, sentOn: path, request.first, limit: Self.cookieLimit)
      }
      if let response = exchange.response, let answer = response.head {
        if sets { jar.asked = nil }
        Self.judgeUnsent(&jar, exchange, request, head, path, context, report)
        for field in answer.block.all("set-cookie") {
          jar.note(
            SetCookie(answer.block, field, at: response.first.time), path, response.first,
            isKept: context.isSecure, limit: Self.cookieLimit)
        }
      }
    }
  }

  private static func judge(
    _ jar: inout Jar, _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ path: String,
    _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard !jar.isTold, !jar.cookies.isEmpty, !isFromElsewhere(head) else { return }
    let isRefused = exchange.status.code == 401 || exchange.status.code == 403
    let sent = Set(names(head))
    // Single cookies come and go by script; that all are gone, or that the server refuses, is something else.
    guard sent.isEmpty || isRefused else { return }
    let missing = jar.cookies.filter { cookie in
      !sent.contains(cookie.name) && (cookie.wasSent || isRefused) && CookiePath.covers(cookie.path, path)
        && cookie.packet.number < request.first.number && cookie.expires > request.first.time
    }
    guard let last = missing.max(by: { $0.packet.number < $1.packet.number }) else { return }
    jar.isTold = true
    report(
      Finding(
        info, severity: isRefused ? .error : .warning,
        confidence: missing.contains(where: \.wasSent) ? .medium : .low, subject: .connection(context.id),
        exchange: exchange.number, direction: .toServer,
        """
        \(exchange.title): the request lacks \(Self.words(missing.map(\.name))), which this \
        client had for this host \(Wording.duration(request.first.time.since(last.packet.time))) before.
        """, cost: isRefused ? .failed(.exchange) : .none,
        fix: Self.info.fix,
        evidence: [
          Evidence(
            .packet(last.packet, last.direction), last.wasSent ? "sent to this host" : "set by this host"),
          Evidence(.packet(request.first, .toServer), sent.isEmpty ? "no Cookie field" : "not among the cookies sent"),
        ] + (isRefused ? [Evidence.status(exchange.response, "the answer")].compactMap { $0 } : [])
      ).on(context.number))
  }

  /// A client takes a second at most to use a cookie that was set.
  private static let inUse: Int64 = 1_000_000_000

  /// What was set and never sent: the client sends others, or the server sets it again.
  private static func judgeUnsent(
    _ jar: inout Jar, _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ path: String,
    _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard !jar.isTold, jar.cookies.contains(where: { !$0.wasSent }), !isFromElsewhere(head),
      let response = exchange.response, let answer = response.head
    else { return }
    let sent = Set(names(head))
    let again = Set(answer.block.all("set-cookie").map { SetCookie(answer.block, $0, at: response.first.time).name })
    let unsent = jar.cookies.first { cookie in
      !cookie.wasSent && !sent.contains(cookie.name) && (!sent.isEmpty || again.contains(cookie.name))
        && CookiePath.covers(cookie.path, path) && cookie.expires > request.first.time
        && request.first.time.since(cookie.packet.time) >= inUse
    }
    guard let unsent else { return }
    jar.isTold = true
    let how = again.contains(unsent.name) ? "and the server sets it again" : "though it sends others"
    report(
      Finding(
        info, severity: .note, confidence: .low, subject: .connection(context.id), exchange: exchange.number,
        direction: .toServer,
        """
        \(exchange.title): the client does not send back \(Self.words([unsent.name])), which the server had set \
        \(Wording.duration(request.first.time.since(unsent.packet.time))) before, \(how).
        """, cost: .none, fix: Self.info.fix,
        evidence: [
          Evidence(.packet(unsent.packet, .toClient), "set by this host"),
          Evidence(.packet(request.first, .toServer), sent.isEmpty ? "no Cookie field" : "not among the cookies sent"),
        ]
      ).on(context.number))
  }

  /// `the cookies session, theme`; the names, and no value.
  static func words(_ names: [String]) -> String {
    (names.count == 1 ? "the cookie " : "the cookies ") + names.prefix(4).joined(separator: ", ")
      + (names.count > 4 ? " and others" : "")
  }

  /// Names in the Cookie fields.
  static func names(_ head: MessageHead) -> [String] {
    let bytes = head.block.bytes
    return head.block.all("cookie").flatMap { field in
      FieldList.split(bytes.span, field.value, at: UInt8(ascii: ";")).map { pair in
        String(head.block.text(of: pair).prefix { $0 != "=" })
      }
    }.filter { !$0.isEmpty }
  }

  /// A browser leaves cookies out on purpose: of another site, or of a fetch without credentials.
  static func isFromElsewhere(_ head: MessageHead) -> Bool {
    head.block.first("origin") != nil || head.block.first("sec-fetch-mode") != nil || head.method == .options
  }
}

extension HTTPCookieLost.Jar {
  /// What was sent with the last request was sent with this one, too.
  fileprivate mutating func renew(_ packet: PacketRef) {
    for index in cookies.indices where cookies[index].wasSent && cookies[index].packet == last {
      cookies[index].packet = packet
    }
    last = packet
  }

  fileprivate mutating func note(_ name: String, sentOn path: String, _ packet: PacketRef, limit: Int) {
    if let at = cookies.firstIndex(where: { $0.name == name }) {
      if cookies[at].wasSent { cookies[at].path = CookiePath.common(cookies[at].path, path) }
      cookies[at].wasSent = true
      cookies[at].packet = packet
      cookies[at].direction = .toServer
    } else if cookies.count < limit {
      cookies.append(HTTPCookieLost.Cookie(name: name, path: path, wasSent: true, packet: packet, direction: .toServer))
    }
  }

  /// `isKept` whether a cookie that asks for TLS is kept: jars are of one scheme.
  fileprivate mutating func note(
    _ set: SetCookie, _ path: String, _ packet: PacketRef, isKept: Bool, limit: Int
  ) {
    let isRefused = set.isSecure && !isKept
    if let known = cookies.firstIndex(where: { $0.name == set.name }) {
      if isRefused || set.name.isEmpty || set.expires <= packet.time {
        cookies.remove(at: known)
      } else {
        cookies[known].expires = set.expires
      }
      return
    }
    guard !isRefused, !set.name.isEmpty, set.expires > packet.time, cookies.count < limit else { return }
    cookies.append(
      HTTPCookieLost.Cookie(
        name: set.name, path: set.path ?? CookiePath.directory(of: path), wasSent: false, expires: set.expires,
        packet: packet,
        direction: .toClient))
  }
}
