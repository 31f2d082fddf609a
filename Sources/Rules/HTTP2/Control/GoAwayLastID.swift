import Citation
import Events
import HTTP2Semantics

/// A stream of the wrong side.
enum GoAwayLastID: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/goaway-last-id", severity: .warning,
    summary: "A GOAWAY names a stream that it cannot name.",
    explanation: """
      A client names the last stream that the server opened, and those have even numbers; and a later GOAWAY cannot \
      take back what an earlier one refused. Some servers answer with PROTOCOL_ERROR.
      """,
    evidence: "The GOAWAY.",
    fix: "Sender: name a stream of the other side, and never a higher one later.",
    specifications: [.goAways], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    for mark in story.goAways {
      guard case .goAway(let last, _, _, _) = mark.frame.payload else { continue }
      let earlier = story.goAways.first {
        $0.direction == mark.direction && $0.frame.span.range.lowerBound < mark.frame.span.range.lowerBound
          && ($0.lastStream ?? .max) < last
      }
      // Who the client is, a capture that began late may not show.
      let isOdd =
        mark.direction == .toServer && last % 2 == 1 && last != UInt32(Int32.max) && !context.isMidstream
      guard isOdd || earlier != nil else { continue }
      let what = isOdd ? "which is one of its own" : "after one that named \(earlier?.lastStream ?? 0)"
      report(
        Finding(
          info, subject: .connection(context.id), direction: mark.direction,
          "A GOAWAY of \(Wording.sender(mark.direction)) names stream \(last), \(what).", cost: .none, fix: info.fix,
          evidence: [mark.evidence("GOAWAY")]))
      return
    }
  }
}

extension ControlStory.Mark {
  /// Of a GOAWAY.
  var lastStream: UInt32? {
    if case .goAway(let last, _, _, _) = frame.payload { last } else { nil }
  }
}
