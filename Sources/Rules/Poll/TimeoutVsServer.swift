import Citation
import Events

/// A client that gives up its polls when the server is about to answer them, or before.
enum TimeoutVsServer: PollRule {
  static let info = RuleInfo(
    id: "poll/timeout-vs-server", severity: .warning, confidence: .medium,
    summary: "The client gives up its long polls no later than the server answers them.",
    explanation: """
      The server ends a poll without news after some time; the client has a timeout, too. When they are equal, or the \
      client's is shorter, the client closes the connection again and again. A message that the server sends in that \
      moment is written to a connection that is gone: unless the client can ask for it again, it is lost.
      """,
    evidence: """
      A poll that the client left, and its answer right after that, or another one that it left after the same time, or one that the server answered \
      after the same time. The times are compared to a second.
      """,
    fix:
      "Client: wait longer than the server holds, by a round trip and some seconds. Server: hold for a shorter time.",
    specifications: [Specification("RFC 6202 §5.5", "https://www.rfc-editor.org/rfc/rfc6202#section-5.5")],
    thresholds: [.pollMatch], since: "0.1")

  static func judge(_ channel: PollChannel, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard let left = channel.abandoned.first, let end = left.abandoned else { return }
    let time = end.time.since(left.first.time)
    let match = thresholds[.pollMatch]
    if let late = channel.late, let end = late.abandoned, let told = late.told {
      report(
        finding(
          late,
          """
          the client left after \(Wording.duration(end.time.since(late.first.time))), and the answer came \
          \(Wording.duration(told.time.since(end.time))) later
          """,
          [
            Evidence(.packet(end, .toServer), "the client closes"),
            Evidence(.packet(told, .toClient), "the answer, too late"),
          ]))
    } else if let held = channel.longest, let answer = held.told, let heldFor = held.held,
      heldFor.apart(from: time) <= match
    {
      report(
        finding(
          left,
          "the client left after \(Wording.duration(time)), and the server answers after \(Wording.duration(heldFor))",
          [
            Evidence(.packet(end, .toServer), "the client closes"),
            Evidence(.packet(held.first, .toServer), "another poll"),
            Evidence(.packet(answer, .toClient), "the server's answer to it"),
          ]))
    } else if channel.abandoned.count > 1, let again = channel.abandoned[1].abandoned {
      let second = again.time.since(channel.abandoned[1].first.time)
      guard second.apart(from: time) <= match else { return }
      report(
        finding(
          left,
          "the client left after \(Wording.duration(time)), and again after \(Wording.duration(second)), without an answer",
          [
            Evidence(.packet(end, .toServer), "the client closes"),
            Evidence(.packet(channel.abandoned[1].first, .toServer), "it asks again"),
            Evidence(.packet(again, .toServer), "and leaves again"),
          ]))
    }
  }

  private static func finding(_ left: Poll, _ what: String, _ evidence: [Evidence]) -> Finding {
    Finding(
      Self.info, subject: .connection(left.flow), exchange: left.exchange, direction: .toServer,
      "\(left.title): \(what).", cost: .none,
      fix: info.fix,
      evidence: [Evidence(.packet(left.first, .toServer), "a poll")] + evidence
    ).on(left.connection)
  }
}

extension Threshold {
  static let pollMatch = Threshold(
    "poll.match", .nanoseconds, 1_000_000_000, "a client's wait this close to the server's races it")
}
