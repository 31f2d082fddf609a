import Citation
import HTTP2
import HTTP2Semantics
import Support

/// A frame as a sender writes it.
func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
  let length = payload.count
  let header: [UInt8] = [
    UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags,
    UInt8(stream >> 24 & 0xFF), UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF), UInt8(stream & 0xFF),
  ]
  return header + payload
}

func text(_ text: String) -> [UInt8] { Array(text.utf8) }

extension [HTTP2Token] {
  /// Adjacent pieces of one frame's data as one.
  var joined: [HTTP2Token] {
    var result: [HTTP2Token] = []
    for token in self {
      if case .body(let stream, let next) = token, case .body(stream, let range)? = result.last,
        range.upperBound == next.lowerBound
      {
        result[result.count - 1] = .body(stream: stream, range: range.lowerBound..<next.upperBound)
      } else {
        result.append(token)
      }
    }
    return result
  }

  var words: [String] { map(\.words) }
  var frames: [HTTP2Frame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
  var blocks: [HTTP2Block] { compactMap { if case .block(let block) = $0 { block } else { nil } } }
}

extension HTTP2Token {
  /// `preface 0-24`, `body 1 9-14`, `DATA 1 end 5`, `block 1 end 3 bytes`, `! frameSize 3`, `lost 9-12`
  var words: String {
    switch self {
    case .preface(let span): return "preface \(span.range.lowerBound)-\(span.range.upperBound)"
    case .body(let stream, let range): return "body \(stream) \(range.lowerBound)-\(range.upperBound)"
    case .bodyLost(let stream, let count): return "body \(stream) lost \(count)"
    case .frame(let frame): return frame.words
    case .block(let block):
      let push = block.promised.map { " promises \($0)" } ?? ""
      return "block \(block.stream)\(push)\(block.endsStream ? " end" : "") \(block.bytes.count)"
        + (block.isWhole ? "" : " cut")
    case .fault(let fault): return "! \(fault.kind) \(fault.value)/\(fault.limit)"
    case .lost(let range): return "lost \(range.lowerBound)-\(range.upperBound)"
    case .opaque(let offset, _): return "opaque \(offset)"
    }
  }
}

extension HTTP2Frame {
  fileprivate var words: String {
    var words = ["\(type.name) \(stream)"]
    if endsStream { words.append("end") }
    if isAcknowledgement { words.append("ack") }
    if missing > 0 { words.append("lacks \(missing)") }
    switch payload {
    case .none: break
    case .malformed: words.append("malformed \(length)")
    case .data(let bytes, let padding): words.append("\(bytes)" + (padding > 0 ? "+\(padding)" : ""))
    case .priority(let other): words.append("on \(other)")
    case .reset(let code): words.append(code.name)
    case .settings(let settings): words += settings.map { "\($0.name)=\($0.value)" }
    case .pushPromise(let promised): words.append("promises \(promised)")
    case .ping(let value): words.append(String(value, radix: 16))
    case .goAway(let last, let code, let debug, let count):
      words.append("\(last) \(code.name) \(count) \"\(String(decoding: debug, as: UTF8.self))\"")
    case .windowUpdate(let increment): words.append("+\(increment)")
    }
    return words.joined(separator: " ")
  }
}
