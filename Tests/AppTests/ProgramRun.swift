import Foundation
import Support

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
  func captures(_ text: String) throws -> String {
    let capture = WireFile(text).capture
    try Data(capture.bytes).write(to: URL(filePath: file("capture.pcap")))
    return file("capture.pcap")
  }

  /// Writes a capture of the script and answers its path.
  func capture(_ script: String, _ name: String = "capture.pcap", dropLast: Int = 0) throws -> String {
    try Data(ScriptedCapture(script).bytes.dropLast(dropLast)).write(to: URL(filePath: file(name)))
    return file(name)
  }

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
}

enum Scripts {
  static let hello = "> SYN\n< SYN ACK\n> ACK\n"
  static let quiet = hello + "> \"ask\"\n< \"answer\"\n> ACK\n> FIN\n< FIN\n> ACK\n"
  static let refused = "> SYN ①\n< RST ack=0 ②\n"
  static let conflict = hello + "> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n"
  static let hole = hello + "> \"aaaa\" !lost\n> \"bbbb\"\n< ACK\n"
}
