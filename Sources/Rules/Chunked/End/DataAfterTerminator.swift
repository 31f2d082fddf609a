import Citation
import Events
import HTTPSemantics

/// Bytes behind the end of a chunked message that begin no other one.
enum DataAfterTerminator: SurplusChunkRule {
  static let info = RuleInfo(
    id: "chunked/data-after-terminator", severity: .error,
    summary: "Bytes follow the end of a chunked message, and begin no other one.",
    explanation: """
      On a connection that stays open, what follows a message must be the next one. Stray bytes are taken for its \
      first line: a server answers 400 to a request that was never sent, a client drops the connection or reports a \
      protocol error on the next request, and a proxy may hand the rest to the wrong client. An extra line end, a \
      debug print or a body that goes on past its terminator are the usual sources.
      """,
    evidence: """
      The bytes behind the end. A cost is stated only where the receiver reset the connection or sent an error \
      response to no request. After a body with Content-Length this is not raised.
      """,
    fix: "Sender: write nothing behind 0 CRLF CRLF; close the connection where the body's end is not certain.",
    specifications: [.bodyLength, .chunkedCoding], since: "0.1")

  static func judge(_ surplus: BytesAfterTerminator.Story, in context: FlowContext, report: (Finding) -> Void) {
    guard !surplus.isChunk else { return }
    report(
      surplus.finding(
        info,
        "\(surplus.sender) sent bytes behind the end of a chunked message\(surplus.later), and they begin no other one\(surplus.stumbled).",
        "behind the end, and no start line", cost: surplus.stumbled.isEmpty ? .none : .failed(.connection), in: context)
    )
  }
}
