import Citation
import Events

/// A long silence without pings.
enum KeepaliveNone: SocketRule {
  static let info = RuleInfo(
    id: "ws/keepalive-none", severity: .note, summary: "A WebSocket is silent for long, and neither side pings.",
    explanation: """
      Proxies and NATs evict a connection that is silent for 30 to 60 seconds, some sooner, without a FIN or RST to \
      either side: the next message ends it, or is lost.
      """,
    evidence: "The frames before and after the longest silence.",
    fix: "Server or client: ping every 20 to 30 seconds. Browsers cannot: there the server has to.",
    specifications: [.webSocket("5.5.2")], thresholds: [.silentSocket], causedBy: ["ws/idle-cut"], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let story = socket.story
    guard story.pings == 0, story.isWhole, let begin = story.opening?.released ?? story.opening?.response,
      let last = story.lastFrame
    else { return }
    var longest = story.silence ?? (begin, begin)
    if let end = story.end?.packet, end.time.since(last.packet.time) > longest.to.time.since(longest.from.time) {
      longest = (last.packet, end)
    }
    let silence = longest.to.time.since(longest.from.time)
    let whole = longest.to.number > last.packet.number ? longest.to : last.packet
    guard silence > context.thresholds[.silentSocket],
      whole.time.since(begin.time) > 2 &* context.thresholds[.silentSocket]
    else { return }
    report(
      story.finding(
        info, nil, "The WebSocket was silent for \(Wording.duration(silence)), and neither side sent a ping.",
        [Evidence(.packet(longest.from, nil), "the silence begins"), Evidence(.packet(longest.to, nil), "and ends")],
        in: context))
  }
}

extension Threshold {
  static let silentSocket = Threshold(
    "ws.silence", .nanoseconds, 30_000_000_000, "a WebSocket silent this long needs pings, if it lives twice as long")
}
