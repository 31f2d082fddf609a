import Citation
import HTTP1
import HTTPSemantics

extension [HTTP1Token] {
  /// The tokens as short lines: what a row of a test expects.
  var summary: [String] { map(\.summary) }
}

extension HTTP1Token {
  var summary: String {
    switch self {
    case .messageStart(let offset, _): return "start \(offset)"
    case .head(let head): return head.summary
    case .partialHead(let head): return "partial " + head.summary
    case .body(let range, let offset): return "body \(range.text) @\(offset)"
    case .chunkSize(let line): return "size \(line.size) \(line.span.range.text)"
    case .chunkEnd(let chunk):
      return "chunk \(chunk.index) \(chunk.span.range.text)" + (chunk.ending == .crlf ? "" : " \(chunk.ending)")
    case .lastChunk(let line): return "last \(line.span.range.text)"
    case .trailers(let block): return "trailers " + block.fields.map { block.name($0) }.joined(separator: ",")
    case .messageEnd(let end):
      let missing = end.missingBytes > 0 ? " missing \(end.missingBytes)" : ""
      guard case .incomplete(let why) = end.outcome else { return "end \(end.offset) body \(end.bodyBytes)\(missing)" }
      let outstanding = why.outstanding.map { " -\($0)" } ?? ""
      return "broken \(end.offset) body \(end.bodyBytes)\(missing) \(why.cause) in \(why.place)\(outstanding)"
    case .tunnel(let offset, let kind): return "tunnel \(offset) \(kind)"
    case .lenience(let lenience):
      let count = lenience.count > 1 ? " x\(lenience.count)" : ""
      return "lenience \(lenience.kind) in \(lenience.place) \(lenience.span.range.text)\(count)"
    case .framingError(let error):
      return "error \(error.kind) \(error.span.range.text) '\(text(of: error.excerpt.bytes).escaped)'"
    case .resync(let offset, let skipped): return "resync \(offset) skipped \(skipped)"
    case .opaque(let offset): return "opaque \(offset)"
    case .gap(let range): return "gap \(range.text)"
    }
  }
}

extension MessageHead {
  fileprivate var summary: String {
    let length = framing == .length ? " \(contentLength)" : ""
    let line =
      switch self.line {
      case .request: "\(methodText) \(targetText)"
      case .response(let status, _): "\(status.code)" + (isRequestKnown ? "" : "?")
      }
    return "head \(line) \(version) \(framing)\(length) \(reason)"
  }
}

extension Range<UInt64> {
  fileprivate var text: String { "\(lowerBound)-\(upperBound)" }
}

extension String {
  var escaped: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "\r": "\\r"
      case "\n": "\\n"
      case _ where scalar.value < 0x20 || scalar.value > 0x7E: "\\x" + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }.joined()
  }
}
