import Capture
import Citation
import Events

/// The clock of a capture: times that never run backwards, from whatever stamps the records carry.
///
/// Stamps are believed where they can be. What a clock that was set, joined files or a damaged record leave in them does
/// not reach the analysis as hours of waiting, and none of it is passed over in silence: `notes` names it.
///
/// Invariants: `time` never decreases and stays within `bound`; the same stamps give the same times however the capture
/// was divided into windows, except that a damaged stamp at the end of a window is taken for a step.
struct PacketClock: Sendable {
  /// Of packets that follow one another, these are asked whether a stamp is right.
  private static let lookahead = 4
  /// A packet this far ahead is looked at; if those after it are not, its stamp is damaged.
  private static let outlier: Int64 = 10_000_000_000
  /// Nobody records a longer silence.
  private static let longestSilence: Int64 = 7 * 86_400 * 1_000_000_000
  /// Recorders of several queues mix packets up by less.
  private static let reordered: Int64 = 1_000_000_000
  /// A century before and after 1970, more or less: no difference of two such times overflows.
  private static let bound: Int64 = 1 << 62

  private(set) var time = Timestamp(nanoseconds: -PacketClock.bound)
  /// How far the newest stamp lies before `time`, in microseconds, rounded up.
  private(set) var behind: UInt32 = 0
  /// Packets stamped earlier than one before them.
  private(set) var reversals: UInt64 = 0
  private var hasBegun = false
  /// What is added to stamps: steps ahead are taken out for good, those back until the stamps have caught up.
  private var lasting: Int64 = 0
  private var passing: Int64 = 0
  private var damaged = Notes()
  private var ahead = Notes()
  private var back = Notes()

  @inline(__always)
  mutating func advance(to packet: PacketRecord, at index: Int, of packets: [PacketRecord]) {
    let elapsed = packet.time.nanoseconds &+ lasting &- time.nanoseconds
    if elapsed >= 0, elapsed < Self.outlier, passing == 0 {
      time.nanoseconds &+= elapsed
      behind = 0
    } else {
      step(packet, packets[(index + 1)...].prefix(Self.lookahead).map(\.time.nanoseconds))
    }
  }

  /// A time of the same clock that no packet carries.
  func converted(_ other: Timestamp) -> Timestamp { other.advanced(by: lasting &+ passing) }

  @inline(never)
  private mutating func step(_ packet: PacketRecord, _ following: [Int64]) {
    let stamp = packet.time.nanoseconds
    let following = following.filter { Self.isPossible($0) }
    guard hasBegun else {
      begin(packet, following)
      return
    }
    guard Self.isPossible(stamp) else {
      damaged.note(packet, by: 0)
      return
    }
    defer { noteBehind(stamp) }
    // The stamps have caught up with the time that went on without them.
    if passing > 0, stamp &+ lasting >= time.nanoseconds { passing = 0 }
    let elapsed = stamp &+ lasting &+ passing &- time.nanoseconds
    if elapsed < 0 {
      reversals &+= 1
      let there = following.map { $0 &+ lasting &+ passing &- time.nanoseconds }
      // One late packet waits for nobody; when all that follow are late, the clock was set.
      guard elapsed <= -Self.reordered, !there.isEmpty, there.allSatisfy({ $0 < elapsed / 2 }) else { return }
      passing &-= elapsed
      back.note(packet, by: Int64(clamping: elapsed.magnitude))
    } else if elapsed >= Self.outlier,
      following.contains(where: {
        let other = $0 &+ lasting &+ passing &- time.nanoseconds
        return other > -Self.reordered && other < elapsed / 2
      })
    {
      damaged.note(packet, by: elapsed)
    } else if elapsed >= Self.longestSilence {
      lasting &-= elapsed
      ahead.note(packet, by: elapsed)
    } else {
      time.nanoseconds = min(time.nanoseconds &+ elapsed, Self.bound)
    }
  }

  /// The first packet sets the clock, unless those after it agree on another time.
  private mutating func begin(_ packet: PacketRecord, _ following: [Int64]) {
    hasBegun = true
    let stamp = packet.time.nanoseconds
    let isPossible = Self.isPossible(stamp)
    guard let other = following.first else {
      time.nanoseconds = isPossible ? stamp : 0
      if !isPossible { damaged.note(packet, by: 0) }
      return
    }
    let agree = following.count > 1 && following.dropFirst().allSatisfy { $0.apart(from: other) < Self.longestSilence }
    let isAlone = agree && stamp.apart(from: other) >= Self.longestSilence
    time.nanoseconds = isPossible && !isAlone ? stamp : other
    if !isPossible || isAlone { damaged.note(packet, by: 0) }
  }

  private mutating func noteBehind(_ stamp: Int64) {
    let difference = time.nanoseconds &- stamp &- lasting
    behind = difference > 0 ? UInt32(clamping: (difference &+ 999) / 1_000) : 0
  }

  private static func isPossible(_ stamp: Int64) -> Bool { stamp > -bound && stamp < bound }

  // MARK: What is told

  private struct Notes: Sendable {
    var first: (number: UInt64, by: Int64)?
    var count: UInt64 = 0

    mutating func note(_ packet: PacketRecord, by distance: Int64) {
      if first == nil { first = (packet.number, distance) }
      count &+= 1
    }

    /// With the place of the first, and how many there were.
    func words(_ sentence: (_ place: String, _ distance: String) -> String) -> [String] {
      guard let first else { return [] }
      let others = count > 1 ? " (the first of \(Wording.number(count)))" : ""
      return [sentence("packet \(Wording.number(first.number))\(others)", Wording.duration(first.by))]
    }
  }

  /// What reports say of the stamps.
  var notes: [String] {
    damaged.words { place, _ in
      "\(place) has a time stamp far from the packets around it; it is shown at the time of the packet before"
    }
      + ahead.words { place, distance in
        """
        the time stamps jump ahead by \(distance) at \(place); times are shown without the jump, and waits across it are \
        unsure
        """
      }
      + back.words { place, distance in
        """
        the time stamps jump back by \(distance) at \(place); times continue from there, and waits across it are unsure
        """
      }
  }
}
