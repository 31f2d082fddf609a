import Citation
import Foundation
import Support
import Testing

@testable import App

@Suite("Checking")
struct CheckTests {
  private static let ask = Scripts.hello + "> \"GET /v1/feed HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
  /// An event stream that goes on.
  static let stream =
    ask + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: a\\n\\n\"\n> ACK\n"
  static let whole =
    ask
    + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n> ACK\n> FIN\n< FIN\n> ACK\n"

  @Test("Where all is well, one line says what was checked.")
  func well() async throws {
    let scratch = try Scratch()
    let file = try scratch.capture(Self.stream)
    let run = await ProgramRun("check", file)
    #expect(run.code == .success)
    #expect(run.output == "1 capture, 1 connection, 1 stream, 6 packets; 0 findings\n")
    #expect(run.errors == "")
    let two = await ProgramRun("check", file, file)
    #expect(two.output == "2 captures, 2 connections, 2 streams, 12 packets; 0 findings\n")
    #expect(await ProgramRun("check", "-q", file).output == "")
  }

  @Test("What was found is reported by capture, and fails from a warning on.")
  func found() async throws {
    let scratch = try Scratch()
    let good = try scratch.capture(Self.stream, "good.pcap")
    let bad = try scratch.capture(Scripts.refused, "bad.pcap")
    let run = await ProgramRun("check", good, bad)
    #expect(run.code == .findings)
    #expect(run.output.hasPrefix("bad.pcap\n\nERROR tcp/connect-refused   cost: the connection"), "\(run.output)")
    #expect(!run.output.contains("good.pcap"))
    #expect(
      run.output.hasSuffix("2 captures, 2 connections, 1 stream, 8 packets; 2 findings (1 error, 1 warning)\n"),
      "\(run.output)")
    #expect(await ProgramRun("check", "--ignore", "tcp/,capture/", bad).code == .success)
    #expect(await ProgramRun("check", "--select", "sse/", good, bad).code == .success)
  }

  /// Both sides of a proxy that keeps an event stream until its end.
  private static let held: String = {
    let ask = Scripts.hello + "> \"GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n"
    let head = "HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nContent-Length: 54\\r\\n\\r\\n"
    let events = (1...6).map { "data: \($0)\\n\\n" }
    let paced = events.map { "< \"\($0)\"\n> ACK\n+300ms\n" }.joined()
    return "== 10.0.0.1:40000 10.0.0.2:80\n\(ask)+1900ms\n< \"\(head)\(events.joined())\"\n> ACK\n"
      + "== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n\(ask)< \"\(head)\"\n\(paced)"
  }()

  @Test("One fault is one finding: what both hops prove is the cause of what one of them suggests.")
  func oneFault() async throws {
    let scratch = try Scratch()
    let file = try scratch.captures(Self.held)
    let run = await ProgramRun("check", file)
    #expect(run.output.contains("\nWARNING proxy/hop-joined"), "\(run.output)")
    #expect(run.output.contains("and so sse/buffered: GET /s → 200: 6 events came in one packet"), "\(run.output)")
    #expect(!run.output.contains("cannot distinguish"))
    #expect(run.output.hasSuffix("; 1 finding (1 warning), 3 that follow from it\n"), "\(run.output)")
    // Alone it is not hidden behind a cause that was not asked for.
    let alone = await ProgramRun("check", "--only", "sse/buffered", file)
    #expect(alone.output.hasSuffix("; 1 finding (1 warning)\n"), "\(alone.output)")
    #expect(alone.output.contains("\nWARNING sse/buffered"))
    let ignored = await ProgramRun("check", "--ignore", "proxy/", file)
    #expect(ignored.output.contains("\nWARNING sse/buffered"), "\(ignored.output)")
    #expect(ignored.output.hasSuffix("; 1 finding (1 warning), 2 that follow from it\n"), "\(ignored.output)")
  }

  @Test("Of an endpoint that fails on many connections, all of them are counted.")
  func failingEndpoint() async throws {
    let answer = "< \"HTTP/1.1 503 Busy\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n> ACK\n> FIN\n< FIN\n> ACK\n"
    let script = (0..<9).map { number in
      "== 10.0.0.1:\(40_000 + number) 10.0.0.2:80 +\(number)ms\n" + Scripts.hello
        + "> \"GET /\(number < 3 ? "a" : "b") HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n" + answer
    }
    let scratch = try Scratch()
    let run = await ProgramRun(try scratch.captures(script.joined()))
    for words in [
      "Answered with errors, or not at all: 9 × 503.", "1 cause affected 9 of 9 connections", "GET /a, 1 more",
      "GET /b → 503: 6 requests to this endpoint",
    ] {
      #expect(run.output.contains(words), "\(words): \(run.output)")
    }
  }

  @Test(
    "--fail-on says from where on.",
    arguments: [
      ([], Scripts.refused, 1), (["--fail-on", "error"], Scripts.refused, 1),
      (["--fail-on", "never"], Scripts.refused, 0),
      (["--fail-on", "error"], "", 0), ([], "", 1),
      (["--fail-on", "empty"], "", 1), (["--fail-on", "empty", "--ignore", "capture/"], "", 1),
      (["--ignore", "capture/"], "", 0), ([], whole, 0), (["--fail-on", "note"], whole, 1),
      (["--fail-on", "empty"], stream, 0), (["--fail-on", "incomplete"], stream, 0),
      (["--fail-on", "incomplete", "--ignore", "capture/"], Scripts.hole, 1),
      (["--fail-on", "incomplete"], Scripts.refused, 1),
    ] as [([String], String, Int32)])
  func level(_ options: [String], _ script: String, _ code: Int32) async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["check"] + options + [try scratch.capture(script)])
    #expect(run.code.rawValue == code, "\(run.output)")
  }

  @Test(
    "A run that left packets unread is incomplete; with room for all of them it is not.",
    arguments: [("64M", 1), ("256M", 0)] as [(String, Int32)])
  func unread(_ memory: String, _ code: Int32) async throws {
    let scratch = try Scratch()
    var frames: [CapturedFrame] = []
    for round in 0..<3 {
      for stream in 0..<6_000 {
        let client = Endpoint(address: IPAddress(v4: 0x0A02_0000 | UInt32(stream)), port: 40_000)
        let packet = PacketBuilder(
          from: client, to: "10.0.0.2:80", flags: round == 0 ? .syn : [.ack, .psh],
          sequence: round == 0 ? 1_000 : 1_000 + UInt32(round), payload: round == 0 ? "" : "x")
        frames.append(CapturedFrame(time: Int64(1 + frames.count) * 10_000, bytes: packet.frame))
      }
    }
    let file = try scratch.write(CapturedFrame.file(frames), "many.pcap")
    let run = await ProgramRun("check", "--fail-on", "incomplete", "--ignore", "capture/", "--memory", memory, file)
    #expect(run.code.rawValue == code, "\(run.output)")
    #expect(run.output.contains("packets not read after that") == (code == 1), "\(run.output)")
  }

  @Test("Lint fails where its rule is selected, and is not reported elsewhere.")
  func lint() async throws {
    let scratch = try Scratch()
    let file = try scratch.capture(Scripts.hole + "")
    let plain = await ProgramRun("check", "--ignore", "capture/nothing", file)
    #expect(plain.code == .success)
    #expect(!plain.output.contains("capture/missing-bytes"))
    let selected = await ProgramRun("check", "--select", "capture/missing-bytes", file)
    #expect(selected.code == .findings)
    #expect(selected.output.contains("WARNING capture/missing-bytes"))
    #expect(await ProgramRun("check", "--select", "capture/missing", "--fail-on", "error", file).code == .success)
  }

  @Test("A capture without streams is a finding; with whole messages alone, a note.")
  func nothing() async throws {
    let scratch = try Scratch()
    let empty = await ProgramRun("check", try scratch.capture("", "empty.pcap"))
    #expect(empty.code == .findings)
    #expect(empty.output.contains("WARNING capture/nothing-to-check") && empty.output.contains("holds no packets"))
    let messages = await ProgramRun("check", try scratch.capture(Self.whole))
    #expect(messages.code == .success)
    #expect(messages.output.contains("No stream in 1 exchange"))
    #expect(messages.output.hasSuffix("; 1 finding (1 note)\n"))
    // A report says so by itself.
    #expect(await !ProgramRun("--lint", scratch.file("empty.pcap")).output.contains("nothing-to-check"))
  }

  @Test("A capture that lacks something says what was not checked.")
  func unchecked() async throws {
    let scratch = try Scratch()
    let hole = await ProgramRun("check", "--ignore", "capture/", try scratch.capture(Scripts.hole))
    #expect(hole.output.hasPrefix("capture.pcap\n  Not checked: 4 B on 1 connection are not in the capture;"))
    let cut = await ProgramRun("check", "--ignore", "capture/", try scratch.capture(Self.stream, dropLast: 5))
    #expect(cut.output.contains("Not checked: Everything after 5 packets"))
    #expect(cut.code == .success)
  }

  @Test("What cannot be read is named, the rest is checked, and the exit code is 2.", arguments: [true, false])
  func unreadable(isFirst: Bool) async throws {
    let scratch = try Scratch()
    let missing = scratch.file("nosuch.pcap")
    let bad = try scratch.capture(Scripts.refused, "bad.pcap")
    let files = isFirst ? [missing, bad] : [bad, missing]
    let run = await ProgramRun(["check"] + files)
    #expect(run.code == .failure)
    #expect(run.errors.hasPrefix("streamscope: \(missing): cannot be opened"))
    #expect(run.output.contains("tcp/connect-refused"))
    #expect(run.output.contains("2 packets, 1 file not readable; 2 findings"))
    let json = await ProgramRun(["check", "--json"] + files)
    let documents = (try json.document() as? [[String: Any]] ?? []).compactMap { $0["capture"] as? [String: Any] }
    #expect(documents.map { $0["error"] != nil } == [isFirst, !isFirst])
    let none = await ProgramRun("check", "-o", "json=\(scratch.file("out.json"))", missing)
    #expect(none.code == .failure)
    #expect(scratch.names == ["bad.pcap"])
  }

  @Test("Formats are those of a report.", arguments: ["json", "ndjson", "sarif", "junit", "github", "html", "har"])
  func formats(_ format: String) async throws {
    let scratch = try Scratch()
    let bad = try scratch.capture(Scripts.refused, "bad.pcap")
    let run = await ProgramRun("check", "-o", format, "-o", "text=\(scratch.file("out.txt"))", bad)
    #expect(run.code == .findings)
    #expect(!run.output.isEmpty)
    #expect(try scratch.text("out.txt").hasSuffix("2 findings (1 error, 1 warning)\n"))
  }
}

