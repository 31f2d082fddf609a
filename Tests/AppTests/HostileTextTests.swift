import Testing

@testable import App

/// Names and targets that would steer a terminal, a log or a page: nothing prints them as they are.
@Suite("Hostile text")
struct HostileTextTests {
  /// ESC, BEL, DEL, 8-bit CSI, a mark of the reading order, a zero-width space, and what the report uses inside itself.
  private static let signs = "\\x1b[31m\\x07\\x7f\\xc2\\x9b2J\\xe2\\x80\\xae\\xe2\\x80\\x8b\\xf4\\x8f\\xbf\\xb1"

  /// The request that went to an address succeeded under a name: the finding quotes the name in its sentence.
  private static let script = """
    == 192.0.2.27:50270 198.51.100.30:80
    \(Scripts.hello)> "GET /api/\(signs)cart HTTP/1.1\\r\\nHost: 198.51.100.30\\r\\nUser-Agent: \(signs)\\r\\n\\r\\n"
    +15ms
    < "HTTP/1.1 404 Not\(signs)\\r\\nServer: \(signs)\\r\\nContent-Type: text/\(signs)\\r\\nContent-Length: 2\\r\\n\\r\\n{}"
    > ACK
    > FIN
    < FIN
    > ACK
    == 192.0.2.27:50271 198.51.100.30:80 +9s
    \(Scripts.hello)> "GET /api/\(signs)cart HTTP/1.1\\r\\nHost: shop\(signs).example\\r\\nUser-Agent: \(signs)\\r\\n\\r\\n"
    +16ms
    < "HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 12\\r\\n\\r\\n{\\"items\\":[]}"
    > ACK
    > FIN
    < FIN
    > ACK

    """

  @Test(
    "No output holds a control character or a hidden one.",
    arguments: [
      [], ["-v", "--lint"], ["--color", "never"], ["--timeline", "full"], ["messages"], ["check"],
      ["check", "--select", "direct"], ["-o", "github"], ["-o", "junit"], ["-o", "html"], ["-o", "sarif"], ["--json"],
      ["-o", "ndjson"], ["-o", "har"], ["-o", "openmetrics"], ["-o", "otlp"],
    ])
  func escaped(_ arguments: [String]) async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(arguments + [try scratch.captures(Self.script)])
    #expect(run.output.unicodeScalars.first { Self.steers($0) } == nil)
    #expect(run.errors.unicodeScalars.first { Self.steers($0) } == nil)
  }

  @Test("Colour is the program's own: what the capture says never begins a sequence.")
  func colored() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["--color", "always", "-v", try scratch.captures(Self.script)])
    #expect(run.output.contains("\u{1B}[1;"))
    let own = ["1;31", "1;33", "36", "1", "2", "0"]
    var rest = run.output
    for sequence in own { rest.replace("\u{1B}[\(sequence)m", with: "") }
    #expect(rest.unicodeScalars.first { Self.steers($0) } == nil)
    // As many begin as end.
    let begun = run.output.split(separator: "\u{1B}[", omittingEmptySubsequences: false).dropFirst()
    #expect(begun.count { $0.hasPrefix("0m") } * 2 == begun.count)
  }

  @Test("The sentence that quotes the name is there, and shows it.")
  func told() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun([try scratch.captures(Self.script)])
    #expect(run.output.contains("direct/host-ip-literal"))
    #expect(run.output.contains("\\x1B[31m"))
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case ..<0x20, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x10_FFF0...0x10_FFFF: true
    default: false
    }
  }
}
