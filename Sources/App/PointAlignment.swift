import Capture
import Citation
import Comparison
import Engine
import Events
import Queries

/// The clocks of captures that were recorded at several points, each put on the clock of the first.
///
/// Not each point shows the same traffic as the first: a clock can be known by way of another's.
struct PointAlignment {
  /// nil for a clock that is taken as it is.
  private(set) var onFirst: [(@Sendable (Timestamp) -> Timestamp)?]
  /// What was found, for the report.
  private(set) var remarks: [String] = []

  /// Reads each capture once, and once more where two have no packets in common: they may be of two sides of a proxy. nil
  /// when it is interrupted.
  static func of(
    _ files: [String], _ options: AnalyzeOptions, _ keyLog: KeyLogFile?, _ console: Console
  ) async throws(Stop) -> PointAlignment? {
    var moments: [SegmentMoments] = []
    for file in files {
      do throws(CaptureError) {
        let source = try CaptureFile(path: file, filter: options.filter)
        moments.append(try SegmentMoments(of: source) { !Interruption.flag.isRaised })
      } catch {
        throw Stop(ofCapture: error.description)
      }
    }
    var alignment = PointAlignment(files)
    alignment.align { PointClocks.alignment(moments[$1].shared(with: moments[$0])) }
    if !alignment.left.isEmpty {
      let recordings = try await recordings(of: files, options, keyLog, console)
      alignment.align { PointClocks.alignment(of: recordings[$0], on: recordings[$1]) }
    }
    if Interruption.flag.isRaised { return nil }
    for point in alignment.left {
      let name = alignment.name(point)
      alignment.remarks.append("\(name) shares no traffic with the other points: its clock is taken as it is")
    }
    return alignment
  }

  func open(_ files: [String], filter: String?) throws(CaptureError) -> CapturePoints {
    try CapturePoints(paths: files, filter: filter, onFirst: onFirst)
  }

  private let files: [String]
  /// Points whose clock is known, and the others.
  private var known = [0]
  private var left: [Int]

  private init(_ files: [String]) {
    self.files = files
    onFirst = files.map { _ in nil }
    left = Array(files.indices.dropFirst())
  }

  private static func recordings(
    of files: [String], _ options: AnalyzeOptions, _ keyLog: KeyLogFile?, _ console: Console
  ) async throws(Stop) -> [Recording] {
    var options = options
    options.outputs = []
    options.isDigested = true
    var recordings: [Recording] = []
    // The report on all of them is the first.
    for (at, file) in files.enumerated() where !Interruption.flag.isRaised {
      let run = AnalyzeRun(
        files: [file], turn: 1 + at, options: options, selection: ItemSelection(), keyLog: keyLog, console: console)
      recordings.append(try await run.recording())
    }
    return recordings
  }

  /// Puts clocks on those that are known, until there is none left that can be. `find` is given the point and the other.
  private mutating func align(_ find: (Int, Int) -> ClockAlignment?) {
    var hasFound = true
    while hasFound {
      hasFound = false
      for point in left {
        guard let (other, clock) = firstFit(of: point, find) else { continue }
        let further = onFirst[other]
        onFirst[point] = { time in further?(clock.onA(time)) ?? clock.onA(time) }
        known.append(point)
        left.removeAll { $0 == point }
        remarks.append(words(point, other, clock))
        hasFound = true
      }
    }
  }

  private func firstFit(
    of point: Int, _ find: (Int, Int) -> ClockAlignment?
  ) -> (other: Int, clock: ClockAlignment)? {
    for other in known {
      if let clock = find(point, other) { return (other, clock) }
    }
    return nil
  }

  private func words(_ point: Int, _ other: Int, _ clock: ClockAlignment) -> String {
    var words = "the clock of \(name(point)) "
    if clock.offset == 0 {
      words += "agrees with that of \(name(other))"
    } else {
      let distance = Wording.duration(Int64(clamping: clock.offset.magnitude))
      words += "was \(distance) \(clock.offset > 0 ? "ahead of" : "behind") that of \(name(other))"
    }
    words += ", within \(Wording.duration(clock.uncertainty))"
    if let drift = clock.drift, drift != 0 {
      let each = Wording.duration(Int64(clamping: drift.magnitude))
      words += ", and \(drift > 0 ? "gained" : "lost") \(each) a second"
    }
    return words + (clock.offset == 0 && clock.drift ?? 0 == 0 ? "" : "; its times are corrected")
  }

  private func name(_ point: Int) -> String { String(files[point].split(separator: "/").last ?? "") }
}
