import Citation
import Events
import WebSocketSemantics

/// Who closes, who answers, and what comes after.
struct CloseOrder: Sendable {
  static let infos: [RuleInfo] = [duplicate, after, unanswered, slow, clientFirst, linger, resetAfter]

  private static let duplicate = RuleInfo(
    id: "ws/close-duplicate", severity: .error, summary: "A side sent a second Close.",
    explanation:
      "Close is the last frame that a side sends. A second one has no meaning, and receivers ignore it or reset.",
    evidence: "The first Close, and the second.", fix: "Sender: send one Close, and remember that it was sent.",
    specifications: [.webSocket("5.5.1")], since: "0.1")

  private static let after = RuleInfo(
    id: "ws/close-frame-after", severity: .error, summary: "A side sent a frame after its own Close.",
    explanation: """
      Nothing may follow a Close. Receivers drop what does, so that the message is lost; a sender that does not know that \
      another part of it has closed does this.
      """,
    evidence: "The Close, and the first frame after it.",
    fix: "Sender: stop all writers before closing.", specifications: [.webSocket("5.5.1")], since: "0.1")

  private static let unanswered = RuleInfo(
    id: "ws/close-unanswered", severity: .warning, summary: "A Close was not answered.",
    explanation: """
      The side that gets a Close answers with one, and then the server closes TCP. Where TCP ends without the answer, the API \
      of the side that closed shows 1006 instead of its own code, as if the connection had broken. Servers without a closing \
      handshake do this each time.
      """,
    evidence: "The Close, and how TCP ended. The finding is about the side that is silent.",
    fix: "Receiver: answer a Close with a Close before ending TCP.",
    specifications: [.webSocket("5.5.1"), .webSocket("7.1.1")], thresholds: [.closeAnswer], since: "0.1")

  private static let slow = RuleInfo(
    id: "ws/close-slow", severity: .note, summary: "A Close was answered late.",
    explanation: """
      What the other side had to send went first, or its program was busy. Clients wait some seconds for the answer and then \
      drop the connection.
      """,
    evidence: "The Close, and its answer.", fix: "Receiver: answer a Close before anything else.",
    specifications: [.webSocket("5.5.1")], thresholds: [.closeAnswer], since: "0.1")

  private static let clientFirst = RuleInfo(
    id: "ws/close-client-fin-first", severity: .note, summary: "The client ended TCP before the server.",
    explanation: """
      After both Closes the server is to end TCP, because whoever ends it first keeps the port for some minutes. A client that \
      does not wait may also miss the server's Close: its API then shows 1006. A client that waited and gave up does well.
      """,
    evidence: "The two Closes, as far as they are there, and the client's FIN.",
    fix: "Client: wait for the server's FIN. Server: end TCP when both Closes are there.",
    specifications: [.webSocket("7.1.1")], since: "0.1")

  private static let linger = RuleInfo(
    id: "ws/close-tcp-linger", severity: .warning,
    summary: "The server kept TCP open after both Closes.",
    explanation: """
      The WebSocket is over, and the server is to end TCP at once. Until it does, the connection takes a place at both ends; \
      servers that wait for a timeout of their own run out of them.
      """,
    evidence: "The second Close, and the end of TCP, or the last packet before the capture's end.",
    fix: "Server: close the socket when both Closes are there.", specifications: [.webSocket("7.1.1")],
    thresholds: [.closeLinger], since: "0.1")

  private static let resetAfter = RuleInfo(
    id: "ws/close-rst-after", severity: .note, summary: "TCP was reset after both Closes.",
    explanation:
      "Everything was said, and nothing is lost: one side ended TCP without reading what the other still sent.",
    evidence: "The reset.", fix: "Nobody has to do anything.", specifications: [.webSocket("7.1.1")], since: "0.1")

  /// The first frame after a side's own Close, and its second Close.
  private var late = BothDirections<Frame?>(repeating: nil)
  private var second = BothDirections<Frame?>(repeating: nil)

  mutating func observe(_ frame: Frame, _ direction: Direction, _ story: SocketStory) {
    guard story.sides[direction].close != nil else { return }
    if frame.opcode == .close {
      if second[direction] == nil { second[direction] = frame }
    } else if late[direction] == nil {
      late[direction] = frame
    }
  }

