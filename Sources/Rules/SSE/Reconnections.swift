import Citation
import Events
import HTTPSemantics

/// Event streams that are asked for again: without what they need to go on, or over and over.
///
/// Bounded: so many targets of so many clients, and of each the first visits.
struct Reconnections: Sendable {
  static let withoutID = RuleInfo(
    id: "sse/reconnect-no-last-event-id", severity: .warning, confidence: .medium,
    summary: "A client resumed an event stream without naming the last event it had.",
    explanation: """
      After events with ids an EventSource sends Last-Event-ID when it comes back, and the server sends what was missed. \
      Without the field the events between are lost, or all come again. Clients of one's own forget it, a proxy may strip \
      it, and CORS may forbid it. A page that is loaded anew begins without it, too.
      """,
    evidence: "The last event of the stream before, the end of that stream, and the next request for it.",
    fix: "Client: keep the last id and send it as Last-Event-ID. Proxy: pass the field on.",
    specifications: [.lastEventID, .eventSourceModel], thresholds: [.reconnectDelay], since: "0.1")

  static let storm = RuleInfo(
    id: "sse/reconnect-storm", severity: .warning,
    summary: "A client asks for the same event stream again and again.",
    explanation: """
      An EventSource comes back whenever its stream ends. A handler that returns after it wrote what it had, a proxy that ends \
      responses, or an answer of known length turn a stream into polling, with a request and often a handshake each time.
      """,
    evidence: "The requests within one minute, each after the end of the one before.",
    fix: "Server: keep the response open while there may be events, and answer 204 where there will be none.",
    specifications: [.eventSourceModel], thresholds: [.reconnects], since: "0.1")

  private struct Key: Hashable, Sendable {
    var asker: Asker
    var target: Int
  }

  private static let limit = 256
  private static let visitLimit = 64

  private var visits = BoundedTable<Key, [StreamVisit]>(limit: Self.limit)

  mutating func add(_ visit: StreamVisit, _ key: RequestKey) {
    visits.update(Key(asker: key.asker, target: key.target), orMake: []) { list in
      if list.count < Self.visitLimit { list.append(visit) }
    }
  }

  func finish(_ thresholds: Thresholds, report: (Finding) -> Void) {
    for list in visits.inOrder where list.count > 1 {
      let list = list.sorted { $0.first.number < $1.first.number }
      findForgotten(list, thresholds, report)
      findStorm(list, thresholds, report)
    }
  }

  private func findForgotten(_ list: [StreamVisit], _ thresholds: Thresholds, _ report: (Finding) -> Void) {
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
      Self.withoutID, subject: .connection(first.after.flow), exchange: first.after.exchange, direction: .toServer,
      "\(first.after.title): the client came back \(Wording.duration(first.after.first.time.since(first.end.time))) after the stream had ended, without Last-Event-ID, though events had ids: what came between is lost, or all comes again.",
      cost: .none, fix: "Client: send the last id as Last-Event-ID. Proxy: pass the field on.",
      evidence: [
        Evidence(.packet(first.item, .toClient), "the last event; ids were given"),
        Evidence(.packet(first.end, nil), "the stream ends"),
        Evidence(.packet(first.after.first, .toServer), "the next request, without Last-Event-ID"),
      ]
    ).on(first.after.connection)
    finding.count = count
    report(finding)
  }

  private func findStorm(_ list: [StreamVisit], _ thresholds: Thresholds, _ report: (Finding) -> Void) {
    let needed = Int(clamping: max(1, thresholds[.reconnects]))
    guard list.count > needed else { return }
    guard let run = list.loop(of: needed + 1), let first = run.first, let last = run.last else { return }
    let took = last.first.time.since(first.first.time)
    var finding = Finding(
      Self.storm, subject: .connection(last.flow), exchange: last.exchange, direction: .toServer,
      "\(last.title): the client asked for this stream \(Wording.count(UInt64(run.count), "time")) within \(Wording.duration(took)), each time after it had ended.",
      cost: .none, fix: "Server: keep the response open; answer 204 where there will be no events.",
      evidence: run.map { Evidence(.packet($0.first, .toServer), "asks, on connection #\($0.connection)") }
    ).on(last.connection)
    finding.count = UInt64(list.count - 1)
    report(finding)
  }
}
