import Citation
import Events

/// A long poll that is answered immediately, again and again.
enum IntervalTight: PollRule {
  static let info = RuleInfo(
    id: "poll/interval-tight", severity: .warning, confidence: .medium,
    summary: "A long poll was answered immediately with nothing new, and repeated immediately.",
    explanation: """
      A long poll is cheap because the server holds it. When the server answers at once, with an error, an empty list \
      or a cursor that does not move, and the client asks again without a pause, the two loop: hundreds of requests a \
      second cost processor time and battery, and deliver nothing.
      """,
    evidence: """
      The first request and the last answer of a run of quick and equal answers, on a channel that was held at other \
      times. Answers that differ bring something, and do not count. Status, length and first bytes are compared.
      """,
    fix: """
      Server: hold the request, or answer with the error and Retry-After. Client: wait longer after each answer that brings \
      nothing.
      """,
    specifications: [Specification("RFC 6202 §2.2", "https://www.rfc-editor.org/rfc/rfc6202#section-2.2")],
    thresholds: [.pollInterval, .pollRun], since: "0.1")

  static func judge(_ channel: PollChannel, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard let quick = channel.quick, Int64(quick.count) >= thresholds[.pollRun], let last = quick.last.last
    else { return }
    let time = last.time.since(quick.first.first.time)
    var finding = Finding(
      Self.info, subject: .connection(quick.first.flow), exchange: quick.first.exchange, direction: .toServer,
      "\(quick.first.title): \(quick.count) polls in \(Wording.duration(time)), each answered immediately with the same.",
      cost: .none,
      fix: info.fix,
      evidence: [
        Evidence(.packet(quick.first.first, .toServer), "the first of \(quick.count) polls"),
        Evidence(.packet(last, .toClient), "the last of the quick answers"),
      ]
    ).on(quick.first.connection)
    finding.count = UInt64(max(1, quick.count))
    report(finding)
  }
}

extension Threshold {
  static let pollInterval = Threshold(
    "poll.interval", .nanoseconds, 200_000_000, "a poll that is answered and repeated this soon is not held")
  static let pollRun = Threshold("poll.run", .count, 5, "so many polls in a row with the same quick answer")
}
