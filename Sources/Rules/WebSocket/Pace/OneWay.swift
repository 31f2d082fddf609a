import Citation
import Events

/// Messages of one side only.
enum OneWay: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/one-way", severity: .note, summary: "Messages go one way only.",
    explanation: """
      A stream in one direction needs no WebSocket: server-sent events pass every proxy, come back by themselves after a cut, \
      and are compressed like any response.
      """,
    evidence: "The first and the last message.", fix: "Server: consider server-sent events.",
    specifications: [.webSocket("1.1")], thresholds: [.oneWayCount, .oneWayTime], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let side = socket.pace.sides[direction]
    guard let first = side.first, let last = side.last, socket.pace.sides[direction.opposite].messages == 0,
      socket.story.isWhole, side.messages >= UInt64(max(1, context.thresholds[.oneWayCount])),
      last.time.since(first.time) >= context.thresholds[.oneWayTime]
    else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.count(side.messages, "message")) in \(Wording.duration(last.time.since(first.time))), and the other side none.",
        [
          Evidence(.packet(first, direction), "the first message"),
          Evidence(.packet(last, direction), "the last one"),
        ], in: context))
  }
}

extension Threshold {
  static let oneWayCount = Threshold("ws.one-way-count", .count, 20, "messages of one side, and none of the other")
  static let oneWayTime = Threshold("ws.one-way-time", .nanoseconds, 30_000_000_000, "for so long")
}
