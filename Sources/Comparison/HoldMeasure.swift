import Citation
import Events

/// When each piece of a body, or each message of a WebSocket, was at both points.
///
/// A piece of a body is a burst at the point that it passes first; it is at the other when the other has as many bytes.
struct HoldMeasure {
  /// Pieces of one direction that are reported; how long the longest was held is known of all.
  static let limit = 256
  /// Arrivals closer than this are one burst, as in a message's own record.
  private static let burstGap = MessageRecord.burstGap
  /// So many bursts and so many times fewer of them are no loss on the way, nor a pause.
  private static let leastOfMany = 16
  private static let fewerOfMany = 4

  let direction: Direction
  private(set) var pieces: [HeldPiece] = []
  private(set) var cut: UInt64 = 0
  private(set) var longest: HeldPiece?
  /// How long it had been awaited where it passed first: since the piece before it, or since the exchange began.
  private(set) var awaited: Int64 = 0
  private var before: PacketRef
  /// So much of each may be of the other direction: the clocks are known no better.
  let unsure: Int64
  /// Bursts at the point that was passed first, and at the other, with the longest pause between two at each.
  private(set) var bursts: (before: Int, after: Int) = (0, 0)
  private(set) var gaps: (before: Int64, after: Int64) = (0, 0)

  init(_ direction: Direction, _ pair: ComparedPair, outer: CompareSide, _ clock: ClockAlignment?) {
    self.direction = direction
    unsure = clock.map { $0.isMiddle ? $0.uncertainty : 0 } ?? 0
    let first = direction == .toServer ? outer : outer.other
    before = pair[first].record.first
    let trails = BothSides(a: pair.a.trail(direction), b: pair.b.trail(direction))
    if let before = trails[first], let after = trails[first.other] {
      measure(before, after, first, clock)
    } else if pair.a.record.opensWebSocket, pair.b.record.opensWebSocket {
      measure(pair[first].messages(direction), pair[first.other].messages(direction), first, clock)
    }
    // The one that a finding is about is reported, however many came before it.
    if let longest, longest.index >= Self.limit { pieces[Self.limit - 1] = longest }
  }

  var first: HeldPiece? { pieces.first }
  var isGathered: Bool { Self.areGathered(bursts, gaps) }

  /// Fewer bursts with shorter pauses waited for one moment. Of many, a quarter is a buffer that filled several times,
  /// and the pauses between them are longer.
  static func areGathered(_ bursts: (before: Int, after: Int), _ gaps: (before: Int64, after: Int64)) -> Bool {
    guard bursts.before > 1, bursts.after < bursts.before else { return false }
    return gaps.after < gaps.before
      || bursts.before >= leastOfMany && bursts.after <= bursts.before / fewerOfMany
  }

  private mutating func add(
    _ bytes: UInt64, _ before: PacketRef, _ after: PacketRef, _ first: CompareSide, _ clock: ClockAlignment?
  ) {
    let sides = first == .a ? BothSides(a: before, b: after) : BothSides(a: after, b: before)
    let onB = clock.map { $0.onA(sides.b.time) } ?? sides.b.time
    let later = onB.since(sides.a.time)
    var held = first == .a ? later : 0 &- later
    // Nothing arrives before it is sent: the clocks are not known better than that.
    if held < 0, Int64(clamping: held.magnitude) <= clock?.uncertainty ?? 0 { held = 0 }
    let piece = HeldPiece(
      index: pieces.count + Int(clamping: cut), bytes: bytes, a: sides.a, b: sides.b, held: held)
    if piece.held > longest?.held ?? .min {
      longest = piece
      awaited = max(0, before.time.since(self.before.time))
    }
    self.before = before
    if pieces.count < Self.limit { pieces.append(piece) } else { cut += 1 }
  }

  private mutating func measure(
    _ before: BodyTrail, _ after: BodyTrail, _ first: CompareSide, _ clock: ClockAlignment?
  ) {
    // Decoded here and coded there, offsets are of different things; the ends are all that can be compared.
    guard before.isDecoded == after.isDecoded || before.bytes == after.bytes else { return }
    let sent = Self.bursts(before.arrivals)
    let came = Self.bursts(after.arrivals)
    // With some left out, what they make of a body says nothing.
    if !before.isThinned, !after.isThinned {
      bursts = (sent.count, came.count)
      gaps = (Self.longestGap(before.arrivals), Self.longestGap(after.arrivals))
    }
    var at = 0
    for burst in sent {
      while at < after.arrivals.count, after.arrivals[at].bytes < burst.bytes { at += 1 }
      guard at < after.arrivals.count else { break }
      // The arrival that brought it may be one of those that were left out: this one is later.
      if after.isThinned, after.arrivals[at].bytes != burst.bytes { continue }
      add(burst.bytes, burst.packet, after.arrivals[at].packet, first, clock)
    }
  }

  private mutating func measure(
    _ before: [Item], _ after: [Item], _ first: CompareSide, _ clock: ClockAlignment?
  ) {
    for (sent, came) in zip(before, after) {
      guard sent.hash == came.hash, sent.kind == came.kind else { break }
      add(sent.bytes, sent.completed, came.completed, first, clock)
    }
    let times = { (pieces: [Item]) in
      pieces.map { MessageRecord.Milestone(bytes: $0.bytes, packet: $0.completed) }
    }
    bursts = (Self.bursts(times(before)).count, Self.bursts(times(after)).count)
    gaps = (Self.longestGap(times(before)), Self.longestGap(times(after)))
  }

  static func bursts(_ arrivals: [MessageRecord.Milestone]) -> [MessageRecord.Milestone] {
    var bursts: [MessageRecord.Milestone] = []
    var last: PacketRef?
    for arrival in arrivals {
      if let last, arrival.packet.time.since(last.time) < burstGap {
        bursts[bursts.count - 1] = arrival
      } else {
        bursts.append(arrival)
      }
      last = arrival.packet
    }
    return bursts
  }

  static func longestGap(_ arrivals: [MessageRecord.Milestone]) -> Int64 {
    zip(arrivals, arrivals.dropFirst()).map { $1.packet.time.since($0.packet.time) }.max() ?? 0
  }
}

extension ComparedExchange {
  /// What came when, for people to see.
  func lane(_ direction: Direction) -> [MessageRecord.Milestone] {
    if let trail = trail(direction) { return Array(HoldMeasure.bursts(trail.arrivals).prefix(HoldMeasure.limit)) }
    return messages(direction).prefix(HoldMeasure.limit).map {
      MessageRecord.Milestone(bytes: $0.bytes, packet: $0.completed)
    }
  }

  func trail(_ direction: Direction) -> BodyTrail? {
    let message = direction == .toServer ? record.request : record.response
    return message?.trail.flatMap { $0.bytes > 0 ? $0 : nil }
  }
}
