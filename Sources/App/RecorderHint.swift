import Citation
import Events

/// Notices that several captures, each reported for itself, look like the files of one recorder.
struct RecorderHint {
  /// A recorder that rotates its files leaves no longer pause between them, mostly.
  private static let longestPause: Int64 = 60_000_000_000
  private static let mixed: Int64 = 1_000_000_000

  private struct Capture {
    var file: String
    var linkTypes: [String]
    var begin: Timestamp
    var end: Timestamp
    var goesOn: Bool
  }

  private var captures: [Capture] = []

  mutating func add(_ summary: Summary) {
    let record = summary.capture
    guard let begin = record.firstTime, let end = record.lastTime else { return }
    captures.append(
      Capture(
        file: record.file, linkTypes: record.linkTypes, begin: begin, end: end, goesOn: summary.midstream > 0))
  }

  /// Names that differ by their numbers, one kind of link, times that follow one another, and connections that had begun
  /// before a file that is not the first.
  var hint: String? {
    guard captures.count > 1, let first = captures.first else { return nil }
    let ordered = captures.sorted { $0.begin < $1.begin }
    let pairs = zip(ordered, ordered.dropFirst())
    let follows = pairs.allSatisfy { pair in
      let between = pair.1.begin.since(pair.0.end)
      return between > -Self.mixed && between < Self.longestPause
    }
    guard follows, captures.allSatisfy({ $0.linkTypes == first.linkTypes }),
      Set(captures.map { Self.words(of: $0.file) }).count == 1, ordered.dropFirst().contains(where: \.goesOn)
    else { return nil }
    return """
      these \(captures.count) files look like one capture in rotation; with --series they are read as one, and \
      connections go on from file to file
      """
  }

  /// The name without its numbers, and without a folder; a last number may be missing.
  private static func words(of path: String) -> [NaturalOrder.Part] {
    let parts = NaturalOrder.parts(of: String(path.split(separator: "/").last ?? ""))
    return parts.filter { if case .text = $0 { true } else { false } }
  }
}
