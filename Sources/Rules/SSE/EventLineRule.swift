import Citation
import Events
import HTTPSemantics

/// A rule about lines of an event stream that receivers ignore without a word: all it has to say is a row.
protocol EventLineRule: ExchangeRule {
  static var row: EventLineRow { get }
}

struct EventLineRow: Sendable {
  let kind: ItemRecord.Anomaly.Kind
  /// What stands there.
  let note: String
  /// `line`
  let noun: String
  /// What is wrong, behind the noun.
  let what: String
  /// It is a part of what was meant to be read.
  let losesPayload: Bool
}

extension EventLineRule {
  static var needs: ExchangeFacts { .remarkableEvents }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let events = exchange.eventResponse, let anomaly = events.stream.anomaly(row.kind) else { return }
    let response = events.message
    var finding = Finding(
      info, confidence: response.isWhollyCaptured ? .high : .low, subject: .connection(context.id),
      exchange: exchange.number, direction: response.direction,
      "\(exchange.title): \(Wording.count(anomaly.count, row.noun)) \(row.what): receivers ignore what \(anomaly.count == 1 ? "it holds" : "they hold").",
      cost: row.losesPayload ? .lost(bytes: anomaly.bytes) : .none, fix: info.fix,
      evidence: [
        Evidence(.packet(anomaly.packet, response.direction), excerpt: anomaly.excerpt, row.note)
      ])
    finding.count = anomaly.count
    report(finding)
  }
}
