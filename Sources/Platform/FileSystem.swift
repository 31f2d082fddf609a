#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a path or a descriptor leads to.
package struct FileStatus: Sendable {
  package enum Kind: Sendable {
    case file
    case folder
    /// A pipe, a terminal, a device, a socket.
    case other
  }

  package let kind: Kind
  package let size: UInt64
  /// When it was last written to, in nanoseconds since 1970.
  package let modified: Int64

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    size = UInt64(clamping: status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(clamping: time.tv_sec) &* 1_000_000_000 &+ Int64(clamping: time.tv_nsec)
  }

  /// nil for what is not there, or not to be seen. Links are followed.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// Names of files.
package enum FileSystem {
  package static func remove(_ path: String) {
    unlink(path)
  }

  /// The same in a handler of signals.
  package static func remove(_ path: FixedText) {
    unlink(path.pointer)
  }

  /// Takes the place of what has the new name.
  package static func rename(_ path: String, to new: String) throws(SystemError) {
    guard renameFile(path, new) == 0 else { throw .last }
  }

  /// One that is there already is fine.
  package static func makeFolder(_ path: String) {
    mkdir(path, 0o755)
  }

  /// What is in a folder, in no order; without hidden files.
  package static func names(in folder: String) throws(SystemError) -> [String] {
    guard let directory = opendir(folder) else { throw .last }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// Where a path leads after all links; nil for what is not there.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

private func renameFile(_ old: String, _ new: String) -> CInt { rename(old, new) }
