import Citation
import Events
import HTTP2Semantics

// The http2 object of a connection in streamscope.result/1.

extension JSONWriter {
  mutating func http2(_ record: HTTP2Record, _ context: ResultContext) {
    object("http2") { json in
      json.field("started", record.beginning.rawValue)
      json.sides("settings", record) { side, json in
        for setting in side.settings { json.field(setting.name, UInt64(setting.value)) }
      }
      json.sides("frames", record) { side, json in
        for (type, count) in side.frames { json.field(type.name, count) }
      }
      json.object("streams") { json in
        json.field("opened", record.opened)
        json.field("most", record.most)
        if !record.resets.isEmpty {
          json.object("reset") { codes in
            for (code, count) in record.resets { codes.field(code.name, count) }
          }
        }
      }
      json.sides("headerBytes", record) { side, json in
        json.field("wire", side.headerBytes)
        json.field("plain", side.plainHeaderBytes)
      }
      json.goAways(record.goAways, context)
    }
  }

  private mutating func sides(
    _ name: String, _ record: HTTP2Record, _ write: (HTTP2SideRecord, inout JSONWriter) -> Void
  ) {
    object(name) { json in
      for direction in Direction.allCases {
        json.object(direction.name) { write(record.sides[direction], &$0) }
      }
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
