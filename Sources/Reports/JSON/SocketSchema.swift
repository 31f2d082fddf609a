import Citation
import Events
import WebSocketSemantics

// The websocket object of a connection in streamscope.result/1.

extension JSONWriter {
  /// The fields of a WebSocket, inside an object that the caller opened.
  mutating func webSocket(_ record: WebSocketRecord, _ context: ResultContext) {
    // 0 if the handshake was not captured.
    field("exchange", record.opening.exchangeKey.number)
    field("midstream", record.opening.isMidstream ? true : nil)
    field("version", record.opening.version.map { context.redaction.name($0) })
    field(
      "subprotocol", record.opening.subprotocol.map { context.redaction.value($0, of: "sec-websocket-protocol") })
    field("application", record.application)
    field("extensions", record.opening.extensions)
    bothWays("frames", record) { json, side in
      json.field("text", side.frames[1])
      json.field("binary", side.frames[2])
      json.field("continuation", side.frames[0])
      json.field("close", side.frames[8])
      json.field("ping", side.frames[9])
      json.field("pong", side.frames[10])
      let known = [0, 1, 2, 8, 9, 10].reduce(UInt64(0)) { $0 &+ side.frames[$1] }
      json.field("reserved", nonzero: (0..<16).reduce(UInt64(0)) { $0 &+ side.frames[$1] } &- known)
    }
    bothWays("messages", record) { json, side in
      json.field("text", side.text)
      json.field("binary", side.binary)
      json.field("bytes", side.bytes)
      json.field("wireBytes", side.wireBytes)
      json.field("firstNs", side.firstMessage.map { context.relative($0.time) })
      json.field("lastNs", side.lastMessage.map { context.relative($0.time) })
      json.quantiles("size", side.sizes)
      json.quantiles("gaps", side.gaps)
    }
    gaps(record)
    close(record, context)
    pings(record)
    deflate(record)
  }

  private mutating func bothWays(
    _ name: FieldName, _ record: WebSocketRecord, _ write: (inout JSONWriter, WebSocketDirection) -> Void
  ) {
    object(name) { json in
      for direction in Direction.allCases {
        json.object(direction.field) { write(&$0, record.sides[direction]) }
      }
    }
  }

  private mutating func gaps(_ record: WebSocketRecord) {
    guard Direction.allCases.contains(where: { record.sides[$0].gaps.count > 0 }) else { return }
    object("gaps") { json in
      for direction in Direction.allCases { json.quantiles(direction.field, record.sides[direction].gaps) }
    }
  }

  private mutating func close(_ record: WebSocketRecord, _ context: ResultContext) {
    guard Direction.allCases.contains(where: { record.sides[$0].close != nil }) else { return }
    object("close") { json in
      for direction in Direction.allCases {
        guard let frame = record.sides[direction].close else { continue }
        json.object(direction.field) { json in
          json.field("packet", frame.span.first.number)
          json.field("code", frame.closeCode.map { UInt64($0) })
          json.field("reasonBytes", nonzero: UInt64(frame.closeReason.count))
          guard !frame.closeReason.isEmpty else { return }
          json.field("reason", context.redaction.text(Excerpt(frame.closeReason.span, isPayload: true), limit: 128))
        }
      }
    }
  }

  private mutating func pings(_ record: WebSocketRecord) {
    guard Direction.allCases.contains(where: { record.pingRoundTrips[$0].count > 0 }) else { return }
    object("pingRtt") { json in
      for direction in Direction.allCases { json.quantiles(direction.field, record.pingRoundTrips[direction]) }
    }
  }

  private mutating func deflate(_ record: WebSocketRecord) {
    guard let terms = record.opening.deflate else { return }
    object("deflate") { json in
      for direction in Direction.allCases {
        json.object(direction.field) { json in
          json.field("windowBits", terms[direction].windowBits)
          json.field("contextTakeover", !terms[direction].forgetsContext)
          guard let figures = record.sides[direction].deflate else { return }
          json.field("messages", figures.messages)
          json.field("compressedBytes", figures.compressed)
          json.field("inflatedBytes", figures.inflated)
        }
      }
    }
  }

  mutating func quantiles(_ name: FieldName, _ values: ExponentialHistogram) {
    guard values.count > 0 else { return }
    object(name) { json in
      json.field("count", values.count)
      json.field("min", values.minimum)
      json.field("p50", values.quantile(50))
      json.field("p95", values.quantile(95))
      json.field("max", values.maximum)
    }
  }
}
