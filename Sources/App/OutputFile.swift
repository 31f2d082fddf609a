import Events
import Platform

/// A buffered output: a descriptor, memory (for tests), or a file that appears under its name only when it is complete.
package final class OutputFile: ByteSink {
  private enum Target {
    case descriptor(Descriptor, name: String)
    case memory
    case file(Descriptor, temporary: String, final: String)
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
  /// `mark` distinguishes several files with one path.
  package static func file(_ path: String, mark: String = "") throws(ReportError) -> OutputFile {
    if let special = try existingDevice(path) { return special }
    let temporary = "\(path).\(Program.identifier)\(mark).tmp"
    do throws(SystemError) {
      let descriptor = try Descriptor.open(temporary, for: .creating(.everybody))
      return OutputFile(.file(descriptor, temporary: temporary, final: path))
    } catch {
      throw failure(path, error)
    }
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
    let descriptor: Descriptor
    let name: String
    switch target {
    case .memory: return
    case .descriptor(let target, let path): (descriptor, name) = (target, path)
    case .file(let target, _, let path): (descriptor, name) = (target, path)
    }
    do throws(SystemError) {
      try descriptor.write(buffer)
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

  private static func failure(_ name: String, _ error: SystemError) -> ReportError {
    ReportError("cannot write \(name): \(error)", isClosedPipe: error.isClosedPipe)
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
