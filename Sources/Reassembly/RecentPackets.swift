import Citation
import Decode

/// The last few packets without data of a direction, and retransmissions, to tell a packet that was captured twice (two
/// interfaces of one host, two capture points in one file) from one that was sent twice. The first copy of data is remembered
/// by DeliveredHistory.
struct RecentPackets: Sendable {
  private struct Print: Sendable {
    var sequence: UInt32 = 0
    var acknowledgment: UInt32 = 0
    var length: UInt32 = 0
    var linkSource: UInt32 = 0
    var time = Timestamp.zero
    var identification: UInt16?
    var window: UInt16 = 0
    var flags: UInt8 = 0
    var timeToLive: UInt8 = 0
  }

  private static let count = 4
  /// A copy taken at another point of the same network is never later than this.
  static let farthest: Int64 = 1_000_000_000
  /// Without an IP identification only copies this close, or seen from another place, are one packet.
  static let closest: Int64 = 100_000
  static let close: Int64 = 2_000_000

  private var prints: [4 of Print] = .init(repeating: Print())
  private var turn = 0

  init() {}

  @inline(__always)
  mutating func add(_ segment: TCPSegment) {
    prints[turn] = Print(
      sequence: segment.sequence, acknowledgment: segment.acknowledgment,
      length: UInt32(truncatingIfNeeded: segment.payloadLength), linkSource: segment.linkSource,
      time: segment.packet.time, identification: segment.identification, window: segment.window,
      flags: segment.flags.rawValue, timeToLive: segment.timeToLive)
    turn = (turn + 1) & (Self.count - 1)
  }

  typealias Sighting = (time: Timestamp, identification: UInt16?, timeToLive: UInt8)

  /// The newest packet without data, if there was one: of those from this link-layer source, where one is named.
  func newest(from linkSource: UInt32? = nil) -> Sighting? {
    for back in 1...Self.count {
      let print = prints[(turn + Self.count - back) & (Self.count - 1)]
      guard print.timeToLive > 0 else { return nil }
      if linkSource.map({ $0 == print.linkSource }) ?? true {
        return (print.time, print.identification, print.timeToLive)
      }
    }
    return nil
  }

  func holds(timeToLive: UInt8, from linkSource: UInt32?) -> Bool {
    for index in 0..<Self.count where prints[index].timeToLive == timeToLive {
      if linkSource.map({ $0 == prints[index].linkSource }) ?? true { return true }
    }
    return false
  }

  /// Whether an equal packet was added a moment ago.
  func holds(_ segment: TCPSegment) -> Bool {
    for index in 0..<Self.count {
      let print = prints[index]
      guard print.sequence == segment.sequence, print.acknowledgment == segment.acknowledgment,
        print.length == UInt32(truncatingIfNeeded: segment.payloadLength), print.window == segment.window,
        print.flags == segment.flags.rawValue, print.identification == segment.identification
      else { continue }
      if segment.isStamped(noLaterThan: print.time) { return true }
      let elapsed = segment.packet.time.since(print.time)
      guard elapsed >= 0, elapsed <= Self.farthest else { continue }
      if segment.identification != nil { return true }
      let isElsewhere = print.linkSource != segment.linkSource || print.timeToLive != segment.timeToLive
      if elapsed <= (isElsewhere ? Self.close : Self.closest) { return true }
    }
    return false
  }
}
