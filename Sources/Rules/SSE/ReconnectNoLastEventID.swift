import Citation
import Events
import HTTPSemantics

/// An event stream requested again without the id that it needs to resume.
enum ReconnectNoLastEventID: ReconnectionRule {
  static let info = RuleInfo(
    id: "sse/reconnect-no-last-event-id", severity: .warning, confidence: .medium,
    summary: "A client resumed an event stream without naming the last event it had.",
    explanation: """
      After events with ids an EventSource sends Last-Event-ID when it comes back, and the server sends what was \
      missed. Without the field the events between are lost, or all come again. Hand-written clients omit it, a proxy \
      may strip it, and CORS may forbid it. A page that is reloaded begins without it, too.
      """,
    evidence: "The last event of the stream before, the end of that stream, and the next request for it.",
    fix: "Client: keep the last id and send it as Last-Event-ID. Proxy: pass the field on.",
    specifications: [.lastEventID, .eventSourceModel], thresholds: [.reconnectDelay], since: "0.1")

  static func judge(_ list: [StreamVisit], _ thresholds: Thresholds, report: (Finding) -> Void) {
    var count: UInt64 = 0
    var first: (before: StreamVisit, after: StreamVisit, end: PacketRef, item: PacketRef)?
    for (before, after) in zip(list, list.dropFirst()) {
      guard let item = before.identified, let end = before.end, before.wasEndedByOthers, !after.namesLastID,
        after.first.number > end.number,
        after.first.time.since(end.time) <= thresholds[.reconnectDelay]
      else { continue }
      count += 1
      if first == nil { first = (before, after, end, item) }
    }
    guard let first else { return }
    var finding = Finding(
      info, subject: .connection(first.after.flow), exchange: first.after.exchange, direction: .toServer,
      "\(first.after.title): the client reconnected \(Wording.duration(first.after.first.time.since(first.end.time))) after the stream had ended, without Last-Event-ID, though events had ids: what came between is lost, or everything is repeated.",
      cost: .none, fix: info.fix,
      evidence: [
        Evidence(.packet(first.item, .toClient), "the last event; ids were given"),
        Evidence(.packet(first.end, nil), "the stream ends"),
        Evidence(.packet(first.after.first, .toServer), "the next request, without Last-Event-ID"),
      ]
    ).on(first.after.connection)
    finding.count = count
    report(finding)
  }
}

extension Threshold {
  static let reconnectDelay = Threshold(
    "sse.reconnect-delay", .nanoseconds, 30_000_000_000, "the same request this soon after a stream's end resumes it")
}
