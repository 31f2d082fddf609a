import Citation
import Events

/// A client that does not wait for the server to end TCP.
enum CloseClientFINFirst: SocketRule {
  static let info = RuleInfo(
    id: "ws/close-client-fin-first", severity: .note, summary: "The client ended TCP before the server.",
    explanation: """
      After both Closes the server is to end TCP, because the side that ends it first keeps the port in TIME_WAIT for \
      some minutes. A client that does not wait may also miss the server's Close: its API then shows 1006. A client \
      that waited and gave up does well.
      """,
    evidence: "The two Closes, as far as they are there, and the client's FIN.",
    fix: "Client: wait for the server's FIN. Server: end TCP when both Closes are there.",
    specifications: [.webSocket("7.1.1")], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard !story.isStream, let first = story.end, first.by == story.client, !first.isReset,
      let both = BothCloses(story)
    else { return }
    report(
      story.finding(
        info, story.client, "The client ended TCP before the server did.",
        both.evidence + [Evidence(.packet(first.packet, story.client), "the client's FIN")], in: context))
  }
}
