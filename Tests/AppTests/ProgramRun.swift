import Foundation
import Support
import Testing

@testable import App

/// A folder that is gone after the test.
final class Scratch: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "streamscope-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a capture of several conversations and answers its path.
  func captures(_ text: String, _ name: String = "capture.pcap") throws -> String {
    let capture = WireFile(text).capture
    #expect(capture.problems == [])
    return try write(capture.bytes, name)
  }

  /// Writes a capture of the script and answers its path.
  func capture(_ script: String, _ name: String = "capture.pcap", dropLast: Int = 0) throws -> String {
    let capture = ScriptedCapture(script)
    #expect(capture.problems == [])
    return try write(capture.bytes.dropLast(dropLast), name)
  }

  /// Writes a file and answers its path.
  @discardableResult
  func write(_ bytes: some Collection<UInt8>, _ name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  @discardableResult
  func write(_ text: String, _ name: String) throws -> String { try write(text.utf8, name) }

  func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: file(name)))) }
  func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// The program run inside the test, with all it wrote.
struct ProgramRun: Sendable {
  let code: ExitCode
  let output: String
  let errors: String

  /// Without a folder no configuration is looked for.
  init(
    _ arguments: [String], environment: [String: String] = ["LANG": "C.UTF-8"], isTerminal: Bool = false,
    folder: String? = nil
  ) async {
    let output = OutputFile.memory()
    let errors = OutputFile.memory()
    let console = Console(
      output: output, errors: errors, environment: environment, isOutputTerminal: isTerminal,
      width: isTerminal ? 80 : nil, folder: folder)
    code = await App.run(arguments, console)
    self.output = String(decoding: output.contents, as: UTF8.self)
    self.errors = String(decoding: errors.contents, as: UTF8.self)
  }

  init(_ arguments: String...) async { await self.init(arguments) }

  /// The document on standard output.
  func document() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }

  /// The document on standard output, of a single capture.
  func result() throws -> [String: Any] { try #require(try document() as? [String: Any]) }

  /// The connections of that document.
  func connections() throws -> [[String: Any]] { try #require(try result()["connections"] as? [[String: Any]]) }

  /// The lines of NDJSON on standard output.
  func lines() throws -> [[String: Any]] {
    try output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Exit code 2, with what was wrong on standard error alone.
  func expectRefusal(saying words: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(code == .failure, sourceLocation: sourceLocation)
    #expect(output == "", sourceLocation: sourceLocation)
    #expect(errors.hasPrefix("streamscope: ") && errors.contains(words), "\(errors)", sourceLocation: sourceLocation)
  }
}

enum Scripts {
  static let hello = "> SYN\n< SYN ACK\n> ACK\n"
  static let quiet = hello + "> \"ask\"\n< \"answer\"\n> ACK\n> FIN\n< FIN\n> ACK\n"
  static let refused = "> SYN ①\n< RST ack=0 ②\n"
  static let conflict = hello + "> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n"
  static let hole = hello + "> \"aaaa\" !lost\n> \"bbbb\"\n< ACK\n"
  /// The opening of a WebSocket.
  static let talk =
    hello + #"""
      > "GET /talk HTTP/1.1\r\nHost: assistant.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: GSO5F6UTi4mnrdEAw4Hepg==\r\nSec-WebSocket-Version: 13\r\nOrigin: http://assistant.example\r\n\r\n"
      < "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: 9/RgfNOslGjcf8UMjQyFT3Qb/AM=\r\n\r\n"
      """#
}
