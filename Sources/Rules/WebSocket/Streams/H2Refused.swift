import Events
import HTTP2Semantics
import HTTPSemantics

/// A CONNECT that was not accepted.
enum H2Refused: ExchangeRule {
  static let info = RuleInfo(
    id: "ws/h2-refused", severity: .warning,
    summary: "A WebSocket over HTTP/2 was refused.",
    explanation: """
      The CONNECT was answered by something else than 2xx, or its stream was reset. 400 and 501 often come from a relay \
      that announces extended CONNECT although its upstream lacks it.
      """,
    evidence: "The CONNECT, and the answer.",
    fix: "Server or proxy: announce SETTINGS_ENABLE_CONNECT_PROTOCOL only where WebSocket is served.",
    specifications: [.streamSockets], causedBy: ["ws/h2-setting-missing", "ws/h2-pseudo-missing"], since: "0.1")

  static var needs: ExchangeFacts { .http2 }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.isSocketStream, !exchange.opensWebSocket, let request = exchange.request else { return }
    let asked = Evidence(.packet(request.first, .toServer), "CONNECT")
    let words: String
    let answer: Evidence
    if let response = exchange.response, exchange.status.code >= 300 {
      words = "was answered \(exchange.status.code)"
      answer = Evidence(.packet(response.first, .toClient), "the answer")
    } else if let code = exchange.end.resetCode, let closing = exchange.end.closing, closing.by == .toClient,
      let packet = closing.at
    {
      words = "was reset with \(HTTP2ErrorCode(code).name)"
      answer = Evidence(.packet(packet, .toClient), "RST_STREAM")
    } else {
      return
    }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        "\(exchange.title): the CONNECT for a WebSocket \(words).", cost: .failed(.exchange), fix: info.fix,
        evidence: [asked, answer]))
  }
}
