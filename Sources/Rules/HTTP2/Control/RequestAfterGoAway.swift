import Citation
import Events
import HTTP2Semantics

/// A request on a connection that its server closes.
enum RequestAfterGoAway: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/request-after-goaway", severity: .warning,
    summary: "A client opened a stream although the server had said that it goes away.",
    explanation: """
      The request is not processed, and has to be repeated elsewhere. One that crosses the GOAWAY on the way is no \
      fault.
      """,
    evidence: "The GOAWAY, and the request.",
    fix: "Client: open a new connection after GOAWAY.",
    specifications: [.goAways], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let goAway = story.goAways.first(where: { $0.direction == .toClient }) else { return }
    let tolerance = (context.roundTrip.total ?? 0) &+ 50_000_000
    let late = story.lateRequests.filter { $0.frame.released.time.since(goAway.frame.released.time) > tolerance }
    guard let first = late.first else { return }
    var finding = Finding(
      info, subject: .connection(context.id), direction: .toServer,
      "The client opened stream \(first.frame.stream) \(Wording.duration(first.frame.released.time.since(goAway.frame.released.time))) after the server's GOAWAY.",
      cost: .none, fix: info.fix, evidence: [goAway.evidence("GOAWAY"), first.evidence("HEADERS")])
    finding.count = UInt64(late.count)
    report(finding)
  }
}
