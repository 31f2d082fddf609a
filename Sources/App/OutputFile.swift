import Events
import Platform
import Reports

/// A buffered output: a descriptor, memory (for tests), a file that appears under its name only when it is complete, or one
/// of lines that grows.
package final class OutputFile: ByteSink {
  private enum Target {
    case descriptor(Descriptor, name: String)
    case memory
    case file(Descriptor, temporary: String, final: String)
    case log(LineLog, name: String)
  }

  private static let limit = 1 << 16
  private let target: Target
  private var buffer: [UInt8] = []
  /// Without a reader, output is dropped.
  var ignoresClosedPipe = false

  private init(_ target: Target) {
    self.target = target
  }

  package static func descriptor(_ descriptor: Descriptor, name: String) -> OutputFile {
    OutputFile(.descriptor(descriptor, name: name))
  }

  package static func memory() -> OutputFile { OutputFile(.memory) }

  /// A file that replaces the existing one when it is `committed`, and disappears if it never is.
  /// `mark` distinguishes several files with one path. What reads whole folders leaves out a hidden file.
  package static func file(
    _ path: String, mark: String = "", isHidden: Bool = false
  ) throws(ReportError) -> OutputFile {
    if let special = try existingDevice(path) { return special }
    let temporary = "\(isHidden ? hidden(path) : path).\(Program.identifier)\(mark).tmp"
    do throws(SystemError) {
      let descriptor = try Descriptor.open(temporary, for: .creating(.everybody))
      Faults.begin(temporary)
      return OutputFile(.file(descriptor, temporary: temporary, final: path))
    } catch {
      throw failure(path, error)
    }
  }

  /// A file that grows. Each `write` has whole lines.
  static func log(_ path: String, _ rotation: LineLog.Rotation) throws(ReportError) -> OutputFile {
    if let special = try existingDevice(path) { return special }
    do throws(SystemError) { return OutputFile(.log(try LineLog(path, rotation), name: path)) } catch {
      throw failure(path, error)
    }
  }

  private static func hidden(_ path: String) -> String {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    return path[..<name] + "." + path[name...]
  }

  /// A device or pipe cannot be replaced, only written to.
  private static func existingDevice(_ path: String) throws(ReportError) -> OutputFile? {
    guard let status = FileStatus(of: path), status.kind != .file else { return nil }
    do throws(SystemError) {
      return OutputFile(.descriptor(try .open(path, for: .writing), name: path))
    } catch {
      throw failure(path, error)
    }
  }

  deinit {
    if case .file(let descriptor, let temporary, _) = target, !isCommitted {
      descriptor.close()
      FileSystem.remove(temporary)
      Faults.end(temporary)
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
    let name: String
    do throws(SystemError) {
      switch target {
      case .memory: return
      case .descriptor(let descriptor, let path):
        name = path
        guard !buffer.isEmpty else { return }
        try Faults.writing(to: descriptor) { () throws(SystemError) in try descriptor.write(buffer) }
      case .file(let descriptor, _, let path):
        name = path
        try descriptor.write(buffer)
      case .log(let log, let path):
        name = path
        try Faults.writing { () throws(SystemError) in try log.write(buffer) }
      }
      buffer.removeAll(keepingCapacity: true)
    } catch {
      buffer.removeAll()
      if error.isClosedPipe && ignoresClosedPipe { return }
      throw Self.failure(name, error)
    }
  }

  /// Writes what is left and puts the file in its place.
  package func commit() throws(ReportError) {
    try flush()
    guard case .file(let descriptor, let temporary, let final) = target, !isCommitted else { return }
    defer { if isCommitted { Faults.end(temporary) } }
    do throws(SystemError) {
      try descriptor.synchronize()
    } catch {
      throw Self.failure(final, error)
    }
    isCommitted = true
    do throws(SystemError) {
      try descriptor.closeWritten()
      try FileSystem.rename(temporary, to: final)
    } catch {
      FileSystem.remove(temporary)
      throw Self.failure(final, error)
    }
  }

  /// After what was written so far, a file that grows is opened again by its name.
  func reopen() throws(ReportError) {
    guard case .log(let log, let name) = target else { return }
    try flush()
    do throws(SystemError) { try log.reopen() } catch { throw Self.failure(name, error) }
  }

  private static func failure(_ name: String, _ error: SystemError) -> ReportError {
    ReportError("cannot write \(name): \(error)", isClosedPipe: error.isClosedPipe)
  }
}

extension OutputFile {
  func flushed() throws(Stop) {
    do throws(ReportError) { try flush() } catch { throw Stop(error) }
  }

  /// Lines of the program's own, whatever is quoted in them.
  func print(_ text: String) throws(Stop) {
    do throws(ReportError) { try write(EscapedText.lines(text)) } catch { throw Stop(error) }
  }
}
