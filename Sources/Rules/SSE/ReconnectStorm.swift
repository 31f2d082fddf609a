import Citation
import Events
import HTTPSemantics

/// An event stream requested over and over.
enum ReconnectStorm: ReconnectionRule {
  static let info = RuleInfo(
    id: "sse/reconnect-storm", severity: .warning,
    summary: "A client requests the same event stream again and again.",
    explanation: """
      An EventSource comes back whenever its stream ends. A handler that returns after it wrote what it had, a proxy that ends \
      responses, or an answer of known length turn a stream into polling, with a request and often a handshake each time.
      """,
    evidence: "The requests within one minute, each after the end of the one before.",
    fix: "Server: keep the response open while there may be events, and answer 204 where there will be none.",
    specifications: [.eventSourceModel], thresholds: [.reconnects], since: "0.1")

  static func judge(_ list: [StreamVisit], _ thresholds: Thresholds, report: (Finding) -> Void) {
    let needed = Int(clamping: max(1, thresholds[.reconnects]))
    guard list.count > needed else { return }
    guard let run = list.loop(of: needed + 1), let first = run.first, let last = run.last else { return }
    let took = last.first.time.since(first.first.time)
    var finding = Finding(
      info, subject: .connection(last.flow), exchange: last.exchange, direction: .toServer,
      "\(last.title): the client requested this stream \(Wording.count(UInt64(run.count), "time")) within \(Wording.duration(took)), each time after it had ended.",
      cost: .none, fix: info.fix,
      evidence: run.map { Evidence(.packet($0.first, .toServer), "asks, on connection #\($0.connection)") }
    ).on(last.connection)
    finding.count = UInt64(list.count - 1)
    report(finding)
  }
}

extension Threshold {
  static let reconnects = Threshold("sse.reconnects", .count, 5, "reconnections within a minute")
}
