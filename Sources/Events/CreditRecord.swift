import Citation

/// How flow control of HTTP/2 held up one direction of an exchange, or of a connection, as its sender saw it.
package struct CreditRecord: Sendable, Equatable {
  /// A time in which the sender had no credit.
  package struct Stall: Sendable, Equatable {
    /// The DATA frame that used the credit up.
    package var emptied: PacketRef
    /// The first credit behind it, and when it reached the sender; nil where none came.
    package var credited: PacketRef?
    package var reached: Int64 = 0
    /// The next data; where there was none, what ended the stream or the connection.
    package var resumed: PacketRef
    /// Data followed.
    package var isOver = true
    /// Bytes that the window had at its largest.
    package var window: Int64 = 0
    /// Of the connection: exchanges that waited, and the stream that most of the credit was missing for.
    package var waiting: UInt64 = 1
    package var holder: UInt32?

    package init(emptied: PacketRef, credited: PacketRef?, reached: Int64, resumed: PacketRef) {
      self.emptied = emptied
      self.credited = credited
      self.reached = reached
      self.resumed = resumed
    }

    /// From the frame that used the credit up to what followed.
    package var nanoseconds: Int64 { resumed.time.since(emptied.time) }

    /// What followed came so long after the credit.
    package var delay: Int64 { resumed.time.nanoseconds &- reached }
  }

  /// Shorter ones are not kept one by one.
  package static let least: Int64 = 50_000_000
  private static let limit = 16

  /// What was left of the window, where it was ever used up and is to be shown.
  package var course: CreditCourse?
  /// The first ones.
  package private(set) var stalls: [Stall] = []
  /// Without credit of its own, and without the connection's.
  package var blocked: Int64 = 0
  package var blockedByConnection: Int64 = 0
  /// Short waits, as a window that is too small for the path makes them.
  package var waits: UInt64 = 0
  package var waited: Int64 = 0
  /// When the first of them began.
  package private(set) var waitedSince: Int64 = 0

  package init() {}

  package var isEmpty: Bool { self == CreditRecord() }

  package mutating func note(_ stall: Stall) {
    if stall.nanoseconds >= Self.least, stalls.count < Self.limit { stalls.append(stall) }
  }

  /// A wait that ended so late.
  package mutating func noteWait(_ nanoseconds: Int64, until end: Int64, upTo most: Int64) {
    guard 1_000_000...max(1_000_000, most) ~= nanoseconds else { return }
    if waits == 0 { waitedSince = end &- nanoseconds }
    waits += 1
    waited &+= nanoseconds
  }
}

/// A time in which a client had as many streams open as the server allows.
package struct FullTime: Sendable, Equatable {
  /// The request that took the last place, the end that freed one, and the request that followed.
  package var since: PacketRef
  package var freed: PacketRef
  package var asked: PacketRef
  package var limit: UInt32

  package init(since: PacketRef, freed: PacketRef, asked: PacketRef, limit: UInt32) {
    self.since = since
    self.freed = freed
    self.asked = asked
    self.limit = limit
  }

  package var nanoseconds: Int64 { freed.time.since(since.time) }
}

/// Bytes of several streams that waited behind lost segments.
package struct HeldStreams: Sendable, Equatable {
  package var count: UInt64 = 0
  package var nanoseconds: Int64 = 0
  package var bytes: UInt64 = 0
  /// The most streams at a time.
  package var streams = 0
  /// The first byte that waited, and the packet that released it.
  package var first: PacketRef?
  package var released: PacketRef?

  package init() {}

  package mutating func add(_ other: HeldStreams) {
    count += other.count
    nanoseconds &+= other.nanoseconds
    bytes &+= other.bytes
    if other.streams > streams {
      streams = other.streams
      first = other.first
      released = other.released
    }
  }
}
