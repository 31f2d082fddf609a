import Citation
import Events
import HTTP2Semantics

/// A stream that a side gave up.
struct StreamEnd {
  let exchange: ExchangeRecord
  let code: HTTP2ErrorCode
  let by: Direction
  let packet: PacketRef

  /// nil for an exchange that was not reset, and for a WebSocket, which has rules of its own.
  init?(_ exchange: ExchangeRecord) {
    guard let code = exchange.end.resetCode, let closing = exchange.end.closing, let by = closing.by,
      let packet = closing.at, exchange.request?.head?.block.first(":protocol") == nil
    else { return nil }
    self.exchange = exchange
    self.code = HTTP2ErrorCode(code)
    self.by = by
    self.packet = packet
  }

  /// The response was over before.
  var isLate: Bool { exchange.response?.isComplete == true }
  var evidence: Evidence { Evidence(.packet(packet, by), "RST_STREAM \(code.name)") }
}

/// Judges exchanges whose stream was reset.
protocol StreamEndRule: ExchangeRule {
  static func judge(_ end: StreamEnd, in context: FlowContext, report: (Finding) -> Void)
}

extension StreamEndRule {
  static var needs: ExchangeFacts { .http2 }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let end = StreamEnd(exchange) { judge(end, in: context, report: report) }
  }

  static func finding(_ end: StreamEnd, _ context: FlowContext, _ words: String, cost: Cost) -> Finding {
    Finding(
      info, subject: .connection(context.id), exchange: end.exchange.number, direction: end.by,
      "\(end.exchange.title): \(words).", cost: cost, fix: info.fix, evidence: [end.evidence])
  }
}
