import Events
import HTTPSemantics

/// What Via says about the way of a message: a hop of HTTP/1.0, or one proxy again and again.
enum ViaLoopOr11: MessageRule {
  static let info = RuleInfo(
    id: "proxy/via-loop-or-11", severity: .note,
    summary: "Via names a hop of HTTP/1.0, or the same proxy again and again.",
    explanation: """
      Each proxy adds to Via the version in which it received the message, and a name of its own. HTTP/1.0 has neither \
      chunks nor a connection that stays: behind such a hop a stream has no length and ends with the connection, and a \
      request that is sent in chunks cannot be passed on. nginx speaks HTTP/1.0 to the server behind it unless it is told \
      otherwise. A name that stands there three times is a proxy that sends requests to itself.
      """,
    evidence: """
      The field. Two equal names are left alone: some networks pass a message through two proxies of one name. A hop \
      of HTTP/1.0 counts in a request, and in a response only where it shows: its body ended with the connection, or \
      came item by item.
      """,
    fix: """
      Proxy: speak HTTP/1.1 to the next hop (nginx: proxy_http_version 1.1); for a loop, correct where it sends requests.
      """,
    specifications: [
      Specification("RFC 9110 §7.6.3", "https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3")
    ],
    since: "0.1")

  /// How often one name makes a loop.
  private static let loop = 3

  static var needs: ExchangeFacts { .via }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let head = message.head, let field = head.block.first("via") else { return }
    var names: [String: Int] = [:]
    var old: String?
    for element in head.block.elements("via").prefix(32) {
      let words = head.block.text(of: element).split(separator: " ")
      guard words.count >= 2 else { continue }
      let name = words[1].lowercased()
      names[name, default: 0] += 1
      if words[0] == "1.0" || words[0].lowercased() == "http/1.0" { old = old ?? String(words[1]) }
      guard names[name] == loop, exchange.isRequest(message) else { continue }
      return report(
        finding(
          message, exchange, context, [.field(field, head, message.direction, "the same name \(loop) times")],
          "\(exchange.title): the request passed the proxy \"\(words[1])\" \(loop) times, as in a loop."))
    }
    guard let old, exchange.isRequest(message) || message.framing == .close || message.isReadByItem else { return }
    report(
      finding(
        message, exchange, context, [.field(field, head, message.direction, "a hop of HTTP/1.0")],
        "\(exchange.title): the proxy \"\(old)\" received \(exchange.isRequest(message) ? "the request" : "the response") in HTTP/1.0, which has no chunks."
      ))
  }

  private static func finding(
    _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext, _ evidence: [Evidence], _ text: String
  ) -> Finding {
    Finding(
      info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      FindingMessage(text), cost: .none, fix: info.fix, evidence: evidence)
  }
}
