import Citation
import Events
import HTTPSemantics

/// A request for WebSocket that was answered with something else than 101.
///
/// One finding for each: where the request's own fault explains the answer, `ws/hs-refused` under that fault; else the
/// id of the status, which shows where to look; `ws/hs-refused` for a status that explains nothing.
struct Refusal: Sendable {
  let upgrade: Upgrade
  let response: Message
  private let status: Evidence
  /// The fault of the request that explains the answer.
  private let cause: RuleID?

  init?(_ upgrade: Upgrade, cause: RuleID?) {
    guard upgrade.isRefused, let response = upgrade.response, let status = Evidence.startLine(response, "no 101") else {
      return nil
    }
    // Another process opened its session: see http/session-unknown.
    if cause == nil, SessionUnknown.refuses(upgrade, response) { return nil }
    self.upgrade = upgrade
    self.response = response
    self.status = status
    self.cause = cause
  }

  func judge(in context: FlowContext, report: (Finding) -> Void) {
    let named = cause == nil ? RuleIndex.refusalRules.first { $0.statuses.contains(upgrade.status) } : nil
    let rule = named ?? HSRefused.self
    var (what, fix) = (rule.meaning, rule.info.fix)
    if isElsewhere { (what, fix) = ("it was sent to another host", Self.elsewhereFix) }
    if isOfSession { (what, fix) = ("the server does not let this client, page or session in", Self.sessionFix) }
    if isOfSubprotocol { (what, fix) = ("its answer names the subprotocol as the reason", Self.subprotocolFix) }
    if cause != nil { (what, fix) = ("the request itself is at fault", rule.info.fix) }
    report(
      Finding(
        rule.info, subject: .connection(context.id), exchange: upgrade.exchange.number, direction: response.direction,
        FindingMessage("\(upgrade.exchange.title): no WebSocket: \(what)\(details)."),
        cost: .failed(.exchange), fix: fix, causedBy: cause,
        evidence: upgrade.line("asks for WebSocket") + [status] + quoted))
  }

  /// A redirect that leaves the host: a page to sign in, of the service or of the network.
  private var isElsewhere: Bool {
    guard HSRefusedRedirect.statuses.contains(upgrade.status), let location = response.head?.block.value("location"),
      let scheme = location.firstRange(of: "://"), let field = upgrade.head.authority
    else { return false }
    let host = HostText.host(of: String(location[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }))
    return !HostText.areSame(host, HostText.host(of: upgrade.block.text(of: field.value)))
  }

  private static let elsewhereFix = """
    Client: open the page in Location with a browser. It is that of a sign-in, or of a network that lets no traffic \
    through before (a captive portal); a client should take it for "not connected", and try again later.
    """

  /// Engine.IO had let the client in when it began to poll. In Python it says nothing more of a session that it does not
  /// know than 403.
  private var isOfSession: Bool {
    guard upgrade.status == 403, case .request(_, _, let target) = upgrade.head.line else { return false }
    return upgrade.block.contains(anyOf: ["eio="], in: target) && upgrade.block.contains(anyOf: ["sid="], in: target)
  }

  private static let sessionFix = """
    Server: its session polls already. Where several processes are behind one address, send all of its requests to the one \
    that opened it (sticky sessions). Else check its list of origins, and what it expects as credentials. Proxy: let \
    WebSockets through.
    """

  /// As servers in Python say that speak none of those that were offered.
  private var isOfSubprotocol: Bool {
    upgrade.status == 400 && String(decoding: response.opening, as: UTF8.self).lowercased().contains("subprotocol")
  }

  private static let subprotocolFix = """
    Client: offer a subprotocol that the server speaks (Sec-WebSocket-Protocol); its answer says which. Server: accept \
    what its clients offer.
    """

  private var details: String {
    switch upgrade.status {
    case 504: upgrade.exchange.wait.map { " (answered after \(Wording.duration($0)))" } ?? ""
    default: ""
    }
  }

  /// The fields that help with this status.
  private var quoted: [Evidence] {
    switch upgrade.status {
    case 403:
      return [upgrade.block.first("origin"), upgrade.head.authority].compactMap { field in
        field.map { upgrade.field($0, "what allow-lists compare") }
      }
    case 400 where isOfSubprotocol:
      return [upgrade.block.first("sec-websocket-protocol")].compactMap { field in
        field.map { upgrade.field($0, "what the client offers") }
      }
    case 200: return [Evidence.field("content-type", of: response, "what was sent")].compactMap { $0 }
    case 300..<400: return [Evidence.field("location", of: response, "no client follows it")].compactMap { $0 }
    case 426: return [Evidence.field("sec-websocket-version", of: response, "what the server speaks")].compactMap { $0 }
    default: return []
    }
  }
}

/// What a status means that a request for WebSocket was refused with. Each has its own.
protocol RefusalRule: Rule {
  static var statuses: Set<UInt16> { get }
  /// As the end of a sentence.
  static var meaning: String { get }
}
