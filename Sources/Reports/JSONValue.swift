/// Something that can stand in a document.
package protocol JSONValue {
  func write(to json: inout JSONWriter)
}

extension Bool: JSONValue {
  package func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Int: JSONValue {
  package func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

extension Int64: JSONValue {
  package func write(to json: inout JSONWriter) { json.integer(self) }
}

extension UInt64: JSONValue {
  package func write(to json: inout JSONWriter) { json.integer(self) }
}

extension UInt32: JSONValue {
  package func write(to json: inout JSONWriter) { json.integer(UInt64(self)) }
}

extension UInt16: JSONValue {
  package func write(to json: inout JSONWriter) { json.integer(UInt64(self)) }
}

extension UInt8: JSONValue {
  package func write(to json: inout JSONWriter) { json.integer(UInt64(self)) }
}

extension String: JSONValue {
  package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Array: JSONValue where Element: JSONValue {
  package func write(to json: inout JSONWriter) {
    json.beginArray()
    for element in self { element.write(to: &json) }
    json.endArray()
  }
}
