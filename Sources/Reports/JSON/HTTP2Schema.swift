import Citation
import Events
import HTTP2Semantics

// The http2 object of a connection in streamscope.result/1.

extension JSONWriter {
  mutating func http2(_ record: HTTP2Record, _ context: ResultContext) {
    object("http2") { json in
      json.field("started", record.beginning.rawValue)
      json.object("settings") { json in
        for direction in Direction.allCases {
          json.map(direction.field, record.sides[direction].settings.map { ($0.name, Int64($0.value)) })
        }
      }
      json.object("frames") { json in
        for direction in Direction.allCases {
          json.map(direction.field, record.sides[direction].frames.map { ($0.0.name, Int64(clamping: $0.1)) })
        }
      }
      json.object("streams") { json in
        json.field("opened", record.opened)
        json.field("most", record.most)
        let limit = record.sides.toClient.settings.first { $0.id == HTTP2Setting.maxConcurrentStreams }
        json.field("limit", limit.map { UInt64($0.value) })
        json.field("refused", record.resets.first { $0.code == .refusedStream }?.count)
        if !record.resets.isEmpty {
          json.map("reset", record.resets.map { ($0.code.name, Int64(clamping: $0.count)) })
        }
      }
      json.sides("headerBytes", record) { side, json in
        json.field("wire", side.headerBytes)
        json.field("plain", side.plainHeaderBytes)
      }
      json.acknowledgements(record, context)
      json.pings(record)
      json.goAways(record.goAways, context)
      json.object("blockedNs") { blocked in
        for direction in Direction.allCases { blocked.field(direction.field, record.blocked[direction]) }
      }
      json.windows(record.credit, context)
    }
  }

  /// What was left of the windows that were used up, as columns of one table for each.
  mutating func windows(_ credit: BothDirections<CreditRecord>, _ context: ResultContext) {
    guard Direction.allCases.contains(where: { credit[$0].course != nil }) else { return }
    object("window") { json in
      for direction in Direction.allCases {
        guard let points = credit[direction].course?.points else { continue }
        json.object(direction.field) { json in
          json.line("ns", points.map { context.relative(Timestamp(nanoseconds: $0.nanoseconds)) })
          json.line("low", points.map(\.low))
          json.line("high", points.map(\.high))
        }
      }
    }
  }

  private mutating func sides(
    _ name: FieldName, _ record: HTTP2Record, _ write: (HTTP2SideRecord, inout JSONWriter) -> Void
  ) {
    object(name) { json in
      for direction in Direction.allCases {
        json.object(direction.field) { write(record.sides[direction], &$0) }
      }
    }
  }

  private mutating func acknowledgements(_ record: HTTP2Record, _ context: ResultContext) {
    guard Direction.allCases.contains(where: { record.sides[$0].acknowledged != nil }) else { return }
    object("acknowledgedNs") { json in
      for direction in Direction.allCases {
        json.field(direction.field, record.sides[direction].acknowledged.map { context.relative($0.time) })
      }
    }
  }

  private mutating func pings(_ record: HTTP2Record) {
    guard Direction.allCases.contains(where: { record.sides[$0].pingRoundTrips.count > 0 }) else { return }
    object("pings") { json in
      for direction in Direction.allCases { json.quantiles(direction.field, record.sides[direction].pingRoundTrips) }
    }
  }

  private mutating func goAways(_ goAways: [HTTP2Record.GoAway], _ context: ResultContext) {
    guard !goAways.isEmpty else { return }
    array("goaway") { list in
      for goAway in goAways {
        list.object { json in
          json.field("direction", goAway.direction.name)
          json.field("lastStreamId", UInt64(goAway.lastStream))
          json.field("code", UInt64(goAway.code.rawValue))
          json.field("packet", goAway.packet.number)
          json.field("ns", context.relative(goAway.packet.time))
          json.field("debugBytes", nonzero: UInt64(goAway.debugBytes))
        }
      }
    }
  }
}
