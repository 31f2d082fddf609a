import Citation
import Events
import WebSocketSemantics

/// Connections that end without a Close of either side, which APIs show as 1006.
enum MissingClose {
  static let infos: [RuleInfo] = [fin, reset, idle]

  private static let explanation = """
    TCP ended, and nobody had closed the WebSocket: APIs show 1006, which says nothing but that. A process ended, a page was \
    left, a proxy ran into a timeout, or a server has no closing handshake.
    """

  private static func missing(_ id: RuleID, _ how: String) -> RuleInfo {
    RuleInfo(
      id: id, severity: .warning, summary: "A WebSocket ended with a \(how) and no Close.", explanation: explanation,
      evidence: """
        The last frame before it, and the \(how). Clients that just leave, as browsers do, hurt nobody, and are lint.
        """,
      fix: "Whoever ended it: send a Close before ending TCP; where it is a proxy, see its timeouts.",
      specifications: [.webSocket("7.1.5"), .webSocket("7.1.7")], since: "0.1")
  }

  private static let fin = missing("ws/close-missing-fin", "FIN")
  private static let reset = missing("ws/close-missing-rst", "RST")

  private static let idle = RuleInfo(
    id: "ws/idle-cut", severity: .warning, confidence: .medium,
    summary: "A silent WebSocket was cut after a round time.",
    explanation: """
      Nothing was sent for as long as timeouts are, and then TCP ended without a Close: a proxy or load balancer in front of \
      the side that ended it, or that side itself, takes a silent connection for a dead one. For defaults see \
      `explain stream/cut-at-known-timeout`. nginx ends its hop to the server first, haproxy the one to the client.
      """,
    evidence: "The last frame, and the end. Inferred: the time is within two hundredths of a round one.",
    fix: "Server or client: send a ping at least every half of that time. Proxy: raise its timeout for WebSocket.",
    specifications: [.webSocket("5.5.2")], thresholds: [.idleCut], since: "0.1")

  /// What people set timeouts to besides the defaults of products, in seconds.
  private static let chosen: [Int64] = [3, 20, 45, 75, 90, 180, 600, 900, 1_800, 3_600, 4_000, 7_200]
  private static let timeouts = (chosen + KnownTimeout.silences).sorted()

  static func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let end = story.end, story.firstClose == nil, story.isWhole else { return }
    let last = story.lastFrame ?? story.opening?.released.map { ($0, story.client.opposite) }
    guard let last else { return }
    let silence = end.packet.time.since(last.0.time)
    let who = Wording.sender(end.by)
    let info = end.isReset ? reset : fin
    let isClients = end.by == story.client
    let cost: Cost = isClients ? .none : .failed(.connection)
    let ending = Evidence(.packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN") of \(who)")
    let victim = end.by.opposite
    let fault = story.sides[victim].fault.flatMap { fault in
      story.death(after: fault.packet, of: victim, in: context).map { _ in fault.rule }
    }
    report(
      story.finding(
        info, end.by,
        "\(who.atSentenceStart) ended TCP without a Close, \(Wording.after(silence)) \(lastWords(story, last.1)): APIs show 1006.",
        cost: cost, causedBy: fault, [Evidence(.packet(last.0, last.1), lastWords(story, last.1)), ending],
        in: context))
    judgeIdle(silence, end, story, last.0, last.1, cost, ending, context, report)
  }

  private static func lastWords(_ story: SocketStory, _ direction: Direction) -> String {
    guard story.lastFrame != nil else { return "the 101" }
    return "the last frame, a \(story.lastOpcode.name) of \(Wording.sender(direction))"
  }

  private static func judgeIdle(
    _ silence: Int64, _ end: SocketStory.End, _ story: SocketStory, _ last: PacketRef, _ direction: Direction,
    _ cost: Cost, _ ending: Evidence, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    // Timers are never exact, the shortest included.
    guard silence >= context.thresholds[.idleCut] / 100 * 98,
      let seconds = timeouts.first(where: { silence.apart(from: $0 &* 1_000_000_000) <= $0 &* 20_000_000 })
    else { return }
    report(
      story.finding(
        idle, end.by,
        "Nothing was sent for \(Wording.duration(silence)), then \(Wording.sender(end.by)) ended TCP: a timeout of \(seconds) s, of \(Wording.sender(end.by)) or of something in front of it.",
        cost: cost, [Evidence(.packet(last, direction), "the last frame of either side"), ending], in: context))
  }
}
