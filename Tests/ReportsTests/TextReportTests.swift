import Engine
import Events
import RunSupport
import Support
import Testing

@testable import Reports

/// Compares with a golden and shows the difference.
func expectGolden(_ text: String, _ name: String, _ location: SourceLocation = #_sourceLocation) {
  if let difference = Golden.difference(text, from: name) {
    Issue.record(Comment(rawValue: difference), sourceLocation: location)
  }
}

@Suite("The text report")
struct TextReportTests {
  static let names = SampleRuns.conversations.keys.sorted()

  @Test("Every sample reads as reviewed.", arguments: names)
  func goldens(_ name: String) async throws {
    expectGolden(try await SampleRuns.text(name), "Text/\(name).txt")
  }

  @Test("Where a key log was given and does not help, the reason is told, and none is asked for.")
  func keyLog() {
    var summary = Summary(capture: CaptureRecord(file: "a"))
    summary.connections = 2
    summary.shutTLS = 2
    #expect(TextReporter.noProblem(summary).contains("2 of 2 connections are TLS without keys"))
    summary.incompleteTLS = 1
    #expect(TextReporter.noProblem(summary).contains("--keylog FILE"))
    summary.incompleteTLS = 2
    let text = TextReporter.noProblem(summary)
    #expect(text.contains("TLS that the key log does not open: their hellos were not captured"))
    #expect(!text.contains("--keylog"))
  }

  @Test("An endpoint is named by its method, host and path; the target of CONNECT is the host.")
  func endpointNames() {
    let endpoints = TextEndpoints(style: TextStyle())
    let get = EndpointName(method: "GET", host: "a.example", path: "/s")
    #expect(
      endpoints.name(get, withHost: true) == "GET a.example/s" && endpoints.name(get, withHost: false) == "GET /s")
    let connect = EndpointName(method: "CONNECT", host: "a.example:443", path: "a.example:443")
    #expect(endpoints.name(connect, withHost: true) == "CONNECT a.example:443")
  }

  @Test("Notes of a rule do not take the place of what it found; each of several connections is counted.")
  func noted() async throws {
    let refused = "> SYN\n< RST ack=0\n"
    let scan = (1...30).map { "== 10.0.0.1:\(40_000 + $0) 10.0.0.2:\($0) +\($0 * 20)ms\n" + refused }
    let others = (1...3).map { "== 10.0.0.9:\(40_000 + $0) 10.0.0.3:8080 +\(60 + $0)s\n" + refused }
    let run = try await CaptureRun(ScriptedCapture(WireFile((scan + others).joined()).conversations))
    let text = try run.report(TextReporter(TextStyle(), Redaction(isOn: true, salt: [1])), file: "a.pcap")
    #expect(text.contains("tcp/connect-refused   3 connections   3 failed"))
    #expect(text.contains("10.0.0.3:8080 refused the connection"))
  }

  @Test(
    "Who said goodbye first closed, whoever sent the first FIN; and who was answered with a reset.",
    arguments: [
      ("+1s\n\(farewell)> FIN\n< FIN\n", "closed by server: close_notify (#5), then client: FIN (#6)"),
      ("+1s\n\(farewell)< FIN\n> FIN\n", "closed by server: FIN (#6)"),
      ("+1s\n> FIN\n\(farewell)< FIN\n", "closed by client: FIN (#5)"),
      ("+1s\n> FIN\n< RST\n", "closed by client: FIN (#5), then reset by server (#6)"),
      ("+1s\n< RST\n", "reset by server (#5)"),
    ])
  func closing(_ end: String, _ words: String) async throws {
    let hello = TLSWire.message(1, TLSWire.clientHello(extensions: [TLSWire.serverName("a.example")]))
    let script = "> SYN\n< SYN ACK\n> ACK\n> \(Self.word(hello))\n\(end)"
    let run = try await CaptureRun(ScriptedCapture(script))
    let text = try run.report(TextReporter(TextStyle(), Redaction(isOn: true, salt: [1])), file: "a.pcap")
    #expect(text.contains(words))
  }

  private static func word(_ bytes: [UInt8]) -> String {
    "x\"" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
  }

  private static let farewell = "< \(word(TLSWire.alert(1, 0)))\n"

  @Test("With remarks shown.", arguments: ["troubled", "large"])
  func lint(_ name: String) async throws {
    expectGolden(try await SampleRuns.text(name) { $0.showsLint = true }, "Text/\(name).lint.txt")
  }

  @Test("In plain ASCII.", arguments: ["conflict", "several", "large"])
  func ascii(_ name: String) async throws {
    let text = try await SampleRuns.text(name) { $0.isASCII = true }
    expectGolden(text, "Text/\(name).ascii.txt")
  }

  @Test("Quiet: the verdict and the findings.", arguments: ["conflict", "large"])
  func quiet(_ name: String) async throws {
    expectGolden(try await SampleRuns.text(name) { $0.isQuiet = true }, "Text/\(name).quiet.txt")
  }

  @Test("With clock times.")
  func utc() async throws {
    expectGolden(try await SampleRuns.text("quiet") { $0.clock = .utc }, "Text/quiet.utc.txt")
  }

  @Test("A capture cut short says so in its first line.")
  func cut() async throws {
    let bytes = ScriptedCapture(SampleRuns.conversations["quiet"] ?? []).bytes.dropLast(10)
    let run = try await CaptureRun(Array(bytes), file: "/var/tmp/cut.pcap")
    var style = TextStyle()
    style.width = 80
    let text = try run.report(TextReporter(style, Redaction(isOn: true, salt: [])), file: "/var/tmp/cut.pcap")
    expectGolden(text, "Text/cut.txt")
    #expect(text.hasPrefix("cut.pcap   "))
  }

  @Test(
    "No line is longer than the terminal, and no part of a line is torn from its neighbours.", arguments: names,
    [60, 80, 100])
  func width(_ name: String, _ width: Int) async throws {
    let text = try await SampleRuns.text(name) {
      $0.width = width
      $0.showsLint = true
      $0.timeline = .full
    }
    for line in text.split(separator: "\n") {
      // A word alone may be longer: an address, a command to copy, a filter.
      let words = line.split(separator: " ")
      #expect(line.count <= width || words.count <= 4, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test("The ASCII form has no other byte, whatever the file is called.", arguments: names)
  func onlyASCII(_ name: String) async throws {
    let text = try await SampleRuns.text(name, file: "größe…漢.pcap", isRedacted: false) {
      $0.isASCII = true
      $0.showsLint = true
    }
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("Colours change nothing but colours.", arguments: names)
  func colours(_ name: String) async throws {
    let plain = try await SampleRuns.text(name)
    let colored = try await SampleRuns.text(name) { $0.isColored = true }
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    // Only severities are painted, so only where there are findings to show.
    #expect((colored != plain) == ["conflict", "large", "refused", "several"].contains(name))
  }

  @Test("A small story fits a screen.", arguments: ["quiet", "refused", "conflict"])
  func height(_ name: String) async throws {
    #expect(try await SampleRuns.text(name) { $0.width = 100 }.count { $0 == "\n" } <= 25)
  }
}
