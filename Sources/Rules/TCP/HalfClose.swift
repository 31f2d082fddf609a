import Citation
import Events

/// A client that closed its sending side, and went on reading.
enum HalfClose: EndingRule {
  static let info = RuleInfo(
    id: "tcp/half-close", severity: .note,
    summary: "The client closed its sending side and went on reading.",
    explanation: """
      A FIN after the request leaves the response to come, and TCP allows it. But a FIN looks the same whether its \
      sender still reads or has gone: nginx (proxy_ignore_client_abort off), HAProxy with abortonclose, Go's \
      ReverseProxy and most gateways take it for a client that left, and cancel the request. It works until such a \
      proxy stands between.
      """,
    evidence: """
      The client's FIN, and the server's data after it, which the client acknowledged. A few bytes right before the \
      server's own FIN, such as a TLS close alert, are not counted.
      """,
    fix: """
      Client: keep the sending side open until the response is complete (no shutdown after the request, no nc -N).
      """,
    specifications: [
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6"),
      Specification("RFC 9112 §9.6", "https://www.rfc-editor.org/rfc/rfc9112#section-9.6"),
    ],
    since: "0.1")

  static func judge(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let fin = story.closedFirst(.toServer), let late = story.late.toClient,
      late.range.count > EndingStory.farewell, story.unacknowledged.toClient == nil, story.resets.toServer.first == nil
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), direction: .toServer,
        """
        The server's data went on \(Wording.duration(late.packet.time.since(fin.packet.time))) after the client's FIN, and the \
        client took it.
        """,
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(fin.packet, .toServer), "the client's FIN"),
          Evidence(.packet(late.packet, .toClient), "the server goes on"),
        ]))
  }
}
