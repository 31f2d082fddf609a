import Citation
import Platform

/// A file of a series that has packets.
struct SeriesMember {
  var path: String
  var firstTime: Timestamp
  var size: UInt64?
  /// Standard input and pipes can be read only once: they stay open, with what was read.
  var open: (file: CaptureFile, window: PacketWindow)?
  /// A recorder may still write to it.
  var mayGrow = false
  /// Packets at its beginning that were read before it had grown.
  var skipped: UInt64 = 0
  var skippedBytes: UInt64 = 0
  /// The recorder's counts of packets in it are added.
  var isCounted = false

  var isOpen: Bool { open != nil }
}

/// The first look at the files of a series: which have packets, and in which order they follow one another.
struct SeriesSurvey {
  /// Enough for the first packets of most files.
  private static let window = 4 << 10
  /// A first packet further from the two after it has a damaged stamp; as for the clock of a capture.
  private static let week: Int64 = 7 * 86_400 * 1_000_000_000

  private var given: [SeriesMember] = []
  private(set) var empty: [String] = []
  private(set) var unreadable: [(path: String, error: CaptureError)] = []
  /// A file without packets was read, too.
  private(set) var isAnyReadable = false
  private(set) var format = CaptureFormat(.pcap)
  private(set) var interfaces: [CaptureInterface] = []
  private var isSized = true

  /// Throws only if the filter is wrong; of what can be read once, it applies at once.
  mutating func look(at path: String, _ filter: String?) throws(CaptureError) {
    let status = path == "-" ? nil : FileStatus(of: path)
    if let status, status.kind == .file, status.size == 0 {
      empty.append(path)
      return
    }
    do throws(CaptureError) {
      let isReadAgain = status?.kind == .file
      let file = try CaptureFile(path: path, filter: isReadAgain ? nil : filter)
      file.handsOverEarly = false
      if !isAnyReadable { format = file.info.format }
      isAnyReadable = true
      var window = PacketWindow(capacity: Self.window)
      while window.packets.isEmpty, try file.fill(&window) {}
      if interfaces.isEmpty { interfaces = file.info.interfaces }
      guard !window.packets.isEmpty else {
        if file.info.isComplete {
          empty.append(path)
        } else {
          unreadable.append((path, CaptureError(path, file.info.problems.first?.description ?? "damaged")))
        }
        return
      }
      var member = SeriesMember(path: path, firstTime: Self.firstTime(window.packets), size: file.progress.size)
      if !isReadAgain { member.open = (file, window) }
      if member.size == nil { isSized = false }
      given.append(member)
    } catch {
      if error.isOfFilter { throw error }
      unreadable.append((path, error))
    }
  }

  /// By the first packet; names break ties, with numbers in them read as numbers.
  var ordered: [SeriesMember] {
    given.sorted {
      $0.firstTime == $1.firstTime ? NaturalOrder.isBefore($0.path, $1.path) : $0.firstTime < $1.firstTime
    }
  }

  var isReordered: Bool { ordered.map(\.path) != given.map(\.path) }

  var size: UInt64? { isSized ? given.reduce(0) { $0 &+ ($1.size ?? 0) } : nil }

  private static func firstTime(_ packets: [PacketRecord]) -> Timestamp {
    guard packets.count > 2 else { return packets[0].time }
    let (first, second, third) = (packets[0].time, packets[1].time, packets[2].time)
    let isDamaged = second.isNear(third, within: week) && !first.isNear(second, within: week)
    return isDamaged ? second : first
  }
}

extension Timestamp {
  /// Without overflow, whatever the stamps are.
  fileprivate func isNear(_ other: Timestamp, within distance: Int64) -> Bool {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return !overflow && difference.magnitude < distance.magnitude
  }
}
