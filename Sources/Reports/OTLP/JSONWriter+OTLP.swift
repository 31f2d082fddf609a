import Citation

// The words of OTLP's JSON encoding: integers of 64 bits are text, enumerations are numbers, identifiers are hexadecimal.
// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding

extension JSONWriter {
  /// Nanoseconds since 1970. A time before that cannot be said, and is 0.
  mutating func nanoseconds(_ name: FieldName, _ time: Timestamp) { field(name, String(max(0, time.nanoseconds))) }

  mutating func attribute(_ key: String, _ text: String?) {
    if let text { attribute(key) { $0.field("stringValue", text) } }
  }

  mutating func attribute(_ key: String, _ number: Int64?) {
    if let number { attribute(key) { $0.field("intValue", String(number)) } }
  }

  mutating func attribute(_ key: String, count: UInt64?) { attribute(key, count.map { Int64(clamping: $0) }) }

  /// Of what is false nothing is said.
  mutating func attribute(_ key: String, _ flag: Bool) {
    if flag { attribute(key) { $0.field("boolValue", true) } }
  }

  /// Numbers of packets.
  mutating func attribute(_ key: String, packets: [UInt64]) {
    guard !packets.isEmpty else { return }
    attribute(key) { value in
      value.object("arrayValue") { array in
        array.array("values") { list in
          for packet in packets { list.object { $0.field("intValue", String(packet)) } }
        }
      }
    }
  }

  private mutating func attribute(_ key: String, _ value: (inout JSONWriter) -> Void) {
    object { json in
      json.field("key", key)
      json.object("value", value)
    }
  }
}
