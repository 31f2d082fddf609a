#if canImport(Darwin)
  import CDarwin
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file, pipe, terminal or device. Whoever opened it closes it, once.
package struct Descriptor: Hashable, Sendable {
  package let number: CInt

  package init(_ number: CInt) {
    self.number = number
  }

  package static let input = Descriptor(STDIN_FILENO)
  package static let output = Descriptor(STDOUT_FILENO)
  package static let errors = Descriptor(STDERR_FILENO)

  /// Who may read a file that is made.
  package enum Audience: Sendable {
    case owner
    case everybody

    fileprivate var permissions: mode_t { self == .owner ? 0o600 : 0o644 }
  }

  package enum Purpose: Sendable {
    case reading
    /// What exists: a pipe or a device.
    case writing
    /// A file that does not exist yet.
    case creating(Audience)
    /// A file that is empty then.
    case replacing(Audience)
    case appending(Audience)
  }

  /// Programs that are started do not get it.
  package static func open(_ path: String, for purpose: Purpose) throws(SystemError) -> Descriptor {
    let number =
      switch purpose {
      case .reading: openFile(path, O_RDONLY | O_CLOEXEC, 0)
      case .writing: openFile(path, O_WRONLY | O_CLOEXEC, 0)
      case .creating(let audience): openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, audience.permissions)
      case .replacing(let audience): openFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, audience.permissions)
      case .appending(let audience): openFile(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, audience.permissions)
      }
    guard number >= 0 else { throw .last }
    return Descriptor(number)
  }

  package func close() {
    _ = closeFile(number)
  }

  /// Some systems say only now that what was written cannot be kept.
  package func closeWritten() throws(SystemError) {
    guard closeFile(number) == 0 else { throw .last }
  }

  /// Where the next byte is read; pipes stay where they are.
  package func seek(to position: UInt64) {
    _ = lseek(number, off_t(clamping: position), SEEK_SET)
  }

  /// Reads up to `buffer.count` bytes; 0 is the end. A signal does not end the reading.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let count = readFile(number, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// The same into the bytes from `start` on.
  package func read(into bytes: inout [UInt8], from start: Int = 0) throws(SystemError) -> Int {
    while true {
      let count = bytes.withUnsafeMutableBytes { buffer in
        readFile(number, buffer.baseAddress.map { $0 + start }, buffer.count - start)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// Writes all bytes, however often that takes.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        writeFile(number, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last
      }
      written += count
    }
  }

  /// Returns when what was written is on the disk, for what has one.
  package func synchronize() throws(SystemError) {
    guard fsync(number) == 0 || errno == EINVAL else { throw .last }
  }

  /// Takes back what lies behind the first `length` bytes.
  package func truncate(to length: UInt64) {
    _ = ftruncate(number, off_t(clamping: length))
  }

  /// Whether reading would not wait, after at most this time. A signal ends the waiting.
  package func isReadable(within nanoseconds: Int64 = 0) -> Bool {
    #if canImport(Darwin)
      // poll(2) of Darwin does not know devices, and capture devices are some.
      return cdarwin_wait(number, max(0, nanoseconds)) > 0
    #else
      var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      return poll(&request, 1, CInt(clamping: max(0, (nanoseconds + 999_999) / 1_000_000))) > 0
    #endif
  }

  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return FileStatus(status)
  }
}

// Methods of these names stand before the functions.
private func openFile(_ path: String, _ flags: CInt, _ permissions: mode_t) -> CInt { open(path, flags, permissions) }
private func closeFile(_ number: CInt) -> CInt { close(number) }
private func readFile(_ number: CInt, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, start, count)
}
private func writeFile(_ number: CInt, _ start: UnsafeRawPointer?, _ count: Int) -> Int { write(number, start, count) }
