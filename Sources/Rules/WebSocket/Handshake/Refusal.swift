import Citation
import Events
import HTTPSemantics

/// A request for WebSocket that was answered with something else than 101.
///
/// One finding for each: where the request's own fault explains the answer, `ws/hs-refused` under that fault; else the id
/// of the status, which says where to look; `ws/hs-refused` for a status that says nothing.
enum Refusal {
  static let infos: [RuleInfo] = [plain] + kinds.map(\.info) + [versionNotAdvertised]

  private struct Kind: Sendable {
    let info: RuleInfo
    let statuses: Set<UInt16>
    /// What the answer means, as the end of a sentence.
    let what: String
  }

  private static let plain = RuleInfo(
    id: "ws/hs-refused", severity: .warning,
    summary: "A request for WebSocket was not answered with 101.",
    explanation: """
      No WebSocket came about; browsers show 1006 and nothing of the answer. Raised where a fault of the request explains \
      the answer, under that fault, and for a status that tells nothing by itself.
      """,
    evidence: "The request line and the status.", fix: "Server: see the answer's text and the server's log.",
    specifications: [.webSocket("4.1"), .webSocket("4.2.2")], since: "0.1")

  private static func kind(
    _ id: RuleID, _ statuses: Set<UInt16>, _ summary: String, _ why: String, evidence: String, what: String,
    fix: String,
    _ specifications: [Specification] = [.webSocket("4.1")]
  ) -> Kind {
    Kind(
      info: RuleInfo(
        id: id, severity: .warning, confidence: .medium, summary: summary, explanation: why, evidence: evidence,
        fix: fix,
        specifications: specifications, since: "0.1"), statuses: statuses, what: what)
  }

  private static let kinds: [Kind] = [
    kind(
      "ws/hs-refused-200", [200], "A request for WebSocket was answered with a page.",
      """
      Whoever answered did not look at Upgrade: a static location, the index page of an application with one page, or a \
      proxy's route without the upgrade. The browser shows 1006.
      """, evidence: "The request line and the status, and the type of what was sent.",
      what: "the answer is an ordinary response, as if nobody had looked at Upgrade",
      fix: "Server: route this path to the WebSocket handler. Proxy: forward the upgrade for it."),
    kind(
      "ws/hs-refused-400", [400], "A request for WebSocket was refused as malformed.",
      """
      Nothing is wrong with the request as it was captured. Servers say 400 where Key, Version, Upgrade or Connection is \
      missing: on the way to the server, behind this point, a proxy may have taken them out.
      """, evidence: "The request line and the status.",
      what: "the server calls the request malformed; as captured, it is not",
      fix: "Proxy: forward Upgrade and Connection, with HTTP/1.1. Capture behind the proxy to see what arrives."),
    kind(
      "ws/hs-refused-auth", [401, 403, 407], "A request for WebSocket was refused for who asked.",
      """
      Credentials are missing or not accepted, or the page's Origin is not on the server's list. A browser's WebSocket cannot \
      set Authorization, and never asks for a password: cookies, or a token in the URL or in the first message, are what \
      it has.
      """, evidence: "The status, and Origin and Host, which allow-lists compare.",
      what: "the server does not let this client or this page in",
      fix: "Server: check its list of origins, with scheme and port, and what it expects as credentials."),
    kind(
      "ws/hs-refused-404", [404], "The path of a request for WebSocket leads nowhere.",
      """
      The server or proxy has nothing under this path: a slash too many or too few, a prefix that a proxy takes away, \
      or a library's own path such as /socket.io/.
      """, evidence: "The request line and the status.", what: "there is nothing under this path",
      fix: "Client or proxy: compare the path with the server's route, and the slash at its end."),
    kind(
      "ws/hs-refused-426", [426], "A request for WebSocket was answered with Upgrade Required.",
      """
      With Sec-WebSocket-Version in the answer, the server speaks other versions. Without it, the server did not see an \
      upgrade: a proxy behind this point took the hop-by-hop fields out.
      """, evidence: "The request's Upgrade, the status, and Sec-WebSocket-Version where the answer has it.",
      what: "the server asks for an upgrade",
      fix: "Proxy: forward Upgrade and Connection, with HTTP/1.1. Client: ask for a version that the server speaks.",
      [.http("15.5.22"), .webSocket("4.4")]),
    kind(
      "ws/hs-refused-redirect", [301, 302, 303, 307, 308], "A request for WebSocket was redirected.",
      """
      Browsers do not follow a redirect of a WebSocket; the API shows 1006. Usual are http to https, and a slash at the end \
      of the path. Some other clients follow.
      """, evidence: "The status and the Location.", what: "browsers do not follow a redirect here",
      fix: "Client: use the final URL (wss:// for https://). Server: answer on the first one.", [.webSocketAPI]),
    kind(
      "ws/hs-refused-gateway", [502, 503, 504, 505], "A proxy could not open the WebSocket behind it.",
      """
      502: nobody listens, or the answer was no 101. 503: no server is up. 504: no answer within the proxy's timeout; a \
      server may take the request and never answer. 505: the proxy spoke HTTP/1.0 to the server.
      """, evidence: "The status, and the time it took.", what: "the trouble is behind the one who answered",
      fix:
        "Server: see whether the backend is up and answers 101. Proxy: see its log, and speak HTTP/1.1 to the backend."),
  ]

