import Citation
import Platform

/// Writes the packets of another source to files and passes them on.
///
/// The analysis sees exactly the packets in the files: if the capture ends with a file, nothing after it is passed on.
package final class RecordedSource: CaptureSource {
  private let base: any CaptureSource
  private let options: RecordingOptions
  private let status: DeviceStatus
  private var file: RecordingFile
  private var buffer: [UInt8] = []
  /// Those written so far, as long as they are kept.
  private var names: [String] = []
  private var number = 1
  /// What was counted in the files before.
  private var counted: [CaptureInterface] = []
  private var isOver = false
  private var isConcluded = false
  private var failure: CaptureError?

  /// Opens the first file: errors are reported before anything is captured.
  package init(
    _ base: any CaptureSource, _ options: RecordingOptions, _ status: DeviceStatus
  ) throws(CaptureError) {
    self.base = base
    self.options = options
    self.status = status
    let name = Self.name(options, 1)
    file = try RecordingFile(name, application: options.application, into: &buffer)
    names = [name]
    // So that the file is a valid capture from the beginning.
    file.declare(base.info.interfaces, into: &buffer)
    try file.flush(&buffer)
  }

  deinit {
    conclude()
  }

  package var info: CaptureInfo {
    var info = base.info
    if let failure { info.note(.interrupted(what: "\(failure.file) \(failure.what)")) }
    return info
  }

  package var progress: (read: UInt64, size: UInt64?) { base.progress }
  package var clock: Timestamp? { base.clock }

  package func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    guard !isOver, try base.fill(&window) else {
      isOver = true
      window.packets.removeAll(keepingCapacity: true)
      conclude()
      return false
    }
    do throws(CaptureError) {
      try record(&window)
    } catch {
      isOver = true
      failure = error
      status.fail(error)
    }
    return true
  }

  private func record(_ window: inout PacketWindow) throws(CaptureError) {
    let interfaces = base.info.interfaces
    for at in window.packets.indices {
      file.append(window.packets[at], window.bytes.span, interfaces, into: &buffer)
      guard isFull else { continue }
      if isLast {
        isOver = true
        window.packets.removeSubrange((at + 1)...)
        break
      }
      try rotate()
    }
    if let limit = options.next.nanoseconds, SystemClock.monotonic - file.began >= limit {
      if isLast { isOver = true } else { try rotate() }
    }
    try file.flush(&buffer)
  }

  private var isFull: Bool {
    if let limit = options.next.bytes, file.size >= limit { return true }
    if let limit = options.next.packets, file.packets >= limit { return true }
    if let limit = options.byteLimit, file.size >= limit { return true }
    return false
  }

  /// Whether the capture ends with the current file.
  private var isLast: Bool {
    guard options.isNumbered else { return true }
    return options.fileLimit.map { number >= $0 } ?? false
  }

  // MARK: Files

  private func rotate() throws(CaptureError) {
    finish()
    try file.flush(&buffer)
    number += 1
    let name = Self.name(options, number)
    file = try RecordingFile(name, application: options.application, into: &buffer)
    names.append(name)
    if let kept = options.filesKept {
      while names.count > kept { FileSystem.remove(names.removeFirst()) }
    } else {
      names.removeAll()
    }
  }

  private func conclude() {
    guard !isConcluded else { return }
    isConcluded = true
    // A file that could not be written gets no statistics.
    guard failure == nil else { return }
    finish()
    do throws(CaptureError) {
      try file.flush(&buffer)
    } catch {
      failure = error
      status.fail(error)
    }
  }

  /// Each file holds its own share of the counts, so that a series adds up.
  private func finish() {
    let now = base.info.interfaces
    var share = now
    for at in share.indices where at < counted.count {
      share[at].received = now[at].received.map { $0 &- (counted[at].received ?? 0) }
      share[at].droppedBySystem = now[at].droppedBySystem.map { $0 &- (counted[at].droppedBySystem ?? 0) }
      share[at].droppedByInterface = now[at].droppedByInterface.map { $0 &- (counted[at].droppedByInterface ?? 0) }
    }
    counted = now
    file.conclude(share, at: Timestamp(nanoseconds: SystemClock.sinceEpoch), into: &buffer)
  }

  private static func name(_ options: RecordingOptions, _ number: Int) -> String {
    guard options.isNumbered else { return options.path }
    return RecordingNames.name(options.path, number: number, at: Int(SystemClock.sinceEpoch / 1_000_000_000))
  }
}
