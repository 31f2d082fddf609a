import Citation
import Events
import HTTPSemantics

/// As many open event streams as a browser opens connections.
struct SixConnections: CaptureRule {
  static let info = RuleInfo(
    id: "sse/six-connections", severity: .warning, confidence: .medium,
    summary: "A browser holds six event streams of one host open at once.",
    explanation: """
      Browsers open six connections to one host over HTTP/1.1, for all tabs together, and an event stream keeps its own \
      for good. The seventh request, a picture or an API call, waits until a tab is closed: the site hangs without an error, \
      and only for people with many tabs. With HTTP/2 streams share one connection.
      """,
    evidence: "The requests whose streams were open at the same time, from one address with one User-Agent.",
    fix: "Server: offer HTTP/2. Client: share one stream between tabs (BroadcastChannel, SharedWorker).",
    specifications: [
      Specification("MDN EventSource", "https://developer.mozilla.org/en-US/docs/Web/API/EventSource"),
      Specification("RFC 9112 §9.4", "https://www.rfc-editor.org/rfc/rfc9112#section-9.4"),
    ],
    thresholds: [.openStreams], since: "0.1")

  private static let limit = 256
  private static let visitLimit = 64

  private var visits = BoundedTable<Asker, [StreamVisit]>(limit: Self.limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    // Streams of HTTP/2 share a connection.
    guard asked.exchange.key.stream == nil, asked.exchange.eventResponse != nil,
      let visit = StreamVisit(asked, context), visit.isBrowsers
    else { return }
    visits.update(asked.key.asker, orMake: []) { if $0.count < Self.visitLimit { $0.append(visit) } }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let needed = Int(clamping: max(2, thresholds[.openStreams]))
    for list in visits.inOrder where list.count >= needed {
      var open: [StreamVisit] = []
      for visit in list.sorted(by: { $0.first.number < $1.first.number }) {
        open.removeAll { other in other.end.map { $0.number < visit.first.number } ?? false }
        open.append(visit)
        guard open.count == needed else { continue }
        report(
          Finding(
            Self.info, subject: .connection(visit.flow), exchange: visit.exchange, direction: .toServer,
            "\(visit.title): with this one \(open.count) event streams of one browser and host are open at once: its next request to the host waits.",
            cost: .none, fix: Self.info.fix,
            evidence: open.map { Evidence(.packet($0.first, .toServer), "a stream, on connection #\($0.connection)") }
          ).on(visit.connection))
        break
      }
    }
  }
}

extension Threshold {
  static let openStreams = Threshold(
    "sse.open-streams", .count, 6, "connections that browsers open to one host")
}
