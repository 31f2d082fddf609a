import Events
import Glibc

/// A buffered output: a descriptor, memory (for tests), or a file that appears under its name only when it is complete.
package final class OutputFile: ByteSink {
  private enum Target {
    case descriptor(Int32, name: String)
    case memory
    case file(Int32, temporary: String, final: String)
  }

  private static let limit = 1 << 16
  private let target: Target
  private var buffer: [UInt8] = []
  /// Without a reader, output is dropped.
  var ignoresClosedPipe = false

  private init(_ target: Target) {
    self.target = target
  }

  package static func descriptor(_ number: Int32, name: String) -> OutputFile {
    OutputFile(.descriptor(number, name: name))
  }

  package static func memory() -> OutputFile { OutputFile(.memory) }

  /// A file that replaces the existing one when it is `committed`, and disappears if it never is.
  /// `mark` distinguishes several files with one path.
  package static func file(_ path: String, mark: String = "") throws(ReportError) -> OutputFile {
    if let special = try existingDevice(path) { return special }
    let temporary = "\(path).\(getpid())\(mark).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    return OutputFile(.file(descriptor, temporary: temporary, final: path))
  }

  /// A device or pipe cannot be replaced, only written to.
  private static func existingDevice(_ path: String) throws(ReportError) -> OutputFile? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    return OutputFile(.descriptor(descriptor, name: path))
  }

  deinit {
    if case .file(let descriptor, let temporary, _) = target, !isCommitted {
      close(descriptor)
      unlink(temporary)
    }
  }

  /// What was written to memory.
  package var contents: [UInt8] { buffer }
  private var isCommitted = false

  package func write(_ bytes: [UInt8]) throws(ReportError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.limit { try flush() }
  }

  package func flush() throws(ReportError) {
    let descriptor: Int32
    let name: String
    switch target {
    case .memory: return
    case .descriptor(let number, let path): (descriptor, name) = (number, path)
    case .file(let number, _, let path): (descriptor, name) = (number, path)
    }
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        let isUnwanted = errno == EPIPE && ignoresClosedPipe
        buffer.removeAll()
        if isUnwanted { return }
        throw Self.failure(name)
      }
      written += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what is left and puts the file in its place.
  package func commit() throws(ReportError) {
    try flush()
    guard case .file(let descriptor, let temporary, let final) = target, !isCommitted else { return }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.failure(final) }
    guard close(descriptor) == 0, rename(temporary, final) == 0 else {
      unlink(temporary)
      isCommitted = true
      throw Self.failure(final)
    }
    isCommitted = true
  }

  private static func failure(_ name: String) -> ReportError {
    let number = errno
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return ReportError("cannot write \(name): \(reason)", isClosedPipe: number == EPIPE)
  }
}

extension OutputFile {
  func flushed() throws(Stop) {
    do throws(ReportError) { try flush() } catch { throw Stop(error) }
  }

  func print(_ text: String) throws(Stop) {
    do throws(ReportError) { try write(Array(text.utf8)) } catch { throw Stop(error) }
  }
}
