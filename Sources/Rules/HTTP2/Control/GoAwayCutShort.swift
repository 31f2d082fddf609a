import Citation
import Events
import HTTP2Semantics

/// A promise that was not kept.
enum GoAwayCutShort: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/goaway-cut-short", severity: .error,
    summary: "A server said that it would finish requests, and closed before it had.",
    explanation: """
      GOAWAY without an error lets streams that were taken run to their end. The server, or its supervisor, did \
      not wait: those requests may have been processed, so that it is not safe to repeat them.
      """,
    evidence: "The GOAWAY, and the end of the connection.",
    fix: "Server: close after the last stream has ended; give it that time when it is stopped.",
    specifications: [.goAways], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let mark = story.lastGoAway(.toClient), mark.frame.errorCode == .noError, let last = mark.lastStream,
      context.closedBy == .toClient, let end = context.closedAt, !story.hasHoles.toClient
    else { return }
    let open = story.cut.filter { ($0.key.stream ?? .max) <= last }
    guard !open.isEmpty else { return }
    var finding = Finding(
      info, subject: .connection(context.id), exchange: open.count == 1 ? open[0].number : nil, direction: .toClient,
      "The server closed the connection \(Wording.duration(end.time.since(mark.frame.released.time))) after GOAWAY, with \(Wording.count(UInt64(open.count), "stream")) that it had taken still open.",
      cost: .failed(.exchange), fix: info.fix,
      evidence: [mark.evidence("GOAWAY"), Evidence(.packet(end, .toClient), "the end of the connection")])
    finding.count = UInt64(open.count)
    report(finding)
  }
}
