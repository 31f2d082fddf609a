import Citation
import Events

// What each series takes from what is reported.

extension AssertionSeries {
  /// nil where the exchange is none of its things, or has no value.
  func sample(of exchange: ExchangeRecord) -> Sample? {
    let request = exchange.request
    let response = exchange.response
    var sample: Sample?
    switch self {
    case .exchanges: sample = Sample(packet: exchange.first.number)
    case .requests: sample = request.flatMap { $0.head == nil ? nil : Sample(packet: $0.first.number) }
    case .wait: sample = Self.sample(exchange.wait, response?.first)
    case .firstBody: sample = Self.sample(exchange.timeToFirstBody, response?.firstBody)
    case .total: sample = Self.sample(exchange.total, exchange.last)
    case .requestBytes: sample = Self.sample(request.map { Int64(clamping: $0.bodyBytes) }, request?.last)
    case .responseBytes: sample = Self.sample(response.map { Int64(clamping: $0.bodyBytes) }, response?.last)
    case .streams: sample = exchange.stream == nil ? nil : Sample(packet: exchange.first.number)
    case .sseFirstEvent:
      guard let stream = response?.stream, stream.kind == .sse else { return nil }
      sample = Self.sample(exchange.timeToFirstItem, stream.firstItem)
    case .h2Reset:
      guard let code = exchange.end.resetCode, let closing = exchange.end.closing, let packet = closing.at else {
        return nil
      }
      sample = Sample(packet: packet.number)
      sample?.direction = closing.by
      sample?.code = code
    case .h2Blocked:
      guard exchange.key.stream != nil else { return nil }
      sample = Self.sample(exchange.blocked, exchange.last)
    case .llmAnswers, .llmFirstToken, .llmGap, .llmTimePerToken, .llmDuration, .llmTokens:
      guard response?.isReadByItem == true, let answer = exchange.answer else { return nil }
      sample = self.sample(of: answer, exchange)
    default: return nil
    }
    sample?.exchange = exchange.number
    return sample
  }

  private static func sample(_ values: ExponentialHistogram, _ packet: PacketRef?) -> Sample? {
    var worst = sample(values.maximum, packet)
    worst?.spread = values
    return worst
  }

  private func sample(of answer: AnswerRecord, _ exchange: ExchangeRecord) -> Sample? {
    switch self {
    case .llmAnswers: Sample(packet: exchange.first.number)
    case .llmFirstToken: Self.sample(exchange.timeToFirstToken, answer.firstContent)
    case .llmGap: Self.sample(answer.gaps, answer.longestGap?.to)
    case .llmTimePerToken: Self.sample(answer.timePerToken, answer.lastContent)
    case .llmDuration: Self.sample(exchange.answerDuration, answer.end ?? answer.lastContent)
    case .llmTokens: Self.sample(answer.tokens.map { Int64(clamping: $0.count) }, answer.lastContent)
    default: nil
    }
  }

  /// It would have a value, had there been an answer.
  func isOwed(by exchange: ExchangeRecord) -> Bool {
    switch self {
    case .wait, .firstBody, .total: exchange.request?.head != nil && exchange.isUnanswered
    default: false
    }
  }

  func sample(of record: ConnectionRecord) -> Sample? {
    switch self {
    case .connections: return Sample(packet: record.firstPacket.number)
    case .tcpHandshake: return Self.sample(record.roundTrip.total, record.firstPacket)
    case .tcpRetransmitted:
      return Self.sample(
        Int64(clamping: record.sides.toServer.retransmittedBytes &+ record.sides.toClient.retransmittedBytes),
        record.firstPacket)
    case .tcpMissing: return Self.sample(Int64(clamping: record.missingBytes), record.firstPacket)
    case .tlsHandshake: return Self.sample(record.tls?.phases.handshakeNanoseconds, record.firstPacket)
    case .websockets: return record.webSocket == nil ? nil : Sample(packet: record.firstPacket.number)
    case .wsRoundTrip: return record.webSocket == nil ? nil : Sample(packet: record.firstPacket.number)
    case .wsClose:
      guard let code = record.closeCode else { return nil }
      let close = record.firstClose
      var sample = Sample(packet: close?.frame.span.first.number ?? record.lastPacket.number)
      sample.direction = close?.direction
      sample.code = UInt32(code)
      return sample
    default: return nil
    }
  }

  private static func sample(_ value: Int64?, _ packet: PacketRef?) -> Sample? {
    guard let value, let packet else { return nil }
    return Sample(value: value, packet: packet.number)
  }

  /// What a piece with so long a gap before it is to the series; nil where it is nothing to it.
  func value(of piece: Item, gap: Int64?) -> Int64? {
    switch (self, piece.kind) {
    case (.sseEvents, .event), (.ndjsonLines, .line), (.grpcMessages, .grpc), (.wsMessages, .text),
      (.wsMessages, .binary):
      1
    case (.sseGap, .event), (.ndjsonGap, .line), (.grpcGap, .grpc), (.chunkGap, .chunk), (.wsGap, .text),
      (.wsGap, .binary):
      gap
    case (.streamGap, .event), (.streamGap, .line), (.streamGap, .grpc), (.streamGap, .chunk): gap
    default: nil
    }
  }

  /// The figure of the whole capture; nil where nobody knows it.
  func value(of summary: Summary) -> UInt64? {
    switch self {
    case .capturePackets: summary.capture.packets
    case .captureDuration: UInt64(max(0, summary.capture.duration))
    case .captureDropped: summary.capture.dropped
    case .captureMissing: summary.missingBytes
    default: nil
    }
  }

  /// What is inside of TLS is of no concern to it.
  var isOfTransport: Bool {
    switch self {
    case .connections, .tcpHandshake, .tcpRetransmitted, .tcpMissing, .tlsHandshake, .findings: true
    default: subject == .capture
    }
  }

  var unit: AssertionResult.Amount.Unit {
    switch values {
    case .many(.duration), .one(.duration): .nanoseconds
    case .many(.size), .one(.size): .bytes
    default: .count
    }
  }
}

extension ExchangeRecord {
  /// The longer of its two directions without credit of HTTP/2, its own or the connection's.
  fileprivate var blocked: Int64 {
    guard let credit else { return 0 }
    return Direction.allCases.map { credit[$0].blocked &+ credit[$0].blockedByConnection }.max() ?? 0
  }
}
