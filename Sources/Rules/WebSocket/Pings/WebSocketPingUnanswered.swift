import Citation
import Events
import WebSocketSemantics

/// A ping without a pong.
enum WebSocketPingUnanswered: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/ping-unanswered", severity: .warning, summary: "A ping was not answered.",
    explanation: """
      A pong is owed to every ping, though one may answer several. Where none comes, the other side's program hangs, \
      does not know pings, or something between drops them; and the pinging side takes the connection for dead.
      """,
    evidence: """
      The first ping without a pong, and how the connection ended. One that a Close or the end of TCP overtook within \
      a second is not judged, and neither is a side whose bytes are missing. A client that leaves before a pong was \
      due costs nothing.
      """,
    fix: "Receiver: answer pings from the loop that reads, whatever the application does.",
    specifications: [.webSocket("5.5.2"), .webSocket("5.5.3")], thresholds: [.pongWait],
    causedBy: ["ws/drop-after-ping", "ws/keepalive-timeout"], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    let ledger = socket.pings.sides[direction].ledger
    guard let first = ledger.open.first, !ledger.hasForgotten, story.sides[direction].fault == nil, story.isWhole else {
      return
    }
    let asked = first.released
    // The closing side need not answer any more.
    if let close = story.firstClose, close.frame.released.time.since(asked.time) < 1_000_000_000 { return }
    let end = story.end
    let until = end?.packet ?? story.firstClose?.frame.released ?? story.lastFrame?.packet ?? asked
    let age = until.time.since(asked.time)
    // A younger pong may be on its way, whichever side ends the connection; unless that end is the answer.
    let isDue = age > 1_000_000_000 &+ (context.roundTrip.total ?? 0)
    guard isDue || isKill(first, direction, story, context) else { return }
    let isOverdue = age >= context.thresholds[.pongWait] || ledger.open.count >= 3
    guard isOverdue || end != nil else { return }
    let isLeft = end.map { $0.by == story.client && !isOverdue } ?? false
    var evidence = [Evidence.frame(first, direction, "the ping")]
    var how = ""
    if let end, story.firstClose == nil {
      evidence.append(Evidence(.packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN"), and no pong before it"))
      how = ", until \(Wording.sender(end.by)) ended TCP"
    }
    report(
      story.finding(
        info, direction,
        "\(ledger.open.count == 1 ? "A ping" : Wording.count(UInt64(ledger.open.count), "ping")) of \(Wording.sender(direction)) got no pong for \(Wording.duration(age))\(how).",
        cost: end != nil && story.firstClose == nil && !isLeft ? .failed(.connection) : .none, evidence,
        count: UInt64(ledger.open.count), in: context))
  }

  /// The server ended TCP over the client's ping (see ws/drop-after-ping).
  private static func isKill(
    _ ping: Frame, _ direction: Direction, _ story: SocketStory, _ context: FlowContext
  ) -> Bool {
    guard let end = story.end, end.by != direction, direction == story.client, story.firstClose == nil,
      story.lastOpcode == .ping, story.lastFrame?.packet == ping.released
    else { return false }
    let after = end.packet.time.since(ping.released.time)
    return after <= context.thresholds[.dropAfter] &+ (context.roundTrip.total ?? 0)
  }
}

extension Threshold {
  static let pongWait = Threshold("ws.pong-wait", .nanoseconds, 10_000_000_000, "a ping this old is unanswered")
}
