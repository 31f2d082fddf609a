import Citation
import TLSSemantics

/// Whether the server's records come at a steady beat, and the longest pause in it that the server can have made: records
/// that cannot be read show this much of a stream of events or tokens.
///
/// A pause counts when the beat is the same behind it. It does not where the client said something in it, or at its end:
/// then it waited for the client's request or its credit; nor where what was missing came at once behind it.
///
/// A stream that stops for good is kept apart from one that is over: what ends a body (the last chunk, an empty frame) is
/// a small record right behind the last data, or is in one record with it, which then has another length than the others.
package struct TLSBeat: Sendable {
  /// Records closer than this are one write, and further apart than that there is no beat.
  private static let beats: ClosedRange<Int64> = 5_000_000...1_000_000_000
  private static let pause: Int64 = 2_000_000_000
  /// Times the beat.
  private static let factor: Int64 = 10
  private static let before: Int64 = 16
  private static let behind: Int64 = 8
  /// Of a stream that stopped for good.
  private static let enough: Int64 = 9
  /// No more plaintext than this: an alert, PING, WINDOW_UPDATE, an acknowledgement of settings.
  private static let control = 24
  private static let alert = 2
  /// What the client's system sends of what it had read takes no longer.
  private static let prompt: Int64 = 1_000_000_000

  private struct Run: Sendable {
    var count: Int64 = 0
    var sum: Int64 = 0
    private var longest: Int64 = 0
    private var second: Int64 = 0
    private var sizes = Sizes()

    var mean: Int64 { count > 0 ? sum / count : 0 }
    /// One of them may be longer: a model takes a while to begin.
    var isSteady: Bool { second <= 4 &* mean }

    func isUsual(_ size: Int) -> Bool { sizes.isUsual(size) }

    mutating func add(_ gap: Int64, size: Int) {
      sizes.add(size)
      count += 1
      sum &+= gap
      second = max(second, min(longest, gap))
      longest = max(longest, gap)
    }
  }

  /// How much the records hold; the first one often holds the head, too.
  private struct Sizes: Sendable {
    private var smallest = (first: Int.max, second: Int.max)
    private var largest = (first: 0, second: 0)

    /// No more and no less than two others.
    func isUsual(_ size: Int) -> Bool { smallest.second <= size && size <= largest.second }

    mutating func add(_ size: Int) {
      smallest.second = min(smallest.second, max(smallest.first, size))
      smallest.first = min(smallest.first, size)
      largest.second = max(largest.second, min(largest.first, size))
      largest.first = max(largest.first, size)
    }
  }

  /// A steady stream that has no end that was seen.
  package struct Stopped: Sendable {
    /// Of the server's data.
    package let last: PacketRef
    package let beat: Int64
    /// A small record of the server, the first behind a pause, and what it holds.
    package let farewell: (record: TLSRecord, size: Int)?
  }

  /// The longest pause.
  package private(set) var longest = TLSTurns.Longest()
  /// The beat before it.
  package private(set) var usual: Int64 = 0

  private var run = Run()
  private var last = PacketRef.none
  private var clientsLast = PacketRef.none
  /// A pause, and the beat before it, until it is known what comes behind.
  private var held: (from: PacketRef, to: PacketRef, beat: Int64)?
  /// Records that came with the one that ended it.
  private var together: Int64 = 0
  /// The last data is as long as what came before it.
  private var isUsual = false
  /// A small record stood right behind the last data.
  private var isOver = false
  private var farewell: (record: TLSRecord, size: Int)?

  package init() {}

  package mutating func note(_ record: TLSRecord, isClients: Bool, plaintext size: Int) {
    guard !isClients else {
      clientsLast = record.released
      if size > TLSProfile.control { (run, last, held) = (Run(), .none, nil) }
      return
    }
    guard size > Self.control else { return noteSmall(record, size) }
    defer { last = record.released }
    isUsual = run.isUsual(size)
    (isOver, farewell) = (false, nil)
    guard last.number > 0 else { return }
    let gap = record.span.first.time.since(last.time)
    if gap < Self.beats.lowerBound {
      if run.count == 0 { together += 1 }
    } else if gap <= Self.beats.upperBound {
      run.add(gap, size: size)
      settle()
    } else {
      hold(record.span.first)
    }
  }

  private mutating func noteSmall(_ record: TLSRecord, _ size: Int) {
    guard run.count > 0, size > Self.alert else { return }
    if !isPause(record.span.first) || !isClientQuiet {
      isOver = true
    } else if farewell == nil {
      farewell = (record, size)
    }
  }

  /// Nothing shows that the stream was over when its records stopped.
  package var stopped: Stopped? {
    guard run.count >= Self.enough, run.isSteady, isUsual, !isOver else { return nil }
    return Stopped(last: last, beat: run.mean, farewell: farewell)
  }

  /// The server's data has paused until this packet.
  package func isPause(_ packet: PacketRef) -> Bool {
    let gap = packet.time.since(last.time)
    return gap >= Self.pause && gap / Self.factor >= run.mean
  }

  /// The client has sent nothing since the last data but what its system says of having read it.
  private var isClientQuiet: Bool {
    clientsLast.number < last.number || clientsLast.time.since(last.time) <= Self.prompt
  }

  private mutating func hold(_ packet: PacketRef) {
    let isCounted =
      isPause(packet) && run.count >= Self.before && run.isSteady && isClientQuiet
    held = isCounted ? (last, packet, run.mean) : nil
    (run, together) = (Run(), 0)
  }

  private mutating func settle() {
    guard let held, run.count >= Self.behind else { return }
    let missing = held.to.time.since(held.from.time) / max(1, held.beat)
    let isSame = run.isSteady && run.mean <= 3 &* held.beat && held.beat <= 3 &* run.mean
    if isSame, together < missing / 2, longest.add(from: held.from, to: held.to) { usual = held.beat }
    self.held = nil
  }
}
