import Citation
import Events
import WebSocketSemantics

/// Whether pings keep a connection alive, or end it.
enum KeepAlive {
  static let infos: [RuleInfo] = [none, timeout]

  private static let none = RuleInfo(
    id: "ws/keepalive-none", severity: .note, summary: "A WebSocket is silent for long, and nobody pings.",
    explanation: """
      Proxies and NATs forget a connection that is silent for 30 to 60 seconds, some sooner, and neither side is told: the next \
      message ends it, or is lost.
      """,
    evidence: "The frames before and after the longest silence.",
    fix: "Server or client: ping every 20 to 30 seconds. Browsers cannot: there the server has to.",
    specifications: [.webSocket("5.5.2")], thresholds: [.silentSocket], since: "0.1")

  private static let timeout = RuleInfo(
    id: "ws/keepalive-timeout", severity: .warning, confidence: .medium,
    summary: "A side ended the connection because its pings were not answered.",
    explanation: """
      A keep-alive took the other side for dead. It may be: asleep, gone from the network, its program blocked; or something \
      between drops pings and pongs. Python's websockets says so with Close 1011 and "keepalive ping timeout".
      """,
    evidence: """
      The first ping without a pong, and the Close or the end of TCP of the side that had sent it, which had time to wait for \
      the pong.
      """,
    fix: "The other side: answer pings from the loop that reads. Sender: allow more time where clients sleep.",
    specifications: [.webSocket("5.5.2"), .webSocket("7.4.1")], thresholds: [.keepAliveWait], since: "0.1")

  static func close(_ story: SocketStory, _ pings: Pings, in context: FlowContext, report: (Finding) -> Void) {
    judgeSilence(story, context, report)
    for direction in Direction.allCases {
      let open = pings.open(of: direction)
      let close = story.sides[direction].close
      let saysSo = close.map { $0.closeCode == 1011 && text($0).lowercased().contains("ping timeout") } ?? false
      guard saysSo || hasGivenUp(direction, open, story, context), story.isWhole else { continue }
      var evidence = open.first.map { [Evidence.frame($0, direction, "the first ping without a pong")] } ?? []
      let end: PacketRef
      if saysSo, let close {
        evidence.append(.frame(close, direction, "Close 1011"))
        if let reason = Evidence.reason(close, direction) { evidence.append(reason) }
        end = close.released
      } else if let tcp = story.end {
        evidence.append(Evidence(.packet(tcp.packet, direction), "\(Wording.sender(direction)) ends TCP"))
        end = tcp.packet
      } else {
        continue
      }
      let waited =
        open.first.map { ", \(Wording.duration(end.time.since($0.released.time))) after the first of them" } ?? ""
      let every =
        open.count > 1
        ? ", sent every \(Wording.duration(open[1].released.time.since(open[0].released.time)))" : ""
      report(
        story.finding(
          timeout, direction,
          "\(Wording.sender(direction).atSentenceStart) ended the connection over \(Wording.count(UInt64(open.count), "ping")) without a pong\(every)\(waited).",
          confidence: saysSo ? .high : .medium, cost: .failed(.connection), evidence, in: context))
    }
  }

  /// It ended TCP without a word, with pings open of which the first was waited for.
  private static func hasGivenUp(
    _ direction: Direction, _ open: [Frame], _ story: SocketStory, _ context: FlowContext
  ) -> Bool {
    guard let end = story.end, end.by == direction, story.firstClose == nil, open.count >= 2 else { return false }
    return end.packet.time.since(open[0].released.time) >= context.thresholds[.keepAliveWait]
  }

  private static func text(_ close: Frame) -> String { String(decoding: close.closeReason, as: UTF8.self) }

  private static func judgeSilence(_ story: SocketStory, _ context: FlowContext, _ report: (Finding) -> Void) {
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
        none, nil, "The WebSocket was silent for \(Wording.duration(silence)), and nobody sent a ping.",
        [Evidence(.packet(longest.from, nil), "the silence begins"), Evidence(.packet(longest.to, nil), "and ends")],
        in: context))
  }
}
