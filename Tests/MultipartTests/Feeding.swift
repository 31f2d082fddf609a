import Citation
import HTTPSemantics
import Multipart
import Testing

/// The tokens of a body cut before the given offsets; every piece is a packet of its own where packets are numbered.
func tokens(
  _ bytes: [UInt8], _ boundary: String, isFormData: Bool = true, cutAt cuts: [Int] = [], isNumbered: Bool = false
)
  -> [MultipartToken]
{
  guard var parser = MultipartParser(boundary: Array(boundary.utf8), isFormData: isFormData) else { return [] }
  var tokens: [MultipartToken] = []
  var position = 0
  var number: UInt64 = 1
  for cut in cuts + [bytes.count] where cut > position {
    let packet = PacketRef(
      number: isNumbered ? number : 1, time: Timestamp(nanoseconds: isNumbered ? Int64(number) * 1_000 : 0))
    parser.consume(bytes.span.extracting(position..<cut), at: UInt64(position), in: packet, into: &tokens)
    position = cut
    number += 1
  }
  parser.finish(isWhole: true, into: &tokens)
  return tokens
}

/// The bytes of a text whose characters are all below U+0100.
func wire(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

extension MultipartToken {
  /// A short line: what a row of a test expects.
  var summary: String {
    switch self {
    case .preamble(let aside): return "preamble \(aside.bytes) visible \(aside.visible)"
    case .delimiter(let span): return "delimiter \(span.range.text)"
    case .part(let part):
      let fields = part.block.fields.map { part.block.name($0) }.joined(separator: ",")
      let name = part.disposition?.name.map { " name=\($0)" } ?? ""
      let file = part.disposition?.fileName.map { " file=\($0)" } ?? ""
      return "part \(part.number) [\(fields)]\(name)\(file)"
    case .partEnd(let end): return "data \(end.number) \(end.bytes)" + (end.isDelimited ? "" : " open")
    case .close(let span): return "close \(span.range.text)"
    case .epilogue(let aside): return "epilogue \(aside.bytes) visible \(aside.visible)"
    case .lenience(let lenience): return "\(lenience.kind) \(lenience.part) \(lenience.span.range.text)"
    case .end(let missing): return missing == 0 ? "end" : "end -\(missing)"
    }
  }

  var spans: [ByteSpan] {
    switch self {
    case .delimiter(let span), .close(let span): [span]
    case .part(let part): [part.span]
    case .lenience(let lenience): [lenience.span]
    case .preamble, .partEnd, .epilogue, .end: []
    }
  }
}

extension Range<UInt64> {
  fileprivate var text: String { "\(lowerBound)-\(upperBound)" }
}
