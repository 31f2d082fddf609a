import Citation
import Events

/// Pings that a server would not forgive.
enum KeepaliveAggressive: ControlStoryRule {
  static let info = RuleInfo(
    id: "grpc/keepalive-aggressive", severity: .note,
    summary: "A client of gRPC sends PINGs more often than servers allow.",
    explanation: """
      Servers that are left as they are allow a PING every five minutes where no data flows, and end the connection \
      after a few that come earlier. This server does not; the next one may.
      """,
    evidence:
      "Two PINGs with neither data nor a head between them. PINGs behind data measure the bandwidth, and are no keepalive.",
    fix: "Client: a keepalive time of five minutes or more, and none without calls.",
    specifications: [.grpcProtocol], thresholds: [.keepaliveInterval], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    // Where the server refuses, that is a finding of its own.
    guard story.hasCall, !story.goAways.contains(where: { story.isTooManyPings($0) }),
      let side = story.record?.sides.toServer
    else { return }
    let early = side.quietPings.filter { $0.nanoseconds < context.thresholds[.keepaliveInterval] }
    guard early.count >= 2, let first = early.first else { return }
    // The record keeps the first ones only: those behind them may be early, or not.
    let least = side.quietPingCount > UInt64(side.quietPings.count) ? "at least " : ""
    var finding = Finding(
      info, subject: .connection(context.id), direction: .toServer,
      "The client sent \(least)\(Wording.count(UInt64(early.count), "PING")) too early and without data in between, the first \(Wording.duration(first.nanoseconds)) after the one before.",
      cost: .none, fix: info.fix,
      evidence: [
        Evidence(.packet(first.from, .toServer), "a PING"), Evidence(.packet(first.to, .toServer), "the next"),
      ])
    finding.count = UInt64(early.count)
    report(finding)
  }
}

extension Threshold {
  static let keepaliveInterval = Threshold(
    "grpc.ping-interval", .nanoseconds, 300_000_000_000, "servers allow a PING in this time where no data flows")
}
