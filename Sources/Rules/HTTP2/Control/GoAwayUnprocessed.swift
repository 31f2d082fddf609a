import Citation
import Events
import HTTP2Semantics

/// Requests that came too late.
enum GoAwayUnprocessed: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/goaway-unprocessed", severity: .warning,
    summary: "A server went away without having taken some requests.",
    explanation: """
      Streams above the one that GOAWAY names were not processed. They may be repeated, even POST; a client that \
      does not do it by itself shows an error.
      """,
    evidence: "The GOAWAY.",
    fix: """
      Client: repeat those requests on a new connection. Server: send GOAWAY twice, first with the highest number, \
      then a round trip later with the real one.
      """,
    specifications: [.goAways, .reliability], causedBy: ["h2/request-after-goaway", "h2/goaway-error"], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let mark = story.lastGoAway(.toClient), let last = mark.lastStream else { return }
    let open = story.cut.filter { ($0.key.stream ?? 0) > last }
    guard !open.isEmpty else { return }
    var finding = Finding(
      info, subject: .connection(context.id), exchange: open.count == 1 ? open[0].number : nil, direction: .toClient,
      "\(Wording.count(UInt64(open.count), "request")) came after the last one that the server took before it went away (stream \(last)).",
      cost: .failed(.exchange), fix: info.fix, evidence: [mark.evidence("GOAWAY")])
    finding.count = UInt64(open.count)
    report(finding)
  }
}
