import Citation
import Events
import WebSocketSemantics

/// A Close without an answer.
enum CloseUnanswered: SocketRule {
  static let info = RuleInfo(
    id: "ws/close-unanswered", severity: .warning, summary: "A Close was not answered.",
    explanation: """
      The side that gets a Close answers with one, and then the server closes TCP. Where TCP ends without the answer, the API \
      of the side that closed shows 1006 instead of its own code, as if the connection had broken. Servers without a closing \
      handshake do this each time.
      """,
    evidence: "The Close, and how TCP ended. The finding is about the side that is silent.",
    fix: "Receiver: answer a Close with a Close before ending TCP.",
    specifications: [.webSocket("5.5.1"), .webSocket("7.1.1")], thresholds: [.closeAnswer], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard let first = story.firstClose, case let silent = first.direction.opposite, story.close(of: silent) == nil,
      // One that had left before the Close came could not answer.
      let end = story.end, !story.sides[silent].isLost, end.packet.number > first.frame.span.first.number,
      // Who closes and ends TCP at once did not wait for an answer.
      end.by == silent || end.packet.time.since(first.frame.released.time) > context.thresholds[.closeAnswer]
    else { return }
    let isServer = silent != story.client
    let code = first.frame.closeCode.map { " \($0)" } ?? ""
    report(
      story.finding(
        info, silent,
        "\(Wording.sender(silent).atSentenceStart) did not answer the Close\(code); \(Wording.sender(end.by)) ended \(story.carrier) \(Wording.duration(end.packet.time.since(first.frame.released.time))) later\(isServer ? ": the client's API shows 1006" : "").",
        cost: isServer && end.by == silent ? .failed(.connection) : .none,
        [
          .frame(first.frame, first.direction, "Close"),
          Evidence(
            .packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN"), and no Close from \(Wording.sender(silent))"),
        ], in: context))
  }
}
