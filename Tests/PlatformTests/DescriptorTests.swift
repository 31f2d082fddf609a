import Foundation
import Platform
import Testing

@Suite struct DescriptorTests {
  /// A folder that is gone after the test.
  final class Scratch {
    let path = FileManager.default.temporaryDirectory.appending(path: "platform-\(UUID().uuidString)").path()

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func file(_ name: String) -> String { path + "/" + name }
  }

  private func refusal(_ path: String, _ purpose: Descriptor.Purpose) -> SystemError? {
    do throws(SystemError) {
      try Descriptor.open(path, for: purpose).close()
      return nil
    } catch {
      return error
    }
  }

  private func contents(_ path: String) throws -> [UInt8] {
    let file = try Descriptor.open(path, for: .reading)
    defer { file.close() }
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 7)
    while case let count = try file.read(into: &block), count > 0 { all += block[..<count] }
    return all
  }

  @Test("what is written is read, and each purpose does what it says")
  func purposes() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(refusal(path, .reading)?.isMissingFile == true)
    #expect(refusal(path, .writing)?.isMissingFile == true)
    let created = try Descriptor.open(path, for: .creating(.owner))
    try created.write(bytes)
    try created.synchronize()
    try created.closeWritten()
    #expect(try contents(path) == bytes)
    #expect(refusal(path, .creating(.owner))?.description == "File exists")
    let appended = try Descriptor.open(path, for: .appending(.owner))
    try appended.write([1, 2, 3])
    appended.close()
    #expect(try contents(path) == bytes + [1, 2, 3])
    let replaced = try Descriptor.open(path, for: .replacing(.everybody))
    try replaced.write([4, 5, 6])
    replaced.truncate(to: 2)
    replaced.close()
    #expect(try contents(path) == [4, 5])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600, "made for its owner alone, and kept so")
  }

  @Test("reading goes on where it is told to")
  func start() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    let file = try Descriptor.open(path, for: .creating(.owner))
    try file.write([1, 2, 3])
    file.close()
    let again = try Descriptor.open(path, for: .reading)
    defer { again.close() }
    var room: [UInt8] = [9, 9, 9, 9]
    #expect(try again.read(into: &room, from: 2) == 2)
    #expect(room == [9, 9, 1, 2])
  }

  @Test("a pipe is readable once something is in it; a closed one says so")
  func pipes() throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (Descriptor(ends[0]), Descriptor(ends[1]))
    let began = SystemClock.monotonic
    #expect(!reading.isReadable())
    #expect(!reading.isReadable(within: 30_000_000))
    #expect(SystemClock.monotonic - began >= 30_000_000)
    try writing.write([7])
    #expect(reading.isReadable(within: 5_000_000_000))
    #expect(try reading.status().kind == .other)
    reading.close()
    signal(SIGPIPE, SIG_IGN)
    let error = #expect(throws: SystemError.self) { try writing.write([8]) }
    #expect(error?.isClosedPipe == true)
    writing.close()
  }

  @Test("a path leads to a file, a folder, something else, or nothing")
  func status() throws {
    let scratch = try Scratch()
    #expect(FileStatus(of: scratch.path)?.kind == .folder)
    #expect(FileStatus(of: "/dev/null")?.kind == .other)
    #expect(FileStatus(of: scratch.file("a")) == nil)
    let file = try Descriptor.open(scratch.file("a"), for: .creating(.owner))
    try file.write([1, 2, 3])
    file.close()
    try FileSystem.rename(scratch.file("a"), to: scratch.file("b"))
    #expect(FileStatus(of: scratch.file("b"))?.size == 3)
    #expect(FileStatus(of: scratch.file("a")) == nil)
    try FileManager.default.createSymbolicLink(atPath: scratch.file("c"), withDestinationPath: scratch.file("b"))
    #expect(FileSystem.resolved(scratch.file("c"))?.hasSuffix("/b") == true)
    FileSystem.remove(scratch.file("b"))
    #expect(FileSystem.resolved(scratch.file("c")) == nil)
  }

  @Test("a file without a name is read from its beginning each time, and gone with its value")
  func unnamed() throws {
    let scratch = try Scratch()
    var path = ""
    do {
      let file = try UnnamedFile(in: scratch.path, named: "x", [1, 2, 3])
      path = file.path
      #expect(try contents(path) == [1, 2, 3])
      #expect(try contents(path) == [1, 2, 3])
      withExtendedLifetime(file) {}
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
    let error = #expect(throws: SystemError.self) { try UnnamedFile(in: scratch.file("no"), named: "x", []) }
    #expect(error?.isMissingFile == true)
  }
}
