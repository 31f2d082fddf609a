import Citation
import Events
import HTTPSemantics

/// A request with a body that was redirected, and what became of the body.
struct RedirectDropsBody: CaptureRule {
  static let info = RuleInfo(
    id: "http/redirect-drops-body", severity: .warning, confidence: .medium,
    summary: "A redirect made the client drop the request's body.",
    explanation: """
      After 301 and 302 nearly every client repeats a POST as a GET, without the body, for reasons of history. A redirect \
      that only adds a slash or changes the host thus loses the data, and the server answers the GET with an error or an \
      empty success. 307 and 308 keep the method; but a body that was streamed may be gone, and the client cannot repeat it.
      """,
    evidence: """
      The POST, its redirect, and the GET that followed. A redirect after a form was taken (the usual use of 302 and \
      303), or to another page, is only reported when the GET fails.
      """,
    fix: """
      Client: post to the final URL. Server: redirect with 307 or 308 where the method must stay, 303 where a GET is meant.
      """,
    specifications: [
      Specification("RFC 9110 §15.4", "https://www.rfc-editor.org/rfc/rfc9110#section-15.4"),
      Specification("RFC 9110 §15.4.8", "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.8"),
    ],
    thresholds: [.redirectResend], since: "0.1")

  private struct Redirected: Sendable {
    var exchange: SeenExchange
    var client: IPAddress
    var agent: String
    var path: String
    /// Where to; nil when it cannot be followed in a capture of plain HTTP.
    var target: String?
    var keepsMethod: Bool
    var request: PacketRef
    var response: PacketRef
    var bodyBytes: UInt64
    /// What browsers send, and what is answered with another page.
    var isForm: Bool
  }

  private static let limit = 64
  private static let forms: Set<String> = ["application/x-www-form-urlencoded", "multipart/form-data"]

  private var waiting: [Redirected] = []

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, request, head) = (asked.exchange, asked.request, asked.head)
    if !waiting.isEmpty { follow(exchange, request, head, context, report) }
    guard head.method != .get, head.method != .head, request.bodyBytes > 0 || head.framing == .chunked,
      let response = exchange.response, let location = response.head?.block.value("location")
    else { return }
    let keepsMethod = exchange.status.code == 307 || exchange.status.code == 308
    // A body of known length was not streamed, and can be repeated.
    guard [301, 302, 303].contains(exchange.status.code) || (keepsMethod && head.framing == .chunked) else { return }
    if waiting.count == Self.limit { waiting.removeFirst() }
    waiting.append(
      Redirected(
        exchange: SeenExchange(asked, in: context), client: context.client.address,
        agent: head.block.value("user-agent") ?? "", path: head.path,
        target: Self.path(of: location, from: head.path), keepsMethod: keepsMethod, request: request.first,
        response: response.first, bodyBytes: request.bodyBytes,
        isForm: Self.forms.contains(head.block.contentType?.essence ?? "")))
  }

  /// The capture is read. A streamed body that was to be repeated and was not, although there was time.
  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard let end = capture.lastTime else { return }
    for each in waiting where each.keepsMethod && each.target != nil {
      guard end.since(each.response.time) >= thresholds[.redirectResend] else { continue }
      report(
        each.exchange.finding(
          Self.info, .toServer,
          "\(each.exchange.title): the client did not repeat the redirected request with its streamed body.",
          cost: .failed(.exchange),
          evidence: [
            Evidence(.packet(each.request, .toServer), "a chunked upload"),
            Evidence(.packet(each.response, .toClient), "is redirected; no client follows"),
          ]))
    }
  }

  private mutating func follow(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    let path = head.path
    let agent = head.block.value("user-agent") ?? ""
    guard
      let at = waiting.firstIndex(where: {
        $0.client == context.client.address && $0.agent == agent && $0.target == path
          && request.first.number > $0.response.number
          && request.first.time.since($0.response.time) <= context.thresholds[.redirectResend]
      })
    else { return }
    let from = waiting.remove(at: at)
    guard head.method == .get, !from.keepsMethod else { return }
    let isSamePlace = Self.bare(from.path) == Self.bare(path)
    let isFailed = exchange.status.isError
    guard isSamePlace && !from.isForm || isFailed else { return }
    report(
      from.exchange.finding(
        Self.info, .toServer,
        """
        \(from.exchange.title): the client followed with \(exchange.title), and the body of \
        \(Wording.bytes(from.bodyBytes)) is gone.
        """, cost: isFailed ? .failed(.exchange) : .lost(bytes: from.bodyBytes),
        evidence: [
          Evidence(.packet(from.request, .toServer), "the request with its body"),
          Evidence(.packet(from.response, .toClient), "is redirected"),
          Evidence(.packet(request.first, .toServer), "and followed by a GET"),
        ]))
  }

  private static func bare(_ path: String) -> Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }

  /// The path a Location leads to, where plain HTTP does.
  private static func path(of location: String, from path: String) -> String? {
    if location.lowercased().hasPrefix("https:") { return nil }
    var rest = Substring(location)
    if location.lowercased().hasPrefix("http://") {
      rest = rest.dropFirst(7)
      rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    } else if !location.hasPrefix("/") {
      let directory = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
      rest = directory + rest
    }
    return String(rest.prefix { $0 != "?" && $0 != "#" })
  }
}

extension Threshold {
  static let redirectResend = Threshold(
    "http.redirect-resend", .nanoseconds, 5_000_000_000, "a redirected request is repeated within this time")
}
