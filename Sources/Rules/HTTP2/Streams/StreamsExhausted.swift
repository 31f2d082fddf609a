import Citation
import Events

/// No place for another stream.
enum StreamsExhausted: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/streams-exhausted", severity: .warning,
    summary: "Requests waited because all streams that the server allows were open.",
    explanation: """
      A client may only have as many streams open as MAX_CONCURRENT_STREAMS says. Streams that live long, event \
      streams and calls that wait, use them up, and further requests wait inside the client.
      """,
    evidence: """
      The request that took the last place, the end that freed one, and the request that followed at once.
      """,
    fix: """
      Client: a connection of its own for long streams. Server: a higher limit, and an end to streams that are idle.
      """,
    specifications: [.concurrency], thresholds: [.fullTime], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    let full = story.record?.fullTimes.filter { $0.nanoseconds >= context.thresholds[.fullTime] } ?? []
    guard let worst = full.max(by: { $0.nanoseconds < $1.nanoseconds }) else { return }
    var finding = Finding(
      info, subject: .connection(context.id), direction: .toServer,
      "All streams that the server allows, \(worst.limit) at a time, were open for \(Wording.duration(worst.nanoseconds)), and a request followed as soon as one was over.",
      cost: .delay(nanoseconds: full.reduce(0) { $0 &+ $1.nanoseconds }), fix: info.fix,
      evidence: [
        Evidence(.packet(worst.since, .toServer), "takes the last place"),
        Evidence(.packet(worst.freed, nil), "frees a place"),
        Evidence(.packet(worst.asked, .toServer), "the request that waited"),
      ])
    finding.count = UInt64(full.count)
    report(finding)
  }
}

extension Threshold {
  static let fullTime = Threshold(
    "h2.full-time", .nanoseconds, 200_000_000, "a client that may open no stream for longer lets requests wait")
}
