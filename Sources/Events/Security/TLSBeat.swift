import Citation
import TLSSemantics

/// Whether the server's records come at a steady beat, and the longest pause in it that the server can have made: records
/// that cannot be read show this much of a stream of events or tokens.
///
/// A pause counts when the beat is the same behind it. It does not where the client said something in it, or at its end:
/// then it waited for the client's request or its credit; nor where what was missing came at once behind it.
package struct TLSBeat: Sendable {
  /// Records closer than this are one write, and further apart than that there is no beat.
  private static let beats: ClosedRange<Int64> = 5_000_000...1_000_000_000
  private static let pause: Int64 = 2_000_000_000
  /// Times the beat.
  private static let factor: Int64 = 10
  private static let before: Int64 = 16
  private static let behind: Int64 = 8
  /// No more plaintext than this: an alert, PING, WINDOW_UPDATE, an acknowledgement of settings.
  private static let control = 24
  /// What the client's system sends of what it had read takes no longer.
  private static let prompt: Int64 = 1_000_000_000

  private struct Run: Sendable {
    var count: Int64 = 0
    var sum: Int64 = 0
    private var longest: Int64 = 0
    private var second: Int64 = 0

    var mean: Int64 { count > 0 ? sum / count : 0 }
    /// One of them may be longer: a model takes a while to begin.
    var isSteady: Bool { second <= 4 &* mean }

    mutating func add(_ gap: Int64) {
      count += 1
      sum &+= gap
      second = max(second, min(longest, gap))
      longest = max(longest, gap)
    }
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

  package init() {}

  package mutating func note(_ record: TLSRecord, isClients: Bool, plaintext size: Int) {
    guard !isClients else {
      clientsLast = record.released
      if size > TLSProfile.control { (run, last, held) = (Run(), .none, nil) }
      return
    }
    guard size > Self.control else { return }
    defer { last = record.released }
    guard last.number > 0 else { return }
    let gap = record.span.first.time.since(last.time)
    if gap < Self.beats.lowerBound {
      if run.count == 0 { together += 1 }
    } else if gap <= Self.beats.upperBound {
      run.add(gap)
      settle()
    } else {
      hold(gap, record.span.first)
    }
  }

  private mutating func hold(_ gap: Int64, _ packet: PacketRef) {
    let isCounted =
      gap >= Self.pause && run.count >= Self.before && run.isSteady && gap / Self.factor >= run.mean
      && (clientsLast.number < last.number || clientsLast.time.since(last.time) <= Self.prompt)
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
