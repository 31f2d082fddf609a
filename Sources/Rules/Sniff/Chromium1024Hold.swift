import Citation
import Events
import HTTPSemantics

/// A response that Chromium keeps from the page until the 1024th byte of its body.
enum Chromium1024Hold: HeldBodyRule {
  static let info = RuleInfo(
    id: "sniff/chromium-1024-hold", severity: .warning, confidence: .medium,
    summary: "Chromium held the response back to guess its type.",
    explanation: """
      Chrome and all that is built on it read up to 1,024 bytes of a text/plain body, or of one without a usable type, \
      to see whether it is binary or HTML. Until then a tab or a frame that shows it has nothing, and a page that asks \
      with XMLHttpRequest gets not even the head. Log tails and token streams sent as text/plain are the usual victims: \
      they look as if the server, or a proxy, wrote in blocks. A page that asks with fetch() gets each piece as it comes \
      (measured with Chromium 156).
      """,
    evidence: """
      The request's User-Agent, the response's type, the packet with the first byte of the body and the one that ended \
      the wait. The hold is inferred from the browser's source; nothing of it is on the wire. XMLHttpRequest and fetch() \
      send the same fields: unless Sec-Fetch-Mode or Accept show a page that is opened, it is a note. A body whose first \
      bytes can settle the question earlier (a byte order mark, a binary byte, a tag, a known file's beginning) is not \
      reported. text/html, application/json and text/event-stream are never held by Chromium.
      """,
    fix: """
      Server: add X-Content-Type-Options: nosniff, or send the precise type (text/event-stream, application/x-ndjson). \
      As a last resort make the first write 1,024 bytes long.
      """,
    specifications: [
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3"),
      Specification("MIME Sniffing", "https://mimesniff.spec.whatwg.org/"),
    ],
    thresholds: [.clientHold], since: "0.1", table: ClientHold.table)

  static func judge(_ held: HeldBody, in context: FlowContext, report: (Finding) -> Void) {
    guard held.hold.family == .chromium, let client = held.client, client.family == .chromium else { return }
    let isShown = held.isNavigation
    report(
      Finding(
        Self.info, severity: held.isGivenUp(context) ? .error : .warning,
        confidence: isShown ? held.confidence(.medium, context) : .low, subject: .connection(context.id),
        exchange: held.exchange.number, direction: held.response.direction,
        FindingMessage(
          isShown
            ? "\(client.library) shows nothing of \(held.body) before its 1,024th byte; \(held.outcome(context))."
            : "If the page asked with XMLHttpRequest, \(client.library) gave it nothing of \(held.body) before its 1,024th byte; \(held.outcome(context))."
        ),
        cost: isShown ? held.cost(context) : .none, fix: info.fix,
        evidence: held.agent + [held.type] + held.course(context)))
  }
}

extension HeldBody {
  /// The answer is shown in a tab or a frame, and no program of the page asked for it.
  fileprivate var isNavigation: Bool {
    guard let head = exchange.request?.head else { return false }
    if let mode = head.block.value("sec-fetch-mode") { return mode == "navigate" }
    return head.block.value("accept")?.contains("text/html") ?? false
  }
}
