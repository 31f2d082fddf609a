import Citation
import Events

/// Responses that stood still until their clients left. Whether more of them should have come is not on the wire, so that no
/// rule accuses the server; but it is no capture in which nothing happened.
struct LeftResponses: Sendable {
  private var count: UInt64 = 0
  private var longest: Int64 = 0

  /// A shorter silence is no reason to leave.
  private static let least: Int64 = 2_000_000_000

  mutating func add(_ exchange: ExchangeRecord) {
    guard let silence = exchange.leftAfter, silence >= Self.least else { return }
    count &+= 1
    longest = max(longest, silence)
  }

  /// A sentence; nil where there are none.
  var words: String? {
    switch count {
    case 0: nil
    case 1: "1 response was unfinished when its client left, after \(Wording.duration(longest)) of silence."
    default:
      "\(Wording.number(count)) responses were unfinished when their clients left, after up to \(Wording.duration(longest)) of silence."
    }
  }
}

extension ExchangeRecord {
  /// How long a response had been silent when its receiver ended the exchange, before its end came. Streams of events are
  /// left so every day.
  fileprivate var leftAfter: Int64? {
    guard let response, !response.isComplete, response.incomplete?.cause != .gap, !response.isReadByItem,
      let last = response.lastBody
    else { return nil }
    let end: PacketRef
    if let closing = self.end.closing {
      guard closing.by == response.direction.opposite, let at = closing.at else { return nil }
      end = at
    } else {
      guard let first = self.end.first, first.side.end == .fin, first.by == response.direction.opposite else {
        return nil
      }
      end = first.side.packet
    }
    return end.number > last.number ? end.time.since(last.time) : nil
  }
}