  func close(_ end: ConnectionEnd, _ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    func tell(
      _ info: RuleInfo, _ direction: Direction, _ what: String, _ cost: Cost, _ evidence: [Evidence],
      causedBy: RuleID? = nil
    ) {
      report(
        story.finding(info, direction, what, cost: cost, causedBy: causedBy, evidence, in: context))
    }
    for direction in Direction.allCases {
      guard let close = story.sides[direction].close else { continue }
      let who = Wording.sender(direction).atSentenceStart
      if let frame = second[direction] {
        tell(
          Self.duplicate, direction, "\(who) sent a second Close.", .none,
          [.frame(close, direction, "the first Close"), .frame(frame, direction, "the second one")])
      }
      if let frame = late[direction] {
        let lost = frame.opcode.isControl ? Cost.none : .lost(bytes: max(1, frame.received))
        tell(
          Self.after, direction, "\(who) sent a \(frame.name) frame after its own Close.", lost,
          [.frame(close, direction, "Close"), .frame(frame, direction, "comes after it")])
      }
    }
    judgeAnswer(story, context, tell)
    if story.bothClosed { judgeTCP(end, story, context, tell) }
  }

  private typealias Tell = (RuleInfo, Direction, String, Cost, [Evidence], RuleID?) -> Void

  private func judgeAnswer(_ story: SocketStory, _ context: FlowContext, _ tell: Tell) {
    guard let first = story.firstClose else { return }
    let silent = first.direction.opposite
    guard let answer = story.sides[silent].close else {
      // One that had left before the Close came could not answer.
      guard let end = story.end, !story.sides[silent].isLost,
        end.packet.number > first.frame.span.first.number,
        // Who closes and ends TCP at once did not wait for an answer.
        end.by == silent || end.packet.time.since(first.frame.released.time) > context.thresholds[.closeAnswer]
      else { return }
      let isServer = silent != story.client
      let code = first.frame.closeCode.map { " \($0)" } ?? ""
      tell(
        Self.unanswered, silent,
        "\(Wording.sender(silent).atSentenceStart) did not answer the Close\(code); \(Wording.sender(end.by)) ended TCP \(Wording.duration(end.packet.time.since(first.frame.released.time))) later\(isServer ? ": the client's API shows 1006" : "").",
        isServer && end.by == silent ? .failed(.connection) : .none,
        [
          .frame(first.frame, first.direction, "Close"),
          Evidence(
            .packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN"), and no Close from \(Wording.sender(silent))"),
        ], nil)
      return
    }
    let wait = answer.released.time.since(first.frame.released.time)
    if wait > context.thresholds[.closeAnswer] &+ (context.roundTrip.total ?? 0) {
      tell(
        Self.slow, silent,
        "\(Wording.sender(silent).atSentenceStart) answered the Close after \(Wording.duration(wait)).", .none,
        [.frame(first.frame, first.direction, "Close"), .frame(answer, silent, "the answer")], nil)
    }
  }

  private func judgeTCP(_ end: ConnectionEnd, _ story: SocketStory, _ context: FlowContext, _ tell: Tell) {
    let client = story.client
    guard let one = story.sides.toServer.close, let other = story.sides.toClient.close else { return }
    let second = one.released.number > other.released.number ? one : other
    let whose = one.released.number > other.released.number ? Direction.toServer : .toClient
    let both = [
      Evidence.frame(whose == .toServer ? other : one, whose.opposite, "the first Close"),
      Evidence.frame(second, whose, "the second one"),
    ]
    if let first = story.end, first.by == client, !first.isReset {
      tell(
        Self.clientFirst, client, "The client ended TCP before the server did.", .none,
        both + [Evidence(.packet(first.packet, client), "the client's FIN")], nil)
    }
    let server = story.sides[client.opposite]
    let until = server.fin ?? server.reset ?? story.end?.packet
    if let until,
      until.time.since(second.released.time) > context.thresholds[.closeLinger] &+ (context.roundTrip.total ?? 0)
    {
      tell(
        Self.linger, client.opposite,
        "The server kept TCP open for \(Wording.duration(until.time.since(second.released.time))) after both Closes.",
        .none,
        both + [Evidence(.packet(until, nil), "TCP ends")], nil)
    }
    for direction in Direction.allCases {
      guard let reset = story.sides[direction].reset, reset.number > second.released.number else { continue }
      tell(
        Self.resetAfter, direction, "\(Wording.sender(direction).atSentenceStart) reset TCP after both Closes.", .none,
        [Evidence(.packet(reset, direction), "RST")], nil)
    }
  }
}
