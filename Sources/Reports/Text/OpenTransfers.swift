import Citation
import Events

/// Bodies that had been silent for long when the capture ended, although more was to come: the rest of a known length, or
/// the next item of a stream with a beat. Whether a side, the path or the capture is the reason is not on the wire, so that
/// no rule accuses anyone.
///
/// Bounded: the first `limit` of them.
struct OpenTransfers: Sendable {
  private static let limit = 1_024
  /// A shorter silence may be the pace.
  private static let least: Int64 = 10_000_000_000
  private static let beats: Int64 = 10
  private static let leastItems: UInt64 = 5

  /// Since when each is silent, and for how long it must be.
  private var open: [(connection: Int, last: Timestamp, least: Int64)] = []

  mutating func add(_ exchange: ExchangeRecord) {
    guard open.count < Self.limit, let message = Self.unfinished(exchange), let last = message.lastBody else { return }
    if message.incomplete?.outstanding ?? 0 > 0, message.head?.framing == .length {
      open.append((exchange.key.connection, last.time, Self.least))
    } else if message.isReadByItem, let beat = message.stream?.beat(of: Self.leastItems) {
      open.append((exchange.key.connection, last.time, max(Self.least, beat.saturatingMultiplied(by: Self.beats))))
    }
  }

  /// Asked of every exchange.
  private static func unfinished(_ exchange: ExchangeRecord) -> Message? {
    if let response = exchange.response, response.incomplete?.cause == .captureEnded { return response }
    guard let request = exchange.request, request.incomplete?.cause == .captureEnded else { return nil }
    return request
  }

  /// A sentence; nil where there are none. A connection that has a diagnosis has its story.
  func words(until end: Timestamp?, besides told: Set<Int>) -> String? {
    guard let end else { return nil }
    let silences = open.filter { end.since($0.last) >= $0.least && !told.contains($0.connection) }
      .map { end.since($0.last) }
    guard let longest = silences.max() else { return nil }
    let transfers = Wording.count(UInt64(silences.count), "unfinished transfer")
    let upTo = silences.count > 1 ? "up to " : ""
    return "\(transfers) had been silent for \(upTo)\(Wording.duration(longest)) when the capture ended."
  }
}
