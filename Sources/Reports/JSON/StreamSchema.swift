import Citation
import Events

// The stream object of an exchange in streamscope.result/1.

extension JSONWriter {
  /// What the response's body was as a stream, and why either body was silent; omitted if empty.
  mutating func stream(_ exchange: ExchangeRecord, pairOf pair: ExchangeKey?, _ context: ResultContext) {
    let record = exchange.stream
    let holds = exchange.holds
    guard record != nil || pair != nil || !exchange.silence.isEmpty || !holds.isEmpty else { return }
    object("stream") { json in
      if let record {
        json.field("kind", record.kind.rawValue)
        json.field("pieces", record.pieces)
        json.field("firstNs", record.firstPiece.map { context.relative($0.time) })
        json.gaps(record.gaps)
        if record.kind == .sse || record.kind == .ndjson { json.items(record, context) }
        if let answer = record.answer { json.answer(answer, of: exchange, context) }
      }
      json.silence(exchange, context)
      if !holds.isEmpty {
        json.array("holds") { list in for hold in holds { list.object { $0.hold(hold, context) } } }
      }
      if let pair {
        json.object("pairOf") { json in
          json.field("connection", pair.connection)
          json.field("exchange", pair.number)
        }
      }
    }
  }

  private mutating func hold(_ hold: StreamHold, _ context: ResultContext) {
    field("kind", hold.kind.rawValue)
    field("direction", hold.direction.name)
    field("ns", context.relative(hold.from.time))
    field("durationNs", hold.to.time.since(hold.from.time))
    field("firstPacket", hold.from.number)
    field("lastPacket", hold.to.number)
    field("count", hold.count)
  }

  /// Events or, of another kind of stream, lines. Messages of gRPC stand with their call.
  private mutating func items(_ record: ItemRecord, _ context: ResultContext) {
    object(record.kind == .sse ? "events" : "lines") { json in
      json.field("count", record.items)
      json.field(
        record.kind == .sse ? "firstEventNs" : "firstLineNs", record.firstItem.map { context.relative($0.time) })
      if record.kind == .sse { json.field("firstDataNs", record.firstData.map { context.relative($0.time) }) }
      json.field("comments", record.comments)
      json.field("commentPeriodMaxNs", record.longestCommentPeriod?.nanoseconds)
      json.gaps(record.itemGaps)
      json.density("perChunk", record.perChunk)
      json.density("perSegment", record.perSegment)
      json.field("splitAcrossChunks", nonzero: record.splitOverChunks)
      json.field("endHeld", nonzero: record.heldEnds)
      json.field("endHeldMaxNs", record.heldEnd?.nanoseconds)
      json.field("pendingBytes", record.tail?.bytes)
      json.field("retryMs", record.retryMilliseconds)
      if !record.anomalies.isEmpty {
        json.object("ignored") { list in
          for anomaly in record.anomalies { list.field(FieldName(String(describing: anomaly.kind)), anomaly.count) }
        }
      }
    }
  }

  mutating func density(_ name: FieldName, _ density: ItemRecord.Density) {
    guard density.units > 0 else { return }
    object(name) { json in
      json.field("units", density.units)
      json.field("max", density.most)
    }
  }

  mutating func gaps(_ gaps: ExponentialHistogram) {
    guard gaps.count > 0 else { return }
    object("gaps") { json in
      json.field("count", gaps.count)
      json.field("min", gaps.minimum)
      json.field("p50", gaps.quantile(50))
      json.field("p95", gaps.quantile(95))
      json.field("p99", gaps.quantile(99))
      json.field("max", gaps.maximum)
    }
  }
}
