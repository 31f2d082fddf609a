import Citation
import Events

/// The server's last data and its close in one segment, while the client was writing.
enum FINWithData: EndingRule {
  static let info = RuleInfo(
    id: "tcp/fin-with-data", severity: .note,
    summary: "The server's last data and its close came in one segment, while the client was still writing.",
    explanation: """
      Data and FIN in one segment are valid, and normal after Connection: close. To a client that writes without \
      reading they are a trap: the connection looks alive until a write fails, and by then a reset may have discarded \
      the last data. Protocols that answer only on error, such as binary push protocols, end this way.
      """,
    evidence: """
      The segment with data and FIN, and the client's data that was never acknowledged. Where the client had nothing \
      outstanding, or the server took it all, there is no race.
      """,
    fix: """
      Client: read before each write, or in another thread, and treat what comes as the answer to what was sent before. \
      Server: leave time between the answer and the close.
      """,
    specifications: [
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6")
    ],
    causedBy: ["tcp/write-after-peer-fin"], since: "0.1")

  static func judge(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let fin = story.closedFirst(.toClient), fin.value > 0, let lost = story.surelyLost(.toServer) else { return }
    report(
      Finding(
        info, confidence: context.isMidstream ? .medium : nil, subject: .connection(context.id), direction: .toClient,
        """
        The server's last \(Wording.bytes(fin.value)) and its FIN came in one segment, with at least \
        \(Wording.bytes(UInt64(lost.range.count))) of the client's under way.
        """,
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(fin.packet, .toClient), "\(Wording.bytes(fin.value)) and the FIN"),
          Evidence(.packet(lost.packet, .toServer), "the client was writing; this was never acknowledged"),
        ]))
  }
}
