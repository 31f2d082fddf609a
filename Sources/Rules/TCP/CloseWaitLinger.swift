import Citation
import Events

/// A side that got a FIN, and neither sends nor closes. Bounded: the first ones are kept.
struct CloseWaitLinger: CaptureRule {
  static let info = RuleInfo(
    id: "tcp/close-wait-linger", severity: .warning, confidence: .medium,
    summary: "One side closed, and the other neither closed nor sent anything.",
    explanation: """
      After the peer's FIN a socket stays in CLOSE_WAIT until its own program closes it; no timer does. A program that \
      never reads from idle connections, or leaks them, collects such sockets until it runs out of file descriptors, \
      and "too many open files" comes hours later. A connection pool that keeps one will lose the next request on it.
      """,
    evidence: """
      The FIN; until the end of the capture no FIN, no reset and no data came from the other side, or a FIN at last. \
      Without that one, the other side may have vanished as well, which looks the same.
      """,
    fix: """
      The side that lingers: read from idle connections, or have the event loop watch for the peer's close, and close \
      on it (ss -tan state close-wait lists them).
      """,
    specifications: [
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6")
    ],
    thresholds: [.closeWait], since: "0.1")

  private struct Waiting: Sendable {
    let id: FlowID
    let number: Int
    let fin: PacketRef
    let closer: Direction
    /// The FIN that came at last.
    let end: PacketRef?
  }

  private static let limit = 1_024
  /// No capture runs on in one piece for so long: files of different days were joined.
  private static let farthest: Int64 = 86_400_000_000_000
  private var waiting: [Waiting] = []

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard case .connectionClosed(let end) = event, let context, waiting.count < Self.limit,
      let fin = end.answer == nil ? end.packet : end.first, let closer = context.closedBy
    else { return }
    let isLate = end.answer.map { $0.time.since(fin.time) >= thresholds[.closeWait] } ?? false
    guard end.isUnanswered || isLate else { return }
    waiting.append(Waiting(id: context.id, number: context.number, fin: fin, closer: closer, end: end.answer))
  }

  func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard let last = capture.lastTime else { return }
    for each in waiting {
      let time = (each.end?.time ?? last).since(each.fin.time)
      guard time >= thresholds[.closeWait], time <= Self.farthest else { continue }
      let other = each.closer.opposite
      report(
        Finding(
          Self.info, subject: .connection(each.id), direction: other,
          """
          \(Wording.sender(each.closer).atSentenceStart) closed, and for \(Wording.duration(time))\
          \(each.end == nil ? ", to the end of the capture," : "") \(Wording.sender(other)) neither closed nor sent \
          anything.
          """,
          cost: .none,
          fix: "\(other == .toServer ? "Client" : "Server"): notice the peer's close on idle connections, and close.",
          evidence: [
            Evidence(.packet(each.fin, each.closer), each.end == nil ? "FIN, never answered by another" : "FIN")
          ] + (each.end.map { [Evidence(.packet($0, other), "the other side's, at last")] } ?? [])
        ).on(each.number))
    }
  }
}

extension Threshold {
  static let closeWait = Threshold(
    "tcp.close-wait", .nanoseconds, 30_000_000_000, "a FIN unanswered this long was not noticed")
}
