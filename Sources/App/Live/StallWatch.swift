import Citation
import Events

/// Stalled streams, each reported once until it continues.
struct StallWatch {
  private struct Place: Hashable {
    var key: ExchangeKey
    var direction: Direction
  }

  /// The shortest silence that is a stall.
  let threshold: Int64
  /// The last packet of each stream that was reported.
  private var told: [Place: PacketRef] = [:]

  init(threshold: Int64) {
    self.threshold = threshold
  }

  /// The open streams that have stalled since the last call.
  mutating func stalls(among streams: [OpenStream], at now: Timestamp) -> [StreamStall] {
    var found: [StreamStall] = []
    var still: [Place: PacketRef] = [:]
    for stream in streams where stream.isBody {
      let silence = now.since(stream.last.time)
      guard silence >= threshold else { continue }
      let place = Place(key: stream.key, direction: stream.direction)
      still[place] = stream.last
      if told[place] != stream.last { found.append(StreamStall(stream, nanoseconds: silence)) }
    }
    told = still
    return found
  }
}