@Suite("Assertions of a check")
struct CheckAssertionTests {
  @Test("What passes is counted, what fails is reported and ends with 1, and what cannot be decided is said.")
  func verdicts() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.quiet)
    let arguments = ["check", "--isolated", "--fail-on", "error"]
    let passed = await ProgramRun(arguments + ["--assert", "count(connections) == 1", capture])
    #expect(passed.code == .success && passed.output.contains("; 1 assertion, all passed\n"))
    let failed = await ProgramRun(arguments + ["--assert", "count(connections) == 2", capture])
    #expect(failed.code == .findings && failed.output.contains("; 1 assertion, 1 failed\n"))
    #expect(failed.output.contains("FAILED        count(connections) == 2\n"))
    let unsure = await ProgramRun(arguments + ["--assert", "p99(http.wait) < 1s", capture])
    #expect(unsure.code == .success && unsure.output.contains("; 1 assertion, 1 inconclusive\n"))
  }

  @Test("Those of the configuration count, too, and a mistake in one is shown with its line.")
  func configured() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.quiet)
    let file = try scratch.write("{\n  assertions: ['count(connections) == 2'],\n}\n", "checks.json5")
    let run = await ProgramRun("check", "--config", file, "--fail-on", "error", capture)
    #expect(run.code == .findings && run.output.contains("; 1 assertion, 1 failed\n"))
    try scratch.write("{\n  assertions: ['count(conections) == 2'],\n}\n", "checks.json5")
    let wrong = await ProgramRun("check", "--config", file, capture)
    #expect(wrong.code == .failure && wrong.errors.contains("checks.json5:2"))
  }
}
