import Events
import HTTPSemantics

// The original bytes of a message's text where it is not UTF-8, so that the text shows it as Latin-1.

extension JSONWriter {
  /// `raw` of a message. A secret that redaction hides is not reported here either.
  mutating func raw(_ message: Message, _ context: ResultContext) {
    guard let head = message.head else { return }
    let line = head.unreadableParts.filter { context.redaction.target($0.text) == $0.text }
    let headers = head.block.unreadable(context.redaction)
    let trailers = message.trailers?.unreadable(context.redaction) ?? []
    guard !line.isEmpty || !headers.isEmpty || !trailers.isEmpty else { return }
    object("raw") { json in
      for part in line { json.field(FieldName(part.name), base64: part.bytes.span) }
      json.raw("headers", headers, head.block)
      if let block = message.trailers { json.raw("trailers", trailers, block) }
    }
  }

  private mutating func raw(_ name: FieldName, _ indices: [Int], _ block: HeaderBlock) {
    guard !indices.isEmpty else { return }
    array(name) { list in
      for index in indices {
        list.object { json in
          // Those before them that stand for a start line are listed apart.
          json.field("index", index - block.fields[..<index].count { block.isPseudo($0) })
          json.field("name", base64: Array(block.bytes[block.fields[index].name.clamped(to: block.bytes.indices)]).span)
          json.field(
            "value", base64: Array(block.bytes[block.fields[index].value.clamped(to: block.bytes.indices)]).span)
        }
      }
    }
  }
}

extension MessageHead {
  fileprivate var unreadableParts: [(name: String, bytes: [UInt8], text: String)] {
    let parts: [(String, Range<Int>)] =
      switch line {
      case .request(_, let name, let target): [("method", name), ("target", target)]
      case .response(_, let reason): [("reason", reason)]
      }
    return parts.compactMap { name, range in
      guard !block.isUTF8(range) else { return nil }
      return (name, Array(block.bytes[range.clamped(to: block.bytes.indices)]), block.text(of: range))
    }
  }
}

extension HeaderBlock {
  /// The fields, by their places from 0, whose name or value is not UTF-8 and is shown.
  fileprivate func unreadable(_ redaction: Redaction) -> [Int] {
    guard !isUTF8(bytes.indices) else { return [] }
    return fields.indices.filter { index in
      let field = fields[index]
      guard !isUTF8(field.name) || !isUTF8(field.value), !isPseudo(field) else { return false }
      let value = value(field)
      let name = name(field)
      return redaction.value(value, of: name) == value && redaction.name(ofField: name) == name
    }
  }

  fileprivate func isUTF8(_ range: Range<Int>) -> Bool {
    let bytes = bytes
    return Scalars.isUTF8(bytes.span.extracting(range.clamped(to: bytes.indices)))
  }
}
