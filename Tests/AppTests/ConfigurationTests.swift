import Foundation
import Testing

@testable import App

@Suite("The configuration of checks")
struct ConfigurationTests {
  /// A server that fails, and a connection that is refused.
  private static let story = #"""
    == 10.0.0.1:1000 10.0.0.9:80
    > SYN
    < SYN ACK
    > ACK
    > "GET /v1/feed HTTP/1.1\r\nHost: One.example:8080\r\n\r\n"
    < "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n"
    > ACK
    > "GET /x" @0
    < ACK
    == 10.0.0.2:1000 10.0.0.9:81 +1s
    > SYN
    < RST ack=0
    """#

  private struct Folder {
    let scratch: Scratch
    let capture: String

    init() throws {
      scratch = try Scratch()
      capture = try scratch.captures(story)
    }

    func write(_ text: String, _ name: String = ".streamscope.json5") throws {
      try scratch.write(text, name)
    }

    func check(_ options: String...) async -> ProgramRun {
      await ProgramRun(["check"] + options + [capture], folder: scratch.path)
    }
  }

  @Test("The nearest file above the working folder holds; --config names another, --isolated none.")
  func nearest() async throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: folder.scratch.file("a/b"), withIntermediateDirectories: true)
    #expect(await folder.check().code == .findings)
    try folder.write("{ignore: ['tcp/']}")
    #expect(await folder.check().code == .success)
    #expect(await ProgramRun(["check", folder.capture], folder: folder.scratch.file("a/b")).code == .success)
    #expect(await folder.check("--isolated").code == .findings)
    try folder.write("{}", "other.json5")
    #expect(await folder.check("--config", folder.scratch.file("other.json5")).code == .findings)
    try folder.write("{failOn: 'never'}", "a/.streamscope.json5")
    let inner = await ProgramRun(["check", folder.capture], folder: folder.scratch.file("a/b"))
    #expect(inner.code == .success && inner.output.contains("tcp/connect-refused"))
  }

  @Test(
    "Rules, severities and levels decide the verdict, and flags win.",
    arguments: [
      ("{}", [], 1), ("{select: ['sse/']}", [], 0), ("{select: ['sse/']}", ["--select", "tcp/"], 1),
      ("{ignore: ['tcp/']}", ["--ignore", "sse/"], 1), ("{failOn: 'never'}", [], 0),
      ("{failOn: 'never'}", ["--fail-on", "warning"], 1), ("{severity: {'tcp/': 'off'}}", [], 0),
      ("{severity: {'tcp/': 'note'}}", [], 0), ("{severity: {'tcp/': 'off', 'tcp/connect-refused': 'warning'}}", [], 1),
      ("{severity: {'tcp/': 'warning', 'tcp/connect-refused': 'off', 'tcp/overlap': 'off'}}", [], 0),
    ] as [(String, [String], Int32)])
  func verdict(_ text: String, _ options: [String], _ code: Int32) async throws {
    let folder = try Folder()
    try folder.write(text)
    let run = await ProgramRun(["check"] + options + [folder.capture], folder: folder.scratch.path)
    #expect(run.code.rawValue == code, "\(run.output)\(run.errors)")
  }

  private static let slow =
    Scripts.hello
    + "> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n+600ms\n"
    + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n> ACK\n"

  @Test("A report takes the thresholds of the file, and nothing else of it.", arguments: [[], ["check"]])
  func thresholdsEverywhere(_ command: [String]) async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Self.slow)
    let isFound = { (options: String...) async -> Bool in
      let run = await ProgramRun(command + ["--json"] + options + [capture], folder: scratch.path)
      return run.output.contains("http/ttfb-slow")
    }
    #expect(await !isFound())
    let thresholds = "thresholds: {'http.first-byte-wait': '500ms', 'http.first-byte-round-trips': 1}"
    let other = try scratch.write("{\(thresholds)}", "other.json5")
    #expect(await isFound("--config", other))
    try scratch.write("{\(thresholds)}", ".streamscope.json5")
    #expect(await isFound())
    #expect(await !isFound("--isolated"))
    try scratch.write("{\(thresholds), ignore: ['http/']}", ".streamscope.json5")
    #expect(await isFound() == command.isEmpty)
  }

  @Test(
    "Every command that reads captures reads the configuration, and its mistakes end it.",
    arguments: [[], ["check"], ["compare"], ["messages"], ["demo"], ["config"]])
  func everyCommand(_ command: [String]) async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Self.slow)
    let count = ["demo": 0, "config": 0, "compare": 2][command.first ?? ""] ?? 1
    let files = Array(repeating: capture, count: count)
    try scratch.write("{thresholds: {'http.first-byte-wait': 'soon'}}", ".streamscope.json5")
    let run = await ProgramRun(command + files, folder: scratch.path)
    #expect(run.code == .failure && run.errors.contains(".streamscope.json5:1"), "\(run.errors)")
    let isolated = await ProgramRun(command + ["--isolated"] + files, folder: scratch.path)
    #expect(isolated.code != .failure, "\(isolated.errors)")
  }

  @Test("A threshold changes what is found, and is printed.")
  func threshold() async throws {
    let scratch = try Scratch()
    let file = try scratch.capture(
      Scripts.hello
        + "> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n+600ms\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n> ACK\n")
    let rules = { (text: String) async throws -> String in
      let configuration = try scratch.write(text, "c.json5")
      return await ProgramRun("check", "--config", configuration, "--select", "http/", file).output
    }
    #expect(try await !rules("{}").contains("http.first-byte-wait"))
    #expect(
      try await rules("{thresholds: {'http.first-byte-wait': '500ms', 'http.first-byte-round-trips': 1}}").contains(
        "http.first-byte-wait 0.500 s"))
  }

  @Test(
    "Ignored findings do not fail, by rule and by what they are about.",
    arguments: [
      ("rule: 'tcp/connect-refused'", true), ("rule: 'tcp/connect-refused', connection: '10.0.0.9:81'", true),
      ("rule: 'tcp/connect-refused', connection: '10.0.0.2'", true),
      ("rule: 'tcp/connect-refused', connection: '10.0.0.*'", true),
      ("rule: 'tcp/connect-refused', connection: '10.0.0.9:80'", false),
      ("rule: 'tcp/connect-refused', host: '*'", false), ("rule: 'tcp/connect-refused', expires: '2999-12-31'", true),
      ("rule: 'tcp/connect-refused', expires: '2020-02-29'", false), ("rule: 'sse/'", false),
    ])
  func ignores(_ entry: String, isIgnored: Bool) async throws {
    let folder = try Folder()
    try folder.write("{ignore: ['tcp/overlap'], ignores: [{\(entry), reason: 'known'}]}")
    let run = await folder.check()
    #expect((run.code == .success) == isIgnored, "\(run.output)")
    #expect(run.output.hasSuffix(isIgnored ? "0 findings, 1 ignored\n" : "1 finding (1 error)\n"), "\(run.output)")
    #expect(run.errors.isEmpty == isIgnored)
    #expect(isIgnored || run.errors.contains("matched nothing") || run.errors.contains("expired on 2020-02-29"))
    #expect(isIgnored || run.errors.contains("warning: .streamscope.json5:1: the ignore of "))
  }

  @Test("Host and path are those of the request, without case and without port or with it.")
  func places() async throws {
    let folder = try Folder()
    for (entry, code) in [
      ("host: 'one.EXAMPLE:8080'", ExitCode.success), ("host: 'one.example'", .success), ("path: '/v1/*'", .success),
      ("host: 'two.example'", .findings), ("path: '/V1/*'", .findings),
    ] {
      try folder.write("{select: ['tcp/overlap-conflict'], ignores: [{rule: 'tcp/', \(entry), reason: 'x'}]}")
      let run = await folder.check()
      #expect(run.code == code, "\(entry): \(run.output)")
    }
  }

  @Test(
    "Mistakes are one line with their place.",
    arguments: [
      ("{", "1:2: the text ends inside"), ("[]", "1:1: the configuration has to be an object"),
      ("{\n selct: []}", "2:2: unknown key 'selct'; did you mean select?"),
      ("{select: 'tcp/'}", "1:10: a list is expected"), ("{select: [1]}", "1:11: text in quotes"),
      ("{ignore: ['tcp/conect-refused']}", "did you mean tcp/connect-refused?"),
      ("{severity: {'tcp/': 'warn'}}", "1:21: one of error, warning, note, off is expected, not 'warn'; did you mean"),
      ("{severity: ['tcp/']}", "1:12: an object"), ("{failOn: 'bad'}", "1:10: one of error, warning"),
      ("{thresholds: {'http.first-byte-wat': '1s'}}", "did you mean http.first-byte-wait?"),
      ("{thresholds: {'http.first-byte-wait': 1}}", "1:39: http.first-byte-wait needs a duration"),
      ("{thresholds: {'http.first-byte-wait': '1MB'}}", "needs a duration"),
      ("{thresholds: {'http.first-byte-round-trips': -1}}", "needs a number"),
      ("{thresholds: {'http.first-byte-round-trips': '99999999999999999999'}}", "needs a number"),
      ("{ignores: [{reason: 'x'}]}", "1:12: an entry of ignores needs a rule"),
      ("{ignores: [{rule: 'tcp/', reason: ' '}]}", "1:12: an entry of ignores needs a reason"),
      ("{ignores: [{rule: 'tcp/', reson: 'x'}]}", "1:27: unknown key 'reson'; did you mean reason?"),
      ("{ignores: [{rule: 'tcp/', reason: 'x', expires: '2026-02-30'}]}", "1:49: expires needs a day"),
      ("{assertions: [1]}", "1:15: text in quotes"),
    ])
  func mistakes(_ text: String, _ says: String) async throws {
    let folder = try Folder()
    try folder.write(text)
    let run = await folder.check()
    run.expectRefusal(saying: says)
    #expect(run.errors.hasPrefix("streamscope: .streamscope.json5:"))
    #expect(run.errors.count { $0 == "\n" } == 1)
  }

  @Test("A file that cannot be read, or is too long, is named.")
  func unreadable() async throws {
    let folder = try Folder()
    let missing = await folder.check("--config", folder.scratch.file("nosuch"))
    #expect(missing.code == .failure && missing.errors.contains("cannot read"))
    try folder.write(String(repeating: " ", count: 1 << 21))
    #expect(await folder.check().errors.contains("longer than"))
  }

  @Test("config prints each value and where it came from.")
  func shown() async throws {
    let folder = try Folder()
    try folder.write(
      """
      {select: ['tcp/', 'sse/'],
       severity: {'tcp/zero-window': 'off'},
       thresholds: {'http.first-byte-wait': '500ms'},
       ignores: [{rule: 'sse/', reason: 'why', expires: '2030-01-01'}],
       assertions: ['min(streams) >= 1']}
      """)
    let run = await ProgramRun(["config", "--ignore", "ws/"], folder: folder.scratch.path)
    #expect(run.code == .success)
    let rows = run.output.split(separator: "\n").map { $0.split(separator: #/\s{3,}/#).map(String.init) }
    for row in [
      ["select", "tcp/, sse/", ".streamscope.json5:1"], ["ignore", "ws/", "--ignore"],
      ["failOn", "warning", "default"],
      ["severity tcp/zero-window", "off", ".streamscope.json5:2"],
      ["thresholds http.first-byte-wait", "0.500 s", ".streamscope.json5:3"],
      ["thresholds http.first-byte-round-trips", "10", "default"],
      ["ignores sse/", "why, until 2030-01-01", ".streamscope.json5:4"],
      ["assertions", "min(streams) >= 1", ".streamscope.json5:5"],
    ] { #expect(rows.contains(row), "\(row)") }
    #expect(await ProgramRun("config", "x").code == .failure)
  }
}

@Suite("Baselines of checks")
struct BaselineTests {
  private static func story(port: Int, packets: Int, wait: String, host: String = "a.example:1234") -> String {
    let feed =
      "== 10.0.0.1:\(port) 10.0.0.9:80\n" + Scripts.hello
      + "> \"GET /v1/feed/\(port) HTTP/1.1\\r\\nHost: \(host)\\r\\n\\r\\n\"\n+\(wait)\n"
      + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: a\\n\\n\"\n> ACK\n> \"GET /x\" @0\n< ACK\n"
    let refused = "== 10.0.0.2:\(port) 10.0.0.9:81 +1s\n> SYN\n< RST ack=0\n"
    let more = (0..<packets).map { "== 10.0.1.\($0):1 10.0.0.9:80\n" + Scripts.quiet }.joined()
    return more + feed + refused
  }

  @Test("What was written down does not fail; what is new does; what is gone is said.")
  func known() async throws {
    let scratch = try Scratch()
    let baseline = scratch.file("known.json")
    let before = try scratch.captures(Self.story(port: 1000, packets: 0, wait: "10ms"))
    let written = await ProgramRun("check", "--write-baseline", baseline, before)
    #expect(written.code == .success)
    #expect(written.output.hasSuffix("; 0 findings, 2 known\n"), "\(written.output)")
    let text = try scratch.text("known.json")
    #expect(text.contains("streamscope.baseline/1") && text.contains("tcp/connect-refused"))
    #expect(text.contains(#""method":"GET","host":"a.example""#), "\(text)")
    #expect(await ProgramRun("check", "--baseline", baseline, before).output == written.output)
    // Other ports, times and packets, the same findings.
    let after = try scratch.captures(Self.story(port: 2000, packets: 3, wait: "700ms", host: "a.example:4321"))
    let same = await ProgramRun("check", "--baseline", baseline, after)
    #expect(same.code == .success, "\(same.output)")
    #expect(same.errors == "")
    // One more of a kind is new.
    let third = try scratch.captures(
      Self.story(port: 2000, packets: 0, wait: "1ms") + "== 10.0.0.3:3 10.0.0.9:81 +2s\n> SYN\n< RST ack=0\n")
    let new = await ProgramRun("check", "--baseline", baseline, third)
    #expect(new.code == .findings)
    #expect(new.output.hasSuffix("; 1 finding (1 error), 2 known\n"), "\(new.output)")
    // Another host is another finding, and the old one is gone.
    let other = try scratch.captures(Self.story(port: 1000, packets: 0, wait: "10ms", host: "b.example"))
    let gone = await ProgramRun("check", "--baseline", baseline, other)
    #expect(gone.code == .findings)
    #expect(gone.errors.contains("known.json: tcp/overlap-conflict GET a.example/v1/feed/"), "\(gone.errors)")
    #expect(gone.errors.contains("no longer occurs"))
  }

  @Test("A baseline is not written of a part, and never replaced by half of one.")
  func unwritten() async throws {
    let scratch = try Scratch()
    let file = try scratch.capture(Scripts.refused)
    let run = await ProgramRun("check", "--write-baseline", scratch.file("k.json"), file, scratch.file("nosuch"))
    #expect(run.code == .failure)
    #expect(run.errors.contains("k.json is not written"))
    #expect(scratch.names == ["capture.pcap"])
  }

  @Test(
    "What is no baseline is wrong usage.",
    arguments: ["", "{}", "[1", #"{"schema":"streamscope.baseline/1","findings":[{}]}"#])
  func wrong(_ text: String) async throws {
    let scratch = try Scratch()
    let file = try scratch.capture(Scripts.refused)
    let run = await ProgramRun("check", "--baseline", try scratch.write(text, "k.json"), file)
    run.expectRefusal(saying: "k.json is not a baseline")
  }
}
