import Engine
import Events
import RunSupport
import Support
import Synchronization
import Testing

@testable import Reports

@Suite("Documents")
struct DocumentTests {
  static let names = ["conflict", "none", "several", "troubled"]

  @Test("JSON is as reviewed.", arguments: names)
  func json(_ name: String) async throws {
    let run = try await SampleRuns.run(name, digesting)
    expectGolden(
      try run.report(JSONReporter(Redaction(isOn: true, salt: [1])), file: "\(name).pcap"), "JSON/\(name).json")
  }

  @Test("Connections that are written side by side, the last of them first, make the same document.")
  func sideBySide() async throws {
    let run = try await SampleRuns.run("large", digesting)
    let redaction = Redaction(isOn: true, salt: [1])
    let groups = Mutex<[Int]>([])
    let reporter = JSONReporter(redaction) { count, text in
      groups.withLock { $0.append(count) }
      return (0..<count).reversed().map(text).reversed()
    }
    #expect(try run.report(reporter) == run.report(JSONReporter(redaction)))
    #expect(groups.withLock(\.self) == [32, 28])
  }

  @Test("NDJSON is as reviewed, an object a line.", arguments: names)
  func ndjson(_ name: String) async throws {
    let run = try await SampleRuns.run(name)
    let text = try run.report(NDJSONReporter(Redaction(isOn: true, salt: [1])), file: "\(name).pcap")
    expectGolden(text, "JSON/\(name).ndjson")
    #expect(text.split(separator: "\n").allSatisfy { $0.first == "{" && $0.last == "}" })
    #expect(text.last == "\n")
  }

  @Test("The tree that other formats are made from is what reading the document gives.", arguments: names)
  func tree(_ name: String) async throws {
    let run = try await SampleRuns.run(name, digesting)
    let reporter = JSONReporter(Redaction(isOn: true, salt: [1]))
    let written = try run.report(reporter, file: "\(name).pcap")
    var again = reporter
    var info = RunInfo(version: "0.0.0", features: ["libpcap"], file: "\(name).pcap")
    info.origin = run.origin
    again.begin(info)
    for item in run.items { again.keep(item) }
    #expect(again.document(run.summary) == (try DocumentParser.parse(Array(written.utf8))))
  }

  private var digesting: PipelineOptions {
    var options = PipelineOptions()
    options.digests = true
    return options
  }
}

@Suite("Hostile captures")
struct HostileTests {
  /// Payload and file names of controls, C1, bidirectional marks, separators and broken UTF-8.
  private static let payload = #"x"1b5b324a9b316d c29b e280ae e2808f e280a8 efbbbf ff fe 00 07 0d0a 7f f3a08081""#

  @Test("No byte of a capture steers a terminal, in any format.", arguments: [true, false], [true, false])
  func escapes(isRedacted: Bool, isASCII: Bool) async throws {
    let script = SampleRuns.hello + "> \(Self.payload)\n> \(Self.payload.replacing("1b", with: "1c")) @0\n< ACK\n"
    let name = "a\u{1B}[2J\u{9B}1m\u{202E}\u{200F}\u{2028}\u{FEFF}\r\n\u{7F}.pcap"
    let run = try await CaptureRun(ScriptedCapture(script).bytes, file: name)
    #expect(run.findings.count == 1)
    let redaction = Redaction(isOn: isRedacted, salt: [])
    var style = TextStyle()
    style.isASCII = isASCII
    let outputs = [
      try run.report(TextReporter(style, redaction), file: name),
      try run.report(JSONReporter(redaction), file: name),
      try run.report(NDJSONReporter(redaction), file: name),
    ]
    for text in outputs {
      #expect(text.unicodeScalars.filter { isForbidden($0) && $0 != "\n" }.isEmpty)
    }
  }

  @Test("With redaction no format holds payload.")
  func redacted() async throws {
    let run = try await SampleRuns.run("conflict")
    let check = { (redaction: Redaction) in
      [
        try run.report(TextReporter(TextStyle(), redaction)), try run.report(JSONReporter(redaction)),
        try run.report(NDJSONReporter(redaction)),
      ]
    }
    for text in try check(Redaction(isOn: true, salt: [1])) {
      #expect(!text.contains("evil") && !text.contains("good") && !text.contains("hunter"))
      #expect(text.contains("sha256:"))
    }
    // The check would see it: without redaction it is there.
    for text in try check(Redaction(isOn: false, salt: [1])) { #expect(text.contains("evil")) }
  }
}
