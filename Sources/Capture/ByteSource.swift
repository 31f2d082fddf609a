import Glibc

/// The bytes of a capture, in order and once. The interface of files, pipes, decompressors and tests.
package protocol ByteSource: AnyObject {
  /// Reads up to `buffer.count` bytes; 0 is the end. May return fewer than there are.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int

  /// Whether a read would return without waiting.
  var isReady: Bool { get }

  /// Bytes of the file as it is on disk.
  var progress: (read: UInt64, size: UInt64?) { get }

  /// After the end: why the data ended early.
  var defect: SourceDefect? { get }
}

/// A defect of the compressed data.
package enum SourceDefect: Hashable, Sendable {
  case cut(atByte: UInt64)
  case damaged(atByte: UInt64, what: String)
}

/// A file, pipe or device that is open.
final class DescriptorSource: ByteSource {
  private let descriptor: CInt
  private let name: String
  private let closes: Bool
  private let isRegular: Bool
  private let size: UInt64?
  private var position: UInt64 = 0

  /// Opens the file, or takes standard input for "-".
  init(path: String, name: String) throws(CaptureError) {
    self.name = name
    closes = path != "-"
    descriptor = closes ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
    guard descriptor >= 0 else {
      throw CaptureError(name, "cannot be opened: \(systemError(errno))", fix: DescriptorSource.fix(errno))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let reason = systemError(errno)
      if closes { close(descriptor) }
      throw CaptureError(name, "cannot be read: \(reason)")
    }
    let kind = status.st_mode & S_IFMT
    isRegular = kind == S_IFREG
    size = isRegular ? UInt64(clamping: status.st_size) : nil
    if kind == S_IFDIR { throw CaptureError(name, "is a directory", fix: "name the capture files in it") }
  }

  deinit {
    if closes { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 {
        position &+= UInt64(count)
        return count
      }
      guard errno == EINTR else {
        throw CaptureError(name, "cannot be read at byte \(position): \(systemError(errno))")
      }
    }
  }

  var isReady: Bool {
    if isRegular { return true }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) != 0
  }

  var progress: (read: UInt64, size: UInt64?) { (position, size) }

  var defect: SourceDefect? { nil }

  private static func fix(_ code: CInt) -> String? {
    switch code {
    case ENOENT: "check the path"
    case EACCES: "make it readable for this user"
    default: nil
    }
  }
}

private func systemError(_ code: CInt) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}

/// Bytes that are already in memory, handed out in pieces: for tests and fuzzing, where every cut must be tried.
package final class MemorySource: ByteSource {
  private let bytes: [UInt8]
  private let pieceLength: Int
  private let keepsReady: Bool
  private var position = 0

  /// With `keepsReady` false, the source looks like a slow pipe.
  package init(_ bytes: [UInt8], pieceLength: Int = .max, keepsReady: Bool = true) {
    self.bytes = bytes
    self.pieceLength = max(1, pieceLength)
    self.keepsReady = keepsReady
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, pieceLength, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }

  package var isReady: Bool { keepsReady }

  package var progress: (read: UInt64, size: UInt64?) { (UInt64(position), UInt64(bytes.count)) }

  package var defect: SourceDefect? { nil }
}
