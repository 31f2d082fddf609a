import Foundation
import Platform
import Testing

@testable import App

/// A file of lines that grows: whole lines, each once, whatever others do with the file.
@Suite("Files of lines that grow")
struct LineLogTests {
  private let folder: URL
  private let path: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "streamscope-log-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "lines").path
  }

  private func text(_ suffix: String = "") -> String? {
    try? String(contentsOfFile: path + suffix, encoding: .utf8)
  }

  private func write(_ text: String, to log: LineLog) throws { try log.write(Array(text.utf8)) }

  @Test("What the file had stays, and a line that was cut off is ended.")
  func appends() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try "old\ncut o".write(toFile: path, atomically: false, encoding: .utf8)
    let log = try LineLog(path, LineLog.Rotation())
    try write("first\n1\n", to: log)
    #expect(text() == "old\ncut o\nfirst\n1\n")
  }

  @Test("Files of at most so many bytes, each beginning with the first line, and the newest of the earlier ones kept.")
  func rotates() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try LineLog(path, LineLog.Rotation(bytes: 12, kept: 2))
    // In pieces that fit, that do not, and that are larger than a file.
    for piece in ["first\n1\n", "2\n3\n4\n", "5\n6\n7\n8\n9\na\nb\n", "long line of text\n", "c\n"] {
      try write(piece, to: log)
    }
    #expect(text() == "first\nc\n")
    #expect(text(".1") == "first\nlong line of text\n")
    #expect(text(".2") == "first\na\nb\n")
    #expect(text(".3") == nil)
  }

  @Test("No line is lost or written twice by rotating, in whatever pieces they come.", arguments: 1...20)
  func whole(seed: UInt64) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var state = seed
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let log = try LineLog(path, LineLog.Rotation(bytes: 20 + next(60), kept: 500))
    var lines = ["first"]
    var pending = "first\n"
    for number in 0..<200 {
      lines.append("\(number)" + String(repeating: "x", count: Int(next(12))))
      pending += lines[lines.count - 1] + "\n"
      if next(3) == 0 {
        try write(pending, to: log)
        pending = ""
      }
      if next(20) == 0 { try log.reopen() }
    }
    try write(pending, to: log)
    var read: [Substring] = []
    for number in (0..<500).reversed() {
      guard let file = text(number == 0 ? "" : ".\(number)") else { continue }
      let its = file.split(separator: "\n")
      #expect(its.first == "first" && file.hasSuffix("\n"))
      read += its.dropFirst()
    }
    #expect(["first"] + read == lines.map { $0[...] })
  }

  @Test("A file that was moved away is begun anew, one that was not goes on.")
  func reopens() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try LineLog(path, LineLog.Rotation())
    try write("first\n1\n", to: log)
    try log.reopen()
    try write("2\n", to: log)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    try write("3\n", to: log)
    try log.reopen()
    try write("4\n", to: log)
    #expect(text(".moved") == "first\n1\n2\n3\n")
    #expect(text() == "first\n4\n")
  }

  @Test("An old file is followed by a new one, but one without lines of its own is not.")
  func ages() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try LineLog(path, LineLog.Rotation(age: 1))
    try write("first\n1\n", to: log)
    try log.write([])
    try log.write([])
    #expect(text(".1") == "first\n1\n" && text() == "first\n" && text(".2") == nil)
  }
}