  private static let versionNotAdvertised = RuleInfo(
    id: "ws/hs-version-not-advertised", severity: .warning,
    summary: "A server refused a version of WebSocket and did not say which it speaks.",
    explanation: """
      An answer with Sec-WebSocket-Version lets the client try again with one of those. Without it the client cannot know \
      what was wrong.
      """,
    evidence: "The version asked for, and the answer without the field.",
    fix: "Server: send Sec-WebSocket-Version: 13 with the 400 or 426.",
    specifications: [.webSocket("4.2.2"), .webSocket("4.4")], since: "0.1")

  static func observe(_ upgrade: Upgrade, cause: RuleID?, in context: FlowContext, report: (Finding) -> Void) {
    guard upgrade.isRefused, let response = upgrade.response, let status = Evidence.startLine(response, "no 101") else {
      return
    }
    let kind = cause == nil ? kinds.first { $0.statuses.contains(upgrade.status) } : nil
    let info = kind?.info ?? plain
    let what = kind?.what ?? (cause == nil ? "no WebSocket came about" : "the request itself is at fault")
    report(
      Finding(
        info, subject: .connection(context.id), exchange: upgrade.exchange.number, direction: response.direction,
        FindingMessage("\(upgrade.exchange.title): no WebSocket: \(what)\(details(upgrade))."),
        cost: .failed(.exchange),
        fix: info.fix, causedBy: cause,
        evidence: upgrade.line("asks for WebSocket") + [status] + quoted(upgrade, response)))
    judgeVersion(upgrade, response, in: context, report: report)
  }

  private static func details(_ upgrade: Upgrade) -> String {
    switch upgrade.status {
    case 504: upgrade.exchange.wait.map { " (answered after \(Wording.duration($0)))" } ?? ""
    default: ""
    }
  }

  /// The fields that help with this status.
  private static func quoted(_ upgrade: Upgrade, _ response: Message) -> [Evidence] {
    switch upgrade.status {
    case 403:
      return [upgrade.block.first("origin"), upgrade.head.authority].compactMap { field in
        field.map { upgrade.field($0, "what allow-lists compare") }
      }
    case 200: return [Evidence.field("content-type", of: response, "what was sent")].compactMap { $0 }
    case 300..<400: return [Evidence.field("location", of: response, "nobody follows it")].compactMap { $0 }
    case 426: return [Evidence.field("sec-websocket-version", of: response, "what the server speaks")].compactMap { $0 }
    default: return []
    }
  }

  private static func judgeVersion(
    _ upgrade: Upgrade, _ response: Message, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard upgrade.status == 400 || upgrade.status == 426, let asked = upgrade.block.first("sec-websocket-version"),
      upgrade.block.value(asked) != "13", response.head?.block.first("sec-websocket-version") == nil,
      let status = Evidence.startLine(response, "without Sec-WebSocket-Version")
    else { return }
    report(
      Finding(
        versionNotAdvertised, subject: .connection(context.id), exchange: upgrade.exchange.number,
        direction: response.direction,
        FindingMessage(
          "\(upgrade.exchange.title): version \(upgrade.block.shown(asked)) was refused, and the answer does not say which one to use."
        ),
        cost: .none, fix: versionNotAdvertised.fix, evidence: [upgrade.field(asked, "asks for this version"), status]))
  }
}
