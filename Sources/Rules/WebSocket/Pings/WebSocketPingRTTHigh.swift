import Citation
import Events
import WebSocketSemantics

/// Pongs that take longer than the network.
enum WebSocketPingRTTHigh: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/ping-rtt-high", severity: .warning, confidence: .medium,
    summary: "Pongs take much longer than a round trip of the network.",
    explanation: """
      The round trip of TCP is short, and that of pings long: the time goes into the program that answers, whose loop is busy, \
      or into what is queued before the pong.
      """,
    evidence: "The ping that waited longest, and its pong.",
    fix: "Receiver: look for work that blocks the loop which reads and writes.",
    specifications: [.webSocket("5.5.3")], thresholds: [.pingRoundTrip, .pingStall], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let times = socket.record.pingRoundTrips[direction]
    guard let slowest = socket.pings.sides[direction].slowest, times.count >= 3, let high = times.quantile(95)
    else { return }
    let network = context.roundTrip.total.map { "; a round trip of TCP takes \(Wording.duration($0))" } ?? ""
    let longest = slowest.pong.released.time.since(slowest.ping.released.time)
    let what: String
    var cost = Cost.none
    if high > max(context.thresholds[.pingRoundTrip], 5 &* (context.roundTrip.total ?? 0)) {
      what = "the slowest twentieth took \(Wording.duration(high)) and more"
    } else if longest >= context.thresholds[.pingStall] {
      // Where something was retransmitted it may have been the network.
      if socket.halfOpen == nil { cost = .delay(nanoseconds: longest) }
      what = "one took \(Wording.duration(longest)), and most no longer than \(Wording.duration(high))"
    } else {
      return
    }
    report(
      socket.story.finding(
        info, direction.opposite,
        "Of \(Wording.count(times.count, "ping")) of \(Wording.sender(direction)) \(what)\(network).",
        cost: cost,
        [
          .frame(slowest.ping, direction, "the ping that waited longest"),
          .frame(slowest.pong, direction.opposite, "its pong"),
        ], in: context))
  }
}

extension Threshold {
  static let pingRoundTrip = Threshold(
    "ws.ping-round-trip", .nanoseconds, 250_000_000, "pongs that take this long, and five round trips, are slow")
  static let pingStall = Threshold(
    "ws.ping-stall", .nanoseconds, 3_000_000_000, "a single pong that takes this long shows a program that was blocked")
}
