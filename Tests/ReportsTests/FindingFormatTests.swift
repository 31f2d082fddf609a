import Events
import Foundation
import RunSupport
import Support
import Testing

@testable import Reports

/// Documents written by hand, and the formats that are lists of their findings.
enum FindingDocuments {
  static let rules = [
    RuleInfo(
      id: "chunked/te-case", severity: .warning, confidence: .medium, summary: "Not in lower case.",
      explanation: "Say `chunked`, not <Chunked> or *this*.", evidence: "The field [1].", fix: "Write it so.",
      specifications: [Specification("RFC 9112 §7", "https://www.rfc-editor.org/rfc/rfc9112#section-7")],
      since: "0.1"),
    RuleInfo(
      id: "http/early-response", severity: .note, summary: "Answered early.", explanation: "Legal.",
      evidence: "Both.", fix: "Wait.", specifications: [], since: "0.1"),
    RuleInfo(
      id: "tcp/zero-window", severity: .warning, summary: "Did not read.", explanation: "Shut.", evidence: "Window.",
      fix: "Read.", specifications: [], since: "0.1"),
  ]

  static let story = #"""
    {"schema": "streamscope.result/1", "tool": {"name": "streamscope", "version": "0.1.0", "features": []},
     "redaction": {"mode": "default", "counts": {"payload": 0}},
     "capture": {"file": "runs/a b.pcap", "format": "pcap", "packets": 12, "bytes": 1084,
       "firstTime": "2023-11-14T22:13:20.001000000Z", "durationNs": 34000000, "complete": true, "problems": []},
     "summary": {"connections": 1, "exchanges": 1, "findings": {"error": 1, "warning": 0, "note": 0}, "lint": 1},
     "connections": [{"id": 1, "communityId": "1:abc=", "exchanges": [{"id": 1,
       "request": {"method": "POST", "target": "/user/123456/up?q=1"}}]}],
     "findings": [
      {"rule": "http/early-response", "severity": "note", "class": "lint", "confidence": "high",
       "cost": {"kind": "none"}, "connection": 1, "exchange": 1, "direction": "toClient",
       "message": "The answer came early.", "causedBy": "chunked/te-case",
       "evidence": [{"file": "runs/a b.pcap", "packet": 7, "ns": 29000000, "direction": "toClient", "note": "early"}],
       "count": 1, "firstPacket": 7, "lastPacket": 7, "filter": "frame.number in {7}"},
      {"rule": "chunked/te-case", "severity": "error", "class": "diagnosis", "confidence": "medium",
       "cost": {"kind": "failed", "what": "exchange", "count": 1}, "connection": 1, "exchange": 1,
       "direction": "toServer", "message": "The request says \"Chunked\".", "fix": "Server: compare without case.",
       "evidence": [{"packet": 7, "ns": 29000000, "direction": "toClient", "note": "500: the answer"},
        {"packet": 4, "ns": 3000000, "direction": "toServer", "offset": 41, "length": 26,
         "excerpt": "[26 B sha256:12]", "note": "not in lower case"}],
       "count": 2, "firstPacket": 4, "lastPacket": 7, "filter": "frame.number in {4,7}"}]}
    """#

  /// Nothing was in it.
  static let empty = #"""
    {"schema": "streamscope.result/1", "tool": {"name": "streamscope", "version": "0.1.0", "features": []},
     "capture": {"file": "empty.pcap", "format": "pcap", "packets": 0, "bytes": 0, "durationNs": 0, "complete": true,
     "problems": []}, "summary": {"connections": 0, "exchanges": 0, "lint": 0}, "connections": [], "findings": []}
    """#

  /// Cut short; the file itself is at fault, at a place that is known.
  static let cut = #"""
    {"schema": "streamscope.result/1", "tool": {"name": "streamscope", "version": "0.1.0", "features": []},
     "capture": {"file": "/var/cut.pcap", "format": "pcap", "packets": 5, "complete": false, "dropped": 3,
      "problems": ["the capture is cut short at byte 2466, after 5 whole packets"]},
     "summary": {"connections": 1, "exchanges": 0, "lint": 1}, "connections": [], "findingsCut": 2,
     "findings": [{"rule": "capture/truncated", "severity": "note", "class": "lint", "confidence": "high",
      "cost": {"kind": "none"}, "message": "The file breaks off.", "evidence":
      [{"file": "/var/cut.pcap", "packet": 0, "offset": 2466, "note": "whole up to here"}], "count": 1}]}
    """#

  /// Whatever prints, what does not, and what means something in each of the formats.
  static let nasty =
    #"\u001b[2J\u202e \"'<&>]]>`|*_{0} [x](https://evil.example) %0A::error::\n::error::,:\r\u0085\ufffe\uffff\ud83d\ude00 end"#

  static let hostile = #"""
    {"schema": "streamscope.result/1", "tool": {"version": "NASTY"}, "redaction": {"mode": "NASTY"},
     "capture": {"file": "x/NASTY.pcap", "format": "pcap", "packets": 1, "complete": false, "problems": ["NASTY"],
      "limits": ["NASTY"], "firstTime": "NASTY"},
     "summary": {"connections": 1}, "connections": [{"id": 1, "communityId": "NASTY", "exchanges":
      [{"id": 1, "request": {"method": "NASTY", "target": "/NASTY"}}]}],
     "findings": [{"rule": "NASTY", "severity": "error", "class": "diagnosis", "message": "NASTY", "fix": "NASTY",
      "causedBy": "NASTY", "connection": 1, "exchange": 1, "filter": "NASTY", "cost": {"kind": "NASTY"},
      "evidence": [{"packet": 1, "ns": 9223372036854775807, "direction": "NASTY", "note": "NASTY",
       "excerpt": "NASTY"}], "count": 1}]}
    """#.replacing("NASTY", with: nasty)

  /// Nothing is of the type it should be.
  static let broken = #"""
    {"capture": {"file": 1, "packets": -5, "complete": 3, "problems": {"a": 1}, "limits": [1, null], "dropped": -1},
     "summary": {"connections": -1, "exchanges": 99999999999999999999}, "connections": [1, {"id": "x"}, {"id": 1}],
     "connectionsCut": -9223372036854775808, "tool": [],
     "findings": [null, 1, {}, {"rule": 1, "severity": "worst", "evidence": [1, {"packet": -9223372036854775808}],
      "count": -9223372036854775808, "connection": 1, "exchange": 9223372036854775807, "cost": 3}]}
    """#

  static func parse(_ text: String) throws -> DocumentNode { try DocumentParser.parse(Array(text.utf8)) }

  static func write(
    _ format: DocumentFormat, _ documents: [DocumentNode], _ profile: SARIFProfile = .default
  ) throws -> String {
    var context = ConversionContext(version: "0.1.0", rules: rules)
    context.sarifProfile = profile
    var sink = MemorySink()
    try format.write(documents, context, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  static func write(_ format: DocumentFormat, _ text: String, _ profile: SARIFProfile = .default) throws -> String {
    try write(format, [parse(text)], profile)
  }

  /// A document of so many findings of a severity, from the least to the worst.
  static func many(_ counts: [String: Int], file: String = "many.pcap") throws -> DocumentNode {
    let findings = counts.sorted { $0.key < $1.key }.flatMap { severity, count in
      (1...count).map { number in
        """
        {"rule": "tcp/zero-window", "severity": "\(severity)", "class": "diagnosis", "message": "number \(number)",
         "cost": {"kind": "delay", "ns": \(number)}, "evidence": [], "count": 1}
        """
      }
    }
    return try parse(
      """
      {"capture": {"file": "\(file)", "complete": true, "problems": []}, "summary": {"connections": 1},
       "findings": [\(findings.joined(separator: ","))]}
      """)
  }
}

@Suite("Formats of findings")
struct FindingFormatTests {
  static let documents = [
    "story": FindingDocuments.story, "empty": FindingDocuments.empty, "cut": FindingDocuments.cut,
    "hostile": FindingDocuments.hostile,
  ]

  @Test("Each is as reviewed.", arguments: documents.keys.sorted(), [DocumentFormat.sarif, .junit, .github])
  func goldens(_ name: String, _ format: DocumentFormat) throws {
    let text = try FindingDocuments.write(format, Self.documents[name] ?? "")
    expectGolden(text, "Findings/\(name).\(format.rawValue)")
  }

  @Test(
    "A consequence is told with its cause, unless that is of a lower level or another connection.",
    arguments: [("error", 1, 1), ("warning", 1, 2), ("error", 2, 2)])
  func consequences(_ severity: String, _ connection: Int, _ annotations: Int) throws {
    let finding = { (rule: String, severity: String, connection: Int, cause: String) in
      #"{"rule":"\#(rule)","severity":"\#(severity)","class":"diagnosis","message":"said by \#(rule)""#
        + #","connection":\#(connection)\#(cause),"count":1,"evidence":[]}"#
    }
    let cause = finding("tcp/cause", severity, connection, "")
    let consequence = finding("ws/effect", "error", 1, #","causedBy":"tcp/cause""#)
    let text = try FindingDocuments.write(
      .github, #"{"schema":"streamscope.result/1","findings":[\#(consequence),\#(cause)]}"#)
    let found = text.split(separator: "\n").filter { $0.contains("title=tcp/cause") || $0.contains("title=ws/effect") }
    #expect(found.count == annotations)
    #expect(found.contains { $0.contains("And so ws/effect: said by ws/effect") } == (annotations == 1))
  }

  @Test("The summary of a job is as reviewed.", arguments: documents.keys.sorted())
  func summaries(_ name: String) throws {
    let document = try FindingDocuments.parse(Self.documents[name] ?? "")
    expectGolden(GitHubSummary.markdown([document]), "Findings/\(name).md")
  }

  @Test("SARIF for GitHub is as reviewed.", arguments: ["story", "cut"])
  func github(_ name: String) throws {
    let text = try FindingDocuments.write(.sarif, Self.documents[name] ?? "", .github)
    expectGolden(text, "Findings/\(name).github.sarif")
  }

  private static let odd = [
    "hostile": FindingDocuments.hostile, "broken": FindingDocuments.broken, "object": "{}", "array": "[]",
    "null": "null",
  ]

  @Test(
    "Nothing steers or hides, whatever a document holds.", arguments: odd.keys.sorted(),
    [DocumentFormat.sarif, .junit, .github])
  func inert(_ name: String, _ format: DocumentFormat) throws {
    let text = Self.odd[name] ?? ""
    for profile in SARIFProfile.allCases {
      let output = try FindingDocuments.write(format, text, profile)
      #expect(output.unicodeScalars.filter { isForbidden($0) && $0 != "\n" }.isEmpty)
      #expect(!output.unicodeScalars.contains { $0.value == 0xFFFE || $0.value == 0xFFFF } || format != .junit)
    }
    let markdown = GitHubSummary.markdown([try FindingDocuments.parse(text)])
    #expect(markdown.unicodeScalars.filter { isForbidden($0) && $0 != "\n" }.isEmpty)
  }
}

@Suite("SARIF")
struct SARIFTests {
  private func run(_ text: String) throws -> [String: Any] {
    let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    return try #require((log["runs"] as? [[String: Any]])?.first)
  }

  private func results(_ text: String) throws -> [[String: Any]] {
    try #require(try run(text)["results"] as? [[String: Any]])
  }

  private func fingerprints(_ texts: String...) throws -> [String] {
    let text = try FindingDocuments.write(.sarif, texts.map(FindingDocuments.parse))
    return try results(text).compactMap { ($0["partialFingerprints"] as? [String: String])?["primaryLocationLineHash"] }
  }

  @Test("A fingerprint stays through other times, packets, ports, ids and folders, and nothing else.")
  func fingerprint() throws {
    let story = FindingDocuments.story
    let before = try fingerprints(story)
    #expect(Set(before).count == 2)
    let same = [
      ("29000000", "28000000"), ("\"packet\": 4", "\"packet\": 5"), ("123456", "654321"), ("q=1", "q=2"),
      ("runs/a b", "other/a b"), ("The request", "A request"), ("1:abc=", "1:xyz="),
    ]
    for (old, new) in same {
      #expect(try fingerprints(story.replacing(old, with: new)) == before, "\(new)")
    }
    for (old, new) in [("a b.pcap", "b.pcap"), ("POST", "PUT"), ("/up?", "/down?")] {
      let after = try fingerprints(story.replacing(old, with: new))
      #expect(zip(after, before).allSatisfy { $0 != $1 }, "\(new)")
    }
    // Of the same thing twice, the second is distinguished.
    let twice = try fingerprints(story, story)
    #expect(Set(twice).count == 4 && twice.prefix(2) == before[...])
  }

  @Test("An offset is given only where it is one of the file.")
  func offsets() throws {
    let region = { (text: String) in
      let locations = try results(FindingDocuments.write(.sarif, text)).first?["locations"] as? [[String: Any]]
      return (locations?.first?["physicalLocation"] as? [String: Any])?["region"] as? [String: Int]
    }
    #expect(try region(FindingDocuments.cut) == ["byteOffset": 2466, "byteLength": 0])
    #expect(try region(FindingDocuments.cut.replacing("\"pcap\"", with: "\"pcap.gz\"")) == nil)
    #expect(try region(FindingDocuments.cut.replacing("/var/cut.pcap", with: "a.pcap … b.pcap")) == nil)
    #expect(try region(FindingDocuments.story) == nil)
  }

  @Test("For GitHub the worst are kept, and what is cut is said.")
  func limits() throws {
    let document = try FindingDocuments.many(["warning": 6_000, "error": 3])
    let text = try FindingDocuments.write(.sarif, [document], .github)
    let results = try results(text)
    #expect(results.count == 5_000)
    #expect(results.prefix(4).compactMap { $0["level"] as? String } == ["error", "error", "error", "warning"])
    #expect(text.contains("1,003 results left out"))
    #expect(try self.results(FindingDocuments.write(.sarif, [document])).count == 6_003)
  }

  @Test(
    "A path is a URI in which nothing but its slashes has a meaning.",
    arguments: [
      ("a.pcap", "a.pcap"), ("./x/../a b.pcap", "x/../a%20b.pcap"), ("/tmp/ä.pcap", "file:///tmp/%C3%A4.pcap"),
      ("a:b?c#d%20\n.pcap", "a%3Ab%3Fc%23d%2520%0A.pcap"), ("//x/y", "file:///x/y"), ("-", "standard-input"),
      ("", "unknown"),
    ])
  func uri(_ path: String, _ uri: String) {
    #expect(SARIFText.uri(path) == uri)
  }

  @Test("Nothing in a message is a link or a placeholder.")
  func messages() {
    #expect(SARIFText.message("[x](https://a) [b]") == "\\[x\\](https://a) \\[b\\]")
    #expect(SARIFText.message("[64 B] {id}") == "[64 B] {id}")
    #expect(SARIFText.message("{0} {id}") == "{{0}} {{id}}")
    #expect(SARIFText.markdown("a `b*c` *d* <e>") == "a `b*c` \\*d\\* \\<e\\>")
  }
}

@Suite("JUnit XML")
struct JUnitTests {
  @Test("The counts are of what is there.")
  func counts() throws {
    let all = [FindingDocuments.story, FindingDocuments.empty, FindingDocuments.hostile]
    let text = try FindingDocuments.write(.junit, all.map(FindingDocuments.parse))
    for (element, count) in [("testcase", 5 + 5 + 6), ("failure", 2), ("skipped", 1), ("testsuite", 3)] {
      #expect(text.matches(of: try Regex("<\(element)[ >]")).count == count, "\(element)")
    }
    #expect(text.contains("<testsuites name=\"streamscope\" tests=\"16\" failures=\"2\" errors=\"0\">"))
    #expect(text.contains("name=\"empty.pcap\" tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"1\""))
  }

  @Test("A warning fails its rule, a note and lint do not.", arguments: ["error", "warning", "note", "unknown"])
  func failures(_ severity: String) throws {
    let text = try FindingDocuments.write(.junit, [FindingDocuments.many([severity: 120])])
    #expect(text.contains("<failure ") == (severity != "note"))
    #expect(text.contains("and 20 findings more"))
    let lint = try FindingDocuments.write(
      .junit, FindingDocuments.story.replacing("\"diagnosis\"", with: "\"lint\""))
    #expect(!lint.contains("<failure "))
  }

  @Test("Every character that means something is escaped.")
  func escapes() {
    #expect(XMLWriter.escaped("<a b=\"'&]]>") == "&lt;a b=&quot;&apos;&amp;]]&gt;")
    #expect(XMLWriter.escaped("\u{0}\u{B}\n\u{FFFE}\u{FFFF}\u{1F600}") == "\\x00\\x0B\\n\\u{FFFE}\\u{FFFF}\u{1F600}")
  }
}

@Suite("GitHub annotations")
struct GitHubTests {
  @Test("Ten of a level at most: the worst, and how many more there are.", arguments: [9, 10, 11, 40])
  func limit(_ count: Int) throws {
    let text = try FindingDocuments.write(.github, [FindingDocuments.many(["error": count, "warning": count])])
    for level in ["error", "warning"] {
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("::\(level) ") }
      #expect(lines.count == min(count, 10))
      #expect(lines.first?.hasSuffix("::number \(count)") == true)
      let last = lines.last ?? ""
      #expect(count > 10 ? last.contains("\(count - 9) more \(level)s not shown") : last.hasSuffix("::number 1"))
    }
    #expect(text.split(separator: "\n").count { $0.hasPrefix("::notice ") } == 1)
  }

  @Test("Every line is one command, and its data cannot end it.")
  func escapes() throws {
    let command = Annotation(file: "a,b:c%\r\n", title: ":,%", message: "::error::\r\n%0A:,").command("error")
    #expect(command == "::error file=a%2Cb%3Ac%25%0D%0A,title=%3A%2C%25::::error::%0D%0A%250A:,\n")
    let text = try FindingDocuments.write(.github, FindingDocuments.hostile)
    let heads = ["::error ", "::warning ", "::notice "]
    #expect(text.split(separator: "\n").allSatisfy { line in heads.contains { line.hasPrefix($0) } })
  }

  @Test(
    "What is printed gives a build server no command, and addresses stay as they are.",
    arguments: [
      ("::error::x", "\\x3A:error::x"), ("  ::add-mask a=1::x", "  \\x3A:add-mask a=1::x"),
      ("a ##[group]b", "a ##\\x5Bgroup]b"),
      ("##vso[a]", "##vso\\x5Ba]"), ("::1 sends to [::1]:80", "::1 sends to [::1]:80"),
      ("::ffff:10.0.0.1 sends", "::ffff:10.0.0.1 sends"), ("a ::error::", "a ::error::"), ("## a [b]", "## a [b]"),
      ("\u{1B}[31m\n\u{202E}\tx", "\\x1B[31m\n\\u{202E}\tx"),
    ])
  func printed(text: String, expected: String) {
    #expect(String(decoding: EscapedText.lines(text), as: UTF8.self) == expected)
  }

  @Test("In the summary nothing of a capture is Markdown.")
  func summary() throws {
    #expect(GitHubSummary.code("a`b|c\n<x>") == "` a'b¦c\\n<x> `")
    #expect(GitHubSummary.code("  ") == "")
    let many = GitHubSummary.markdown([try FindingDocuments.many(["error": 15, "warning": 15])])
    #expect(many.split(separator: "\n").count { $0.hasPrefix("| error") || $0.hasPrefix("| warning") } == 20)
    #expect(many.contains("\n10 findings more.\n"))
  }
}
