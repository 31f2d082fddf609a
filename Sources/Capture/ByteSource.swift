import Platform

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
  private let descriptor: Descriptor
  private let name: String
  private let closes: Bool
  private let isRegular: Bool
  private let size: UInt64?
  private var position: UInt64 = 0

  /// Opens the file, or takes standard input for "-".
  init(path: String, name: String) throws(CaptureError) {
    self.name = name
    closes = path != "-"
    do throws(SystemError) {
      descriptor = closes ? try .open(path, for: .reading) : .input
    } catch {
      throw CaptureError(name, "cannot be opened: \(error)", fix: DescriptorSource.fix(error))
    }
    let status: FileStatus
    do throws(SystemError) {
      status = try descriptor.status()
    } catch {
      if closes { descriptor.close() }
      throw CaptureError(name, "cannot be read: \(error)")
    }
    isRegular = status.kind == .file
    size = isRegular ? status.size : nil
    if status.kind == .folder { throw CaptureError(name, "is a directory", fix: "name the capture files in it") }
  }

  deinit {
    if closes { descriptor.close() }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
    do throws(SystemError) {
      let count = try descriptor.read(into: buffer)
      position &+= UInt64(count)
      return count
    } catch {
      throw CaptureError(name, "cannot be read at byte \(position): \(error)")
    }
  }

  var isReady: Bool { isRegular || descriptor.isReadable() }

  var progress: (read: UInt64, size: UInt64?) { (position, size) }

  var defect: SourceDefect? { nil }

  private static func fix(_ error: SystemError) -> String? {
    if error.isMissingFile { return "check the path" }
    return error.isPermission ? "make it readable for this user" : nil
  }
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
