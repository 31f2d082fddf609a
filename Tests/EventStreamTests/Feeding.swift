import Citation
import EventStream
import Support

/// A stream fed in segments, each a packet of its own where asked for; numbered from 1.
struct Feeding {
  var numbersPackets = false

  func tokens(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [EventStreamToken] {
    var parser = EventStreamParser()
    return parser.tokens(of: bytes, cutAt: cuts, numbersPackets: numbersPackets)
  }

  func lines(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [JSONLineToken] {
    var parser = JSONLineParser()
    return parser.tokens(of: bytes, cutAt: cuts, numbersPackets: numbersPackets)
  }
}

extension EventStreamToken {
  /// `event 5/1`, `comment`, `retry 10`, `strayLine "…"`, `unfinished 5`
  var words: String {
    switch self {
    case .event(let event):
      return "event \(event.dataLength)/\(event.dataLines)"
        + (event.name.isEmpty ? "" : " " + String(decoding: event.name, as: UTF8.self))
    case .comment: return "comment"
    case .retry(let milliseconds, _): return "retry \(milliseconds)"
    case .lenience(let lenience): return "\(lenience.kind)"
    case .unfinished(let event, _): return "unfinished \(event.dataLength)/\(event.dataLines)"
    }
  }
}
