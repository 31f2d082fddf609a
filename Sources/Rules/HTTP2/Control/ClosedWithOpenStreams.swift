import Citation
import Events
import HTTP2Semantics

/// Streams that were dropped.
enum ClosedWithOpenStreams: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/closed-with-open-streams", severity: .error,
    summary: "A server closed a connection with streams open, and without GOAWAY.",
    explanation: """
      The client cannot know whether its requests were processed: repeating them may do things twice. It is what a \
      crash, a deploy or a time limit of a proxy looks like.
      """,
    evidence: "The end of the connection.",
    fix: "Server: send GOAWAY, wait for the streams, then close.",
    specifications: [.goAways], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard !story.cut.isEmpty, story.goAways.isEmpty, context.closedBy == .toClient,
      // A reset that answers the client's FIN is no decision of the server; one that follows its own FIN answers what the
      // client sent on.
      let end = context.firstEnd ?? context.closedAt, context.closing.firstBy != .toServer,
      story.beginning != .midstream, story.last.toClient != nil, !story.hasHoles.toClient
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: story.cut.count == 1 ? story.cut[0].number : nil,
        direction: .toClient,
        "The server closed the connection with \(Wording.count(UInt64(story.cut.count), "stream")) open, and without GOAWAY.",
        cost: .failed(.exchange), fix: info.fix,
        evidence: [Evidence(.packet(end, .toClient), "the end of the connection")]))
  }
}
