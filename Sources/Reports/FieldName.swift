/// The name of a field of a document. A long document has millions; the program's own are known to need no escape.
/// Names from a capture or another document are escaped as texts are.
package struct FieldName: ExpressibleByStringLiteral {
  enum Source {
    case own(StaticString)
    case other(String)
  }

  let source: Source

  @inline(__always)
  package init(stringLiteral name: StaticString) {
    assert(isPlainText(UnsafeRawBufferPointer(name.bytes), true))
    source = .own(name)
  }

  package init(_ name: String) {
    source = .other(name)
  }

  var text: String {
    switch source {
    case .own(let name): name.description
    case .other(let name): name
    }
  }
}

extension StaticString {
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
