import Citation
import Events

/// What one direction of a stream or of the connection may still send, as its sender knows it: credit counts when it has
/// reached the sender, and not when it passes the capture point.
///
/// Invariants: `coming` is in the order of arrival; `emptied` is set from the frame that used the credit up until data
/// follows, `credited` from the first credit behind it on.
struct HTTP2Credit: Sendable {
  private struct Coming: Sendable {
    var at: Int64
    var amount: Int64
    var packet: PacketRef
  }

  private static let comingLimit = 64

  private(set) var window: Int64
  private(set) var most: Int64
  private var coming: [Coming] = []
  private(set) var emptied = PacketRef.none
  private var credited = PacketRef.none
  private var reached: Int64 = 0
  private var total: Int64 = 0
  /// Of the window, where it is to be shown.
  private var course: CreditCourse?

  init(_ window: Int64 = 65_535) {
    self.window = window
    most = window
  }

  /// Notes from now on what is left.
  mutating func draw() { course = CreditCourse() }

  var courseBytes: Int { course?.heldBytes ?? 0 }

  mutating func takeCourse() -> CreditCourse? {
    defer { course = nil }
    return course
  }

  var isBlocked: Bool { emptied.number > 0 && credited.number == 0 }

  /// `delay` is the way of the credit to the sender, and of data back to here.
  mutating func give(_ amount: Int64, by packet: PacketRef, after delay: Int64) {
    if delay <= 0, coming.isEmpty { return apply(amount, packet, at: packet.time.nanoseconds) }
    if coming.count >= Self.comingLimit { applyFirst(notAfter: .max) }
    coming.append(Coming(at: packet.time.advanced(by: max(0, delay)).nanoseconds, amount: amount, packet: packet))
  }

  /// Taken back by a setting that the sender acknowledged, or given by one that it must have seen.
  mutating func change(by amount: Int64, in packet: PacketRef) {
    window += amount
    course?.note(window, at: packet.time.nanoseconds)
  }

  private mutating func apply(_ amount: Int64, _ packet: PacketRef, at time: Int64) {
    window += amount
    most = max(most, window)
    course?.note(window, at: time)
    guard emptied.number > 0, credited.number == 0, window > 0 else { return }
    credited = packet
    reached = time
    total &+= max(0, time &- emptied.time.nanoseconds)
  }

  private mutating func applyFirst(notAfter now: Int64) {
    let first = coming.removeFirst()
    apply(first.amount, first.packet, at: min(first.at, now))
  }

  mutating func settle(at now: Int64) {
    while let first = coming.first, first.at <= now { applyFirst(notAfter: now) }
  }

  /// A frame of data where there is credit and none is coming, as nearly always. Answers the nanoseconds without credit so
  /// far; nil where `spend` is to be asked, and nothing is spent.
  @inline(__always)
  mutating func spendFreely(_ length: UInt32, _ packet: PacketRef) -> Int64? {
    guard length > 0, emptied.number == 0, coming.isEmpty, course == nil else { return nil }
    window -= Int64(length)
    if window <= 0 { emptied = packet }
    return total
  }

  /// A frame of data. What it tells is the time without credit before it, where there was one.
  mutating func spend(_ length: UInt32, _ packet: PacketRef) -> CreditRecord.Stall? {
    guard length > 0 else { return nil }
    let now = packet.time.nanoseconds
    settle(at: now)
    // It goes on, so it has what passed here, however long that took.
    if isBlocked { while isBlocked, !coming.isEmpty { applyFirst(notAfter: now) } }
    var stall: CreditRecord.Stall?
    if emptied.number > 0 {
      stall = CreditRecord.Stall(
        emptied: emptied, credited: credited.number > 0 ? credited : nil, reached: reached, resumed: packet)
      stall?.window = most
      if isBlocked { total &+= max(0, now &- emptied.time.nanoseconds) }
    }
    if course?.points.isEmpty == true { course?.note(window, at: now) }
    window -= Int64(length)
    course?.note(window, at: now)
    emptied = window <= 0 ? packet : .none
    credited = .none
    return stall
  }

  /// Nothing more is to be sent.
  mutating func end(at packet: PacketRef) {
    settle(at: packet.time.nanoseconds)
    if isBlocked { total &+= max(0, packet.time.since(emptied.time)) }
    emptied = .none
    credited = .none
  }

  /// It was given up without credit.
  mutating func giveUp(at packet: PacketRef) -> CreditRecord.Stall? {
    settle(at: packet.time.nanoseconds)
    defer { end(at: packet) }
    guard isBlocked else { return nil }
    var stall = CreditRecord.Stall(emptied: emptied, credited: nil, reached: 0, resumed: packet)
    stall.isOver = false
    stall.window = most
    return stall
  }

  /// Nanoseconds without credit so far.
  func blocked(until now: Int64) -> Int64 {
    isBlocked ? total &+ max(0, now &- emptied.time.nanoseconds) : total
  }
}

/// The places for streams that the server allows its client.
struct HTTP2Places: Sendable {
  var limit: UInt32?
  private var open: UInt32 = 0
  private var since = PacketRef.none
  private var freed: (since: PacketRef, at: PacketRef)?

  /// Tells the time without a place that this request waited for, where it did.
  mutating func take(_ packet: PacketRef) -> FullTime? {
    open += 1
    if open == limit { since = packet }
    guard let freed, let limit else { return nil }
    self.freed = nil
    return FullTime(since: freed.since, freed: freed.at, asked: packet, limit: limit)
  }

  mutating func free(_ packet: PacketRef) {
    if open == limit, since.number > 0 { freed = (since, packet) }
    open -= min(open, 1)
    since = .none
  }
}
