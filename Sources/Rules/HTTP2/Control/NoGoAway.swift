import Citation
import Events
import HTTP2Semantics

/// An end without a word.
enum NoGoAway: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/no-goaway", severity: .note,
    summary: "A server closed an idle connection without GOAWAY.",
    explanation: """
      A request that was under way would have been lost, and the client could not have known whether it was \
      processed.
      """,
    evidence: """
      The end of the connection. Where the capture lacks bytes of the server, a GOAWAY may have been among them.
      """,
    fix: "Server: send GOAWAY, wait for the streams, then close.",
    specifications: [.goAways], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard story.cut.isEmpty, story.goAways.isEmpty, context.closedBy == .toClient, let end = context.closedAt,
      story.beginning != .midstream, story.last.toClient != nil, !story.hasHoles.toClient
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), direction: .toClient,
        "The server closed the connection without GOAWAY.", cost: .none, fix: info.fix,
        evidence: [Evidence(.packet(end, .toClient), "the end of the connection")]))
  }
}
