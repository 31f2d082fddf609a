import Citation
import Events

/// What a server sends for long, and what waits meanwhile: its newest long response, and its streams that go on.
struct ResponseLine: Sendable {
  struct Answer: Sendable {
    let exchange: SeenExchange
    let times: Times
  }

  struct Times: Sendable {
    let asked: PacketRef
    let first: PacketRef
    let last: PacketRef

    var isLong: Bool { last.time.since(first.time) >= ResponseLine.long }
  }

  /// A long response, and what waited for its end.
  struct Long: Sendable {
    let answer: Answer
    /// The longest pause in its body.
    let pause: Int64
    /// No other response was sent while it was.
    var isAlone: Bool
    /// Its end, or that of another long one that ended with it.
    var freed: PacketRef
    var waiting: [Answer] = []
    /// How many of them have been told.
    var told = 0
  }

  private static let manyWaiting = 32
  /// A server takes the next request at once.
  private static let prompt: Int64 = 20_000_000
  private static let long: Int64 = 1_000_000_000
  /// A server that holds so many does not give each of them a worker; and so many are remembered of one.
  private static let manyStreams = 32

  var long: Long?
  /// The highest number of a packet that began a response, of those that are over and did not wait, and of streams.
  var begun: UInt64 = 0
  /// The newest streams: the packets with which they began and ended.
  private var streams: [(connection: Int, first: UInt64, last: UInt64)] = []

  mutating func beginStream(on connection: Int, at first: PacketRef) {
    begun = max(begun, first.number)
    if streams.count == Self.manyStreams {
      guard let over = streams.firstIndex(where: { $0.last != .max }) else { return }
      streams.remove(at: over)
    }
    streams.append((connection, first.number, .max))
  }

  mutating func endStream(on connection: Int, at last: PacketRef) {
    guard let at = streams.firstIndex(where: { $0.connection == connection && $0.last == .max }) else { return }
    streams[at].last = last.number
  }

  mutating func forget(_ connection: Int) { streams.removeAll { $0.connection == connection && $0.last == .max } }

  /// Only streams went on, as far as is known, when this was asked: they may hold all workers of the server.
  func isHeld(at asked: PacketRef) -> Bool {
    begun < asked.number && streams.contains { $0.first < asked.number && asked.number < $0.last }
      && streams.count { $0.last == .max } < Self.manyStreams
  }

  /// What is known of the exchange is made where it is kept: that is seldom.
  mutating func take(_ times: Times, of asked: AskedExchange, in context: FlowContext) {
    if let end = long?.answer.times {
      if times.first.number >= end.last.number {
        if waited(times, of: asked, in: context) {
          long?.waiting.append(Answer(exchange: SeenExchange(asked, in: context), times: times))
          return
        }
        // What was asked later waited for something else.
        if times.asked.number > end.last.number { long = nil }
      } else if times.last.number > end.first.number {
        long?.isAlone = false
        if times.isLong, times.last.time.since(end.last.time) <= Self.prompt {
          long?.freed = times.last
          begun = max(begun, times.first.number)
          return
        }
      }
    }
    if times.isLong {
      long = Long(
        answer: Answer(exchange: SeenExchange(asked, in: context), times: times),
        pause: asked.exchange.response.map(Self.longestPause) ?? 0, isAlone: begun <= times.first.number,
        freed: times.last)
    }
    begun = max(begun, times.first.number)
  }

  /// The end of the body may come long behind its last byte.
  private static func longestPause(_ response: Message) -> Int64 {
    let end = response.last.time.since((response.lastBody ?? response.first).time)
    return max(end, response.longestPause?.nanoseconds ?? 0)
  }

  private func waited(_ times: Times, of asked: AskedExchange, in context: FlowContext) -> Bool {
    guard let long, long.waiting.count < Self.manyWaiting else { return false }
    let end = long.answer.times
    let free = max(long.freed.time, long.waiting.last?.times.last.time ?? long.freed.time)
    let wait = end.last.time.since(times.asked.time)
    guard context.number != long.answer.exchange.connection, times.asked.number > end.first.number,
      wait >= context.thresholds[.queueWait], times.first.time.since(free) <= Self.prompt,
      !asked.exchange.looksLikePoll
    else { return false }
    // Where others were sent beside it, all workers may have been busy, or the whole server may have paused.
    return long.isAlone || begun < times.asked.number && wait > long.pause
  }
}
