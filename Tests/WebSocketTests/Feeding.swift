import Citation
import Support
import WebSocket
import WebSocketSemantics

/// A stream of one direction, fed to a parser in segments.
struct Feeding {
  var end: DirectionEnd? = .fin
  /// Every segment is a packet of its own, numbered from 1; else all bytes are in packet 1.
  var numbersPackets = false

  /// The tokens of a stream cut before the given offsets, adjacent payload tokens joined.
  func tokens(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [FrameToken] {
    var parser = FrameParser()
    return parser.tokens(of: bytes, cutAt: cuts, numbersPackets: numbersPackets, end: end).joined
  }

}

extension [FrameToken] {
  var joined: [FrameToken] {
    var result: [FrameToken] = []
    for token in self {
      if case .payload(let next, _, _) = token, case .payload(let range, let offset, let key)? = result.last,
        range.upperBound == next.lowerBound
      {
        result[result.count - 1] = .payload(
          range: range.lowerBound..<next.upperBound, payloadOffset: offset, maskKey: key)
      } else {
        result.append(token)
      }
    }
    return result
  }

  var starts: [Frame] { compactMap { if case .frameStart(let frame) = $0 { frame } else { nil } } }
  var ends: [Frame] { compactMap { if case .frameEnd(let frame) = $0 { frame } else { nil } } }
  var words: [String] { map(\.words) }
}

extension FrameToken {
  /// `start text 5`, `payload 2-7 @0`, `end text 5`, `end ping 2/4 "ab"`, `end text header 3 of 5`, `lost 7-9 #1`
  var words: String {
    switch self {
    case .frameStart(let frame): return "start \(frame.words) \(frame.length)"
    case .payload(let range, let offset, _): return "payload \(range.lowerBound)-\(range.upperBound) @\(offset)"
    case .frameEnd(let frame):
      var words = "end \(frame.words) "
      if frame.headerReleased == nil {
        words += "header \(frame.header.bytes.count)" + (frame.length > 0 ? " of \(frame.length)" : "")
      } else {
        words += frame.isComplete ? "\(frame.length)" : "\(frame.received)/\(frame.length)"
      }
      if !frame.control.isEmpty { words += " \"" + String(decoding: frame.control, as: UTF8.self) + "\"" }
      return words
    case .lost(let range, let packet): return "lost \(range.lowerBound)-\(range.upperBound) #\(packet.number)"
    }
  }
}

extension Frame {
  /// `text more r4 key 1020304 16`: where another fragment follows, with reserved bits, a mask, a long length.
  fileprivate var words: String {
    var words = [opcode.name]
    if !isFinal { words.append("more") }
    if reserved != 0 { words.append("r\(reserved)") }
    if let maskKey { words.append("key " + String(maskKey, radix: 16)) }
    switch lengthForm {
    case .short: break
    case .extended16: words.append("16")
    case .extended64: words.append("64")
    }
    return words.joined(separator: " ")
  }
}
