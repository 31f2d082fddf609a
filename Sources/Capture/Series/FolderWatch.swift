import Citation
import Platform

/// The captures of a recorder that is still writing: which of them are finished.
///
/// A file is finished when a newer one exists, or when it has not grown for a while. A file that grows after that, or that
/// a ring writes again under the same name, is finished a second time.
package struct FolderWatch {
  /// A file to be read.
  struct Finished: Equatable {
    var path: String
    /// It may grow: no newer file shows that the recorder is done with it.
    var mayGrow: Bool
  }

  private struct Known {
    var size: UInt64
    var modified: Int64
    /// When it was last found to have changed.
    var changedAt: Int64
    /// What it had when it was handed out.
    var takenSize: UInt64?
    var takenModified: Int64 = 0
    /// It was handed out while it might grow.
    var isHalfTaken = false
    /// Another file than a capture stays one. Of an empty file it is not known yet.
    var isCapture: Bool?
  }

  package let folder: String
  /// A file that has not grown for so long is finished.
  private let settle: Int64
  private var known: [String: Known] = [:]

  package init(_ folder: String, settle: Int64) {
    self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.settle = settle
  }

  /// What became finished since the last call, the oldest first. `now` is monotonic. With `isLast` nothing is waited for.
  mutating func poll(at now: Int64, isLast: Bool = false) -> [Finished] {
    // A folder that is not there at the moment may come back: a disk, or a recorder that makes it.
    let names = (try? FileSystem.names(in: folder)) ?? []
    var present: [String: Known] = [:]
    for name in names {
      let path = "\(folder)/\(name)"
      guard let status = FileStatus(of: path), status.kind == .file, let file = looked(at: path, name, status, now)
      else { continue }
      present[name] = file
    }
    known = present
    let captures = present.filter { $0.value.isCapture == true }
    let newest = captures.max { Self.isOlder($0, $1) }?.key
    let due = captures.filter { name, file in
      let isTaken = file.takenSize == file.size && file.takenModified == file.modified
      // Once more where a newer file shows that it ended there.
      guard !isTaken || file.isHalfTaken && name != newest else { return false }
      return name != newest || isLast || now - file.changedAt >= settle
    }
    return due.sorted(by: Self.isOlder).map { name, file in
      known[name]?.takenSize = file.size
      known[name]?.takenModified = file.modified
      known[name]?.isHalfTaken = name == newest
      return Finished(path: "\(folder)/\(name)", mayGrow: name == newest)
    }
  }

  private func looked(at path: String, _ name: String, _ status: FileStatus, _ now: Int64) -> Known? {
    var file =
      known[name] ?? Known(size: status.size, modified: status.modified, changedAt: now, isCapture: nil)
    if file.size != status.size || file.modified != status.modified {
      if status.size < file.size { file.isCapture = nil }
      (file.size, file.modified, file.changedAt) = (status.size, status.modified, now)
    }
    // Four bytes tell; before that an empty file looks like a capture.
    if file.isCapture == nil, status.size >= 4 { file.isCapture = FileKind.mayBeCapture(path) }
    return file
  }

  private static func isOlder(_ one: (key: String, value: Known), _ other: (key: String, value: Known)) -> Bool {
    one.value.modified == other.value.modified
      ? NaturalOrder.isBefore(one.key, other.key) : one.value.modified < other.value.modified
  }
}
