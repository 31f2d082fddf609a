import Citation
import TLSSemantics

/// The records of one direction.
package struct TLSSide: Sendable {
  package var counts = Counts()
  package var application = TLSProfile()
  /// The first close_notify; where alerts are encrypted, the record that must be one.
  package var closeNotify: PacketRef?
  package var isCloseInferred = false
  /// Application data after it.
  package var afterClose: UInt64 = 0
  package var firstAfterClose: TLSRecord?
  /// Incomplete when the input ended.
  package var unfinished: TLSRecord?
  package var oddRecord: TLSRecord?
  package var opaque: OpaqueStart?
  /// Bytes missing from the capture ended the parsing, or make its figures too small.
  package var isLost = false

  package init() {}

  /// By the type that the header shows.
  package struct Counts: Sendable, Equatable {
    package var changeCipherSpec: UInt64 = 0
    package var alert: UInt64 = 0
    package var handshake: UInt64 = 0
    package var applicationData: UInt64 = 0
    package var heartbeat: UInt64 = 0
    package var other: UInt64 = 0

    package init() {}

    package mutating func add(_ type: TLSContentType) {
      switch type {
      case .changeCipherSpec: changeCipherSpec += 1
      case .alert: alert += 1
      case .handshake: handshake += 1
      case .applicationData: applicationData += 1
      case .heartbeat: heartbeat += 1
      default: other += 1
      }
    }

    package var total: UInt64 { changeCipherSpec + alert + handshake + applicationData + heartbeat + other }
  }
}

/// How application data was cut into records, and when they came.
package struct TLSProfile: Sendable {
  /// Records closer than this count as one write.
  package static let burstGap: Int64 = 10_000_000
  /// A record that takes longer than this to arrive is kept for the rules.
  package static let slow: Int64 = 50_000_000
  package static let slowLimit = 8
  /// What has no more plaintext than this may be a farewell or control: an alert, the GOAWAY or SETTINGS of HTTP/2.
  package static let control = 64

  package private(set) var first: TLSRecord?
  package private(set) var last: TLSRecord?
  /// The last one that can be no farewell and no control.
  package private(set) var lastOfData: TLSRecord?
  package private(set) var count: UInt64 = 0
  /// Of the bodies.
  package private(set) var bytes: UInt64 = 0
  /// Plaintext, as far as it is known or follows from the suite.
  package private(set) var sizes = ExponentialHistogram()
  /// Between the end of a record and the beginning of the next.
  package private(set) var gaps = ExponentialHistogram()
  /// Between the first byte of a record and the last.
  package private(set) var spans = ExponentialHistogram()
  package private(set) var bursts: UInt64 = 0
  /// Those that took long, in their order.
  package private(set) var slow: [TLSRecord] = []
  /// Records of one byte with a longer one right behind: a guard against an attack on CBC in TLS 1.0.
  package private(set) var splits: UInt64 = 0
  package private(set) var firstSplit: TLSRecord?
  private var lastSize = 0
  package private(set) var lengths = RepeatedLengths()

  package init() {}

  package mutating func add(_ record: TLSRecord, plaintext size: Int) {
    count += 1
    bytes &+= UInt64(record.length)
    sizes.add(Int64(size))
    let took = record.released.time.since(record.span.first.time)
    spans.add(took)
    if took >= Self.slow, slow.count < Self.slowLimit { slow.append(record) }
    let gap = last.map { max(0, record.span.first.time.since($0.released.time)) }
    if let gap { gaps.add(gap) }
    if gap ?? .max > Self.burstGap {
      bursts += 1
    } else if lastSize == 1, size > 1 {
      splits += 1
      if firstSplit == nil { firstSplit = last }
    }
    lengths.add(record)
    lastSize = size
    if first == nil { first = record }
    last = record
    if size > Self.control { lastOfData = record }
  }
}

/// Record lengths that recur: periodic messages are visible through the encryption. At most `limit` lengths are followed,
/// the first ones.
package struct RepeatedLengths: Sendable {
  package static let limit = 12

  package struct Length: Sendable {
    package var length: Int
    package var count: UInt64 = 1
    package var first: PacketRef
    package var last: PacketRef
    package var shortestGap: Int64 = .max
    package var longestGap: Int64 = 0
  }

  package private(set) var all: [Length] = []

  mutating func add(_ record: TLSRecord) {
    let packet = record.span.first
    if let at = all.firstIndex(where: { $0.length == record.length }) {
      let gap = packet.time.since(all[at].last.time)
      all[at].count += 1
      all[at].last = packet
      all[at].shortestGap = min(all[at].shortestGap, gap)
      all[at].longestGap = max(all[at].longestGap, gap)
    } else if all.count < Self.limit {
      all.append(Length(length: record.length, first: packet, last: packet))
    }
  }
}
