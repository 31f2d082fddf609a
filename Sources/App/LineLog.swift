import Citation
import Platform

/// A file of lines that grows while the run goes on. Others read it, move it and delete it meanwhile.
///
/// Only whole lines are written, behind what the file has already. Each file that is begun starts with the first line of
/// the run, so that it can be read alone.
final class LineLog {
  /// When the next file is begun, and how many earlier ones are kept.
  struct Rotation: Equatable, Sendable {
    static let keptLimit = 10_000

    var bytes: UInt64?
    /// In nanoseconds.
    var age: Int64?
    var kept = 10

    var isEmpty: Bool { bytes == nil && age == nil }
  }

  private let path: String
  private let rotation: Rotation
  private var descriptor: Descriptor
  /// Of the file, with what it had before.
  private var size: UInt64
  private var openedAt = SystemClock.monotonic
  /// The first line of the run.
  private var first: [UInt8] = []
  /// The file has lines besides those that it begins with.
  private var hasLines: Bool

  init(_ path: String, _ rotation: Rotation) throws(SystemError) {
    self.path = path
    self.rotation = rotation
    (descriptor, size) = try Self.open(path)
    hasLines = size > 0
  }

  deinit { descriptor.close() }

  /// Whole lines. What can be told only by a clock is looked at here, too: none is a way to ask for it.
  func write(_ lines: [UInt8]) throws(SystemError) {
    if first.isEmpty, let end = lines.firstIndex(of: .lineFeed) { first = Array(lines[...end]) }
    if let age = rotation.age, hasLines, SystemClock.monotonic - openedAt >= age { try rotate() }
    var rest = lines[...]
    while let limit = rotation.bytes, size + UInt64(rest.count) > limit {
      let room = Int(limit - min(size, limit))
      if let end = rest.prefix(room).lastIndex(of: .lineFeed) {
        try append(rest[...end])
        rest = rest[(end + 1)...]
      } else if !hasLines, let end = rest.firstIndex(of: .lineFeed) {
        // One line is longer than a file may be.
        try append(rest[...end])
        rest = rest[(end + 1)...]
      }
      guard !rest.isEmpty else { return }
      try rotate()
    }
    if !rest.isEmpty { try append(rest) }
  }

  /// Opens the file of this name again: the one that was written to may have been moved away.
  func reopen() throws(SystemError) {
    let (opened, size) = try Self.open(path)
    descriptor.close()
    (descriptor, self.size) = (opened, size)
    openedAt = SystemClock.monotonic
    hasLines = size > 0
    if size == 0 { try begin() }
  }

  func synchronize() throws(SystemError) { try descriptor.synchronize() }

  /// `FILE.1` is the newest of the earlier files.
  private func rotate() throws(SystemError) {
    for number in stride(from: rotation.kept - 1, to: 0, by: -1) {
      let old = "\(path).\(number)"
      if FileStatus(of: old) != nil { try FileSystem.rename(old, to: "\(path).\(number + 1)") }
    }
    try FileSystem.rename(path, to: "\(path).1")
    try reopen()
  }

  private func begin() throws(SystemError) {
    guard !first.isEmpty else { return }
    try append(first[...])
    hasLines = false
  }

  private func append(_ lines: ArraySlice<UInt8>) throws(SystemError) {
    do throws(SystemError) {
      try descriptor.write(Array(lines))
    } catch {
      // The beginning of a line helps nobody who reads lines.
      if let now = try? descriptor.status().size, now > size, now - size < UInt64(lines.count) {
        descriptor.truncate(to: size)
      }
      throw error
    }
    size += UInt64(lines.count)
    hasLines = true
  }

  /// A line that an earlier run could not finish is ended.
  private static func open(_ path: String) throws(SystemError) -> (Descriptor, UInt64) {
    let descriptor = try Descriptor.open(path, for: .appending(.everybody))
    do throws(SystemError) {
      var size = try descriptor.status().size
      if size > 0, try lastByte(of: path, size) != .lineFeed {
        try descriptor.write([.lineFeed])
        size += 1
      }
      return (descriptor, size)
    } catch {
      descriptor.close()
      throw error
    }
  }

  private static func lastByte(of path: String, _ size: UInt64) throws(SystemError) -> UInt8? {
    let descriptor = try Descriptor.open(path, for: .reading)
    defer { descriptor.close() }
    descriptor.seek(to: size - 1)
    var byte: [UInt8] = [0]
    return try descriptor.read(into: &byte) == 1 ? byte[0] : nil
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
}
