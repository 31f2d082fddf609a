import Citation
import Platform

/// A folder that a recorder writes to, and what was read of its newest file: when that grows, reading goes on there.
struct FollowedFolder {
  /// Of a file that may still grow.
  struct Progress {
    var path: String
    var firstTime: Timestamp
    var packets: UInt64
    var bytes: UInt64
    /// The recorder's counts of packets were in it, and are added.
    var isCounted: Bool
  }

  private static let pause: UInt32 = 50_000
  /// Of the time at most so much is spent on looking.
  private static let share: Int64 = 20

  var folder: String { watch.folder }
  let isStopping: @Sendable () -> Bool
  /// Of the newest file; others do not grow.
  private(set) var newest: Progress?
  /// Nothing is looked for any more.
  var isOver = false
  private var watch: FolderWatch
  private var looksFrom: Int64 = 0

  init(_ watch: FolderWatch, _ isStopping: @escaping @Sendable () -> Bool) {
    self.watch = watch
    self.isStopping = isStopping
  }

  /// What is to be read next; waits a little if there is nothing.
  mutating func poll(isLast: Bool) -> [FolderWatch.Finished] {
    let now = SystemClock.monotonic
    guard isLast || now >= looksFrom else {
      SystemClock.pause(microseconds: Self.pause)
      return []
    }
    let found = watch.poll(at: now, isLast: isLast)
    let spent = SystemClock.monotonic - now
    looksFrom = now + max(Int64(Self.pause) * 1_000, spent * Self.share)
    return found
  }

  /// Where reading a file goes on; nil for one that is read for the first time, or was written anew.
  func progress(of member: SeriesMember) -> Progress? {
    newest.flatMap { $0.path == member.path && $0.firstTime == member.firstTime ? $0 : nil }
  }

  mutating func note(_ progress: Progress) { newest = progress }
}

extension CaptureSeries {
  /// Stopped while files were left that are finished: a second Ctrl-C is not needed.
  var isInterrupted: Bool {
    guard let following, !following.isOver, following.isStopping(), next < members.count else { return false }
    tell(.interrupted(what: "stopped before \(members.count - next) finished files of \(following.folder) were read"))
    self.following?.isOver = true
    members.removeLast(members.count - next)
    return true
  }

  var isOver: Bool { following?.isOver ?? false }

  /// Adds files that are finished by now. False if there are none.
  func findMore() throws(CaptureError) -> Bool {
    guard let isLast = following?.isStopping(), let found = following?.poll(isLast: isLast) else { return false }
    if isLast { following?.isOver = true }
    guard !found.isEmpty else { return false }
    // Those before are read.
    members.removeAll(keepingCapacity: true)
    next = 0
    for file in found { try add(file) }
    return true
  }

  private func add(_ file: FolderWatch.Finished) throws(CaptureError) {
    var survey = SeriesSurvey()
    try survey.look(at: file.path, nil)
    if survey.isAnyReadable, table.all.isEmpty { info.format = survey.format }
    // Of a file that has only begun, nothing can be said.
    if !file.mayGrow {
      for path in survey.empty { tell(.memberEmpty(file: path)) }
      for (path, error) in survey.unreadable { noteUnreadable(path, error.what) }
    }
    for var member in survey.ordered {
      member.mayGrow = file.mayGrow
      if let progress = following?.progress(of: member) {
        member.skipped = progress.packets
        member.skippedBytes = progress.bytes
        member.isCounted = progress.isCounted
      }
      members.append(member)
    }
  }
}
