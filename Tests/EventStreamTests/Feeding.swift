import EventStream
import Trace

/// A stream fed in segments, each a packet of its own where asked for; numbered from 1.
struct Feeding {
  var numbersPackets = false

  func tokens(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [EventStreamToken] {
    var parser = EventStreamParser()
    var tokens: [EventStreamToken] = []
    feed(bytes, cuts) { parser.consume($0, into: &tokens) }
    parser.finish(.fin, into: &tokens)
    return tokens
  }

  func lines(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [JSONLineToken] {
    var parser = JSONLineParser()
    var tokens: [JSONLineToken] = []
    feed(bytes, cuts) { parser.consume($0, into: &tokens) }
    parser.finish(.fin, into: &tokens)
    return tokens
  }

  private func feed(_ bytes: [UInt8], _ cuts: [Int], _ consume: (borrowing StreamChunk) -> Void) {
    var position = 0
    var number: UInt64 = 1
    for cut in cuts + [bytes.count] where cut > position {
      let packet = PacketRef(number: numbersPackets ? number : 1, time: Timestamp(nanoseconds: Int64(number)))
      let same = PacketRef(number: 1, time: .zero)
      let shown = numbersPackets ? packet : same
      consume(StreamChunk(bytes.span.extracting(position..<cut), at: UInt64(position), in: shown, released: shown))
      position = cut
      number += 1
    }
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
