import Citation

/// Where one file of a series ends and the next begins: whether packets are missing between them, or are there twice.
///
/// A counter in the names says whether a file is missing. Where names have none, time does: a pause that is longer than a
/// second and than twice any pause inside the files before. An idle network looks the same, so the sentence says both.
struct SeriesJoint {
  private static let second: Int64 = 1_000_000_000
  /// Recorders mix packets up by less.
  private static let mixed: Int64 = 10_000_000

  private let counter: MemberCounter
  private var previous: String?
  private var last: PacketRef?
  /// The latest stamp so far, and the longest pause inside a file.
  private var latest = Timestamp.zero
  private var longestPause: Int64 = 0
  /// A file before this one that was not read to its end.
  var isCut: String?

  init(_ paths: [String], empty: [String]) {
    counter = MemberCounter(paths, empty: empty)
  }

  @inline(__always)
  mutating func advance(to packet: PacketRecord) {
    let pause = packet.time.since(latest)
    if pause > 0 {
      longestPause = max(longestPause, pause)
      latest = packet.time
    }
    last = PacketRef(number: packet.number, time: packet.time)
  }

  /// The next file begins with this packet.
  mutating func begin(_ path: String, at packet: PacketRef) -> (problem: CaptureProblem?, loss: CaptureLoss?) {
    defer {
      // The pause between two files is none inside a file.
      latest = previous == nil ? packet.time : max(latest, packet.time)
      previous = path
      isCut = nil
      last = packet
    }
    guard let previous, let last else { return (nil, nil) }
    let between = packet.time.since(latest)
    let loss = { (words: String) in CaptureLoss(packets: 0, after: last, before: packet, words: words) }
    if between <= -Self.mixed {
      let problem = CaptureProblem.membersOverlap(
        first: previous, second: path, nanoseconds: Int64(clamping: between.magnitude))
      return (problem, between <= -Self.second ? loss("two files of the series overlap") : nil)
    }
    let missing = counter.missing(between: previous, and: path)
    let isPause = missing == nil && between >= Self.second && between / 2 > longestPause
    guard isPause || missing ?? 0 > 0 else {
      return (nil, isCut.map { _ in loss("a file of the series was not read to its end") })
    }
    return (
      .membersApart(first: previous, second: path, nanoseconds: max(0, between), missing: missing ?? 0),
      loss(
        missing ?? 0 > 0 ? "a file of the series is missing" : "nothing was recorded between two files of the series")
    )
  }
}
