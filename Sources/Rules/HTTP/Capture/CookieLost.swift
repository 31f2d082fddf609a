import Events
import HTTPSemantics
import Trace

/// A cookie that a client had, and did not send any more.
struct CookieLost: Sendable {
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
      ones, and those of another path are not expected. A client that removes a cookie by script looks the same.
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

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ key: RequestKey, in context: FlowContext,
    report: (Finding) -> Void
  ) {
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
        for field in answer.block.all("set-cookie") {
          jar.note(
            SetCookie(answer.block, field, at: response.first.time), path, response.first, limit: Self.cookieLimit)
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
    // Single cookies come and go by script; that all are gone, or that the server minds, is something else.
    guard sent.isEmpty || isRefused else { return }
    let missing = jar.cookies.filter { cookie in
      !sent.contains(cookie.name) && (cookie.wasSent || isRefused) && Self.path(path, isIn: cookie.path)
        && cookie.packet.number < request.first.number && cookie.expires > request.first.time
    }
    guard let last = missing.max(by: { $0.packet.number < $1.packet.number }) else { return }
    jar.isTold = true
    let names = missing.prefix(4).map(\.name).joined(separator: ", ") + (missing.count > 4 ? " and others" : "")
    report(
      Finding(
        info, severity: isRefused ? .error : .warning,
        confidence: missing.contains(where: \.wasSent) ? .medium : .low, subject: .connection(context.id),
        exchange: exchange.number, direction: .toServer,
        """
        \(exchange.title): the request lacks \(missing.count == 1 ? "the cookie" : "the cookies") \(names), which this \
        client had for this host \(Wording.duration(request.first.time.since(last.packet.time))) before.
        """, cost: isRefused ? .failed(.exchange) : .none,
        fix: "Client: copy the Cookie field when a request is rebuilt.",
        evidence: [
          Evidence(
            .packet(last.packet, last.direction), last.wasSent ? "sent to this host" : "set by this host"),
          Evidence(.packet(request.first, .toServer), sent.isEmpty ? "no Cookie field" : "not among the cookies sent"),
        ] + (isRefused ? [Evidence.status(exchange.response, "the answer")].compactMap { $0 } : [])
      ).on(context.number))
  }

  /// Names in the Cookie fields.
  private static func names(_ head: MessageHead) -> [String] {
    let bytes = head.block.bytes
    return head.block.all("cookie").flatMap { field in
      FieldList.split(bytes.span, field.value, at: UInt8(ascii: ";")).map { pair in
        String(head.block.text(of: pair).prefix { $0 != "=" })
      }
    }.filter { !$0.isEmpty }
  }

  /// A browser leaves cookies out on purpose: of another site, or of a fetch without credentials.
  private static func isFromElsewhere(_ head: MessageHead) -> Bool {
    head.block.first("origin") != nil || head.block.first("sec-fetch-mode") != nil || head.method == .options
  }

  /// RFC 6265 §5.1.4.
  private static func path(_ path: String, isIn cookie: String) -> Bool {
    path == cookie || (path.hasPrefix(cookie) && (cookie.hasSuffix("/") || path.dropFirst(cookie.count).first == "/"))
  }
}

/// A Set-Cookie field, without the value.
fileprivate struct SetCookie {
  var name = ""
  var path: String?
  var isSecure = false
  /// When it ends, to the day: on that day it is not expected any more.
  var expires = Timestamp.distantFuture

  init(_ block: HeaderBlock, _ field: HeaderField, at time: Timestamp) {
    let held = block.bytes
    let bytes = held.span
    var age: Timestamp?
    for (index, part) in FieldList.split(bytes, field.value, at: UInt8(ascii: ";")).enumerated() {
      let text = block.text(of: part)
      let name = text.prefix { $0 != "=" }
      let value = text.dropFirst(name.count).dropFirst()
      if index == 0 {
        self.name = String(name)
        continue
      }
      switch name.lowercased() {
      case "path": path = value.hasPrefix("/") ? String(value) : nil
      case "secure": isSecure = true
      case "expires": expires = Self.date(value) ?? .zero
      case "max-age":
        let (nanoseconds, overflow) = (Int64(value) ?? 0).multipliedReportingOverflow(by: 1_000_000_000)
        age = overflow ? .distantFuture : time.advanced(by: nanoseconds)
      default: break
      }
    }
    // Max-Age has precedence (RFC 6265 §4.1.2.2).
    expires = age ?? expires
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// `Wed, 21 Oct 2026 07:28:00 GMT`, also with hyphens; to the day, which is all that is asked.
  private static func date(_ text: Substring) -> Timestamp? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    guard words.count >= 4, let day = Int64(words[1]), (1...31).contains(day),
      let month = months.firstIndex(of: words[2].lowercased()), var year = Int64(words[3]), (0...9_999).contains(year)
    else { return nil }
    if year < 70 { year += 2_000 } else if year < 100 { year += 1_900 }
    // Days since 1970 in the Gregorian calendar, with years that begin in March.
    let shifted = year - (month < 2 ? 1 : 0)
    let dayOfYear = (153 * Int64((month + 10) % 12) + 2) / 5 + day - 1
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    let (nanoseconds, overflow) = days.multipliedReportingOverflow(by: 86_400_000_000_000)
    return overflow ? .distantFuture : Timestamp(nanoseconds: nanoseconds)
  }
}

extension CookieLost.Jar {
  /// What was sent with the last request was sent with this one, too.
  fileprivate mutating func renew(_ packet: PacketRef) {
    for index in cookies.indices where cookies[index].wasSent && cookies[index].packet == last {
      cookies[index].packet = packet
    }
    last = packet
  }

  fileprivate mutating func note(_ name: String, sentOn path: String, _ packet: PacketRef, limit: Int) {
    if let at = cookies.firstIndex(where: { $0.name == name }) {
      if cookies[at].wasSent { cookies[at].path = Self.common(cookies[at].path, path) }
      cookies[at].wasSent = true
      cookies[at].packet = packet
      cookies[at].direction = .toServer
    } else if cookies.count < limit {
      cookies.append(CookieLost.Cookie(name: name, path: path, wasSent: true, packet: packet, direction: .toServer))
    }
  }

  fileprivate mutating func note(_ set: SetCookie, _ path: String, _ packet: PacketRef, limit: Int) {
    if let known = cookies.firstIndex(where: { $0.name == set.name }) {
      if set.isSecure || set.name.isEmpty || set.expires <= packet.time {
        cookies.remove(at: known)
      } else {
        cookies[known].expires = set.expires
      }
      return
    }
    guard !set.isSecure, !set.name.isEmpty, set.expires > packet.time, cookies.count < limit else { return }
    cookies.append(
      CookieLost.Cookie(
        name: set.name, path: set.path ?? Self.directory(path), wasSent: false, expires: set.expires, packet: packet,
        direction: .toClient))
  }

  /// The default path of a cookie, RFC 6265 §5.1.4.
  private static func directory(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// What two paths have in common, whole segments only: a cookie that was sent on both covers that.
  private static func common(_ a: String, _ b: String) -> String {
    if a == b { return a }
    let left = a.split(separator: "/", omittingEmptySubsequences: false)
    let right = b.split(separator: "/", omittingEmptySubsequences: false)
    let same = zip(left, right).prefix { $0 == $1 }.map { $0.0 }
    let joined = same.joined(separator: "/")
    return joined.isEmpty ? "/" : joined
  }
}
