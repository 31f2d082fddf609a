import Foundation
import Support
import Testing

@testable import App

@Suite("Comparing two captures")
struct CompareTests {
  private static func sample(_ name: String) throws -> String {
    try #require(TextFile.read("\(SampleTests.root)/compare/\(name).wire"))
  }

  /// In front of a proxy, and behind it.
  private static func points(_ scratch: Scratch) throws -> [String] {
    [
      try scratch.captures(sample("at-client"), "at-client.pcap"),
      try scratch.captures(sample("at-server"), "at-server.pcap"),
    ]
  }

  private static func get(_ answer: String, wait: String = "10ms", target: String = "/v1/feed") -> String {
    Scripts.hello + "> \"GET \(target) HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n+\(wait)\n< \"\(answer)\"\n> ACK\n"
  }
  private static let well = "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi"
  private static let failed = "HTTP/1.1 500 No\\r\\nContent-Length: 2\\r\\n\\r\\nno"

  /// Two runs, of which the second is a hundred seconds later.
  private static func runs(_ a: String, _ b: String, _ scratch: Scratch) throws -> [String] {
    [
      try scratch.captures("== 10.0.0.1:40000 10.0.0.2:80\n\(a)", "a.pcap"),
      try scratch.captures("== 10.0.0.1:40001 10.0.0.2:80 +100s\n\(b)", "b.pcap"),
    ]
  }

  @Test("The same traffic in front of a proxy and behind it is reported on one screen.")
  func text() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["compare"] + (try Self.points(scratch)))
    #expect(run.code == .success)
    #expect(run.errors == "")
    let difference = Golden.difference(run.output, from: "Text/compare.txt")
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("Calls of one endpoint that are late alike are one finding of the text, and each one of the document.")
  func alike() async throws {
    let scratch = try Scratch()
    let calls = { (waits: [String], other: String) in
      Scripts.hello
        + (waits.map { ("/v1/feed", $0) } + [("/v1/other", other)]).map { target, wait in
          "> \"GET \(target) HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n+\(wait)\n< \"\(Self.well)\"\n> ACK\n"
        }.joined()
    }
    let files = try Self.runs(
      calls(["10ms", "10ms", "10ms"], "10ms"), calls(["300ms", "500ms", "400ms"], "350ms"), scratch)
    let run = await ProgramRun(["compare"] + files)
    let lines = run.output.split(separator: "\n").filter { $0.contains("proxy/capture-diff ") }
    #expect(lines.count == 2, "\(run.output)")
    #expect(lines.first?.contains("cost: 0.490 s   worse in B   #1   3 times") == true, "\(lines)")
    #expect(lines.last?.contains("times") == false)
    let document = try await ProgramRun(["compare", "--json"] + files).result()
    #expect((document["findings"] as? [Any])?.count == 4)
  }

  @Test("A capture is identical to itself, in every format, and nothing is found.", arguments: SampleTests.names)
  func itself(_ name: String) async throws {
    let scratch = try Scratch()
    let text = try #require(TextFile.read("\(SampleTests.root)/\(name).wire"))
    let file = try scratch.captures(text)
    let run = await ProgramRun("compare", "--json", "--fail-on", "note", file, file)
    #expect(run.code == .success)
    let verdict = try #require(try run.result()["verdict"] as? [String: Any])
    #expect(verdict["identical"] as? Bool == true, "\(run.output)")
    #expect((try run.result()["findings"] as? [Any])?.isEmpty == true)
  }

  @Test(
    "--fail-on fails where B is worse, and not where it is better.",
    arguments: [
      (well, failed, ["--fail-on", "error"], 1), (failed, well, ["--fail-on", "error"], 0), (well, failed, [], 0),
      (well, well, ["--fail-on", "note"], 0), (failed, well, ["--as", "points", "--fail-on", "error"], 1),
    ] as [(String, String, [String], Int32)])
  func level(_ a: String, _ b: String, _ options: [String], _ code: Int32) async throws {
    let scratch = try Scratch()
    let files = try Self.runs(Self.get(a), Self.get(b), scratch)
    let run = await ProgramRun(["compare"] + options + files)
    #expect(run.code.rawValue == code, "\(run.output)")
  }

  @Test(
    "What a rule found in the second run alone fails, in the exit code and in JUnit; in the first alone it does not.")
  func alone() async throws {
    let refused = "== 10.0.0.1:40002 10.0.0.9:81 +101s\n> SYN\n< RST ack=0\n"
    let scratch = try Scratch()
    let files = try Self.runs(Self.get(Self.well), Self.get(Self.well) + refused, scratch)
    let worse = await ProgramRun(["compare", "--fail-on", "error", "-o", "junit"] + files)
    #expect(worse.code == .findings)
    #expect(worse.output.contains("<failure type=\"error\" message=\"found in B alone: 1 rule\""), "\(worse.output)")
    #expect(worse.output.contains("error tcp/connect-refused: 1"))
    let better = await ProgramRun(["compare", "--fail-on", "error", "-o", "junit", files[1], files[0]])
    #expect(better.code == .success)
    #expect(!better.output.contains("<failure"), "\(better.output)")
  }

  @Test("Of two runs, the fix is that of the fault which the failing one has alone.")
  func knownFix() async throws {
    func post(_ coding: String, _ answer: String) -> String {
      Scripts.hello
        + "> \"POST /v1/feed HTTP/1.1\\r\\nHost: a.example\\r\\nTransfer-Encoding: \(coding)\\r\\n\\r\\n\"\n"
        + "> \"2\\r\\nhi\\r\\n0\\r\\n\\r\\n\"\n+10ms\n< \"\(answer)\"\n> ACK\n"
    }
    let scratch = try Scratch()
    let told = await ProgramRun(
      ["compare"]
        + (try Self.runs(
          post("chunked", Self.well), post("Chunked", "HTTP/1.1 501 No\\r\\nContent-Length: 0\\r\\n\\r\\n"), scratch)))
    #expect(told.output.contains("(chunked/te-case, found in B alone.)"), "\(told.output)")
    // Nothing but the answer says that it failed: what was asked differently is still the thing to try.
    let other = await ProgramRun(
      ["compare"]
        + (try Self.runs(
          Self.get(Self.well), Self.get(Self.failed).replacing("Host:", with: "X-New: 1\\r\\nHost:"), scratch)))
    #expect(other.output.contains("removed one by one, the smallest first."), "\(other.output)")
    #expect(!other.output.contains("found in B alone.)"), "\(other.output)")
  }

  @Test("What has no partner is listed, and captures of nothing alike say so.")
  func unmatched() async throws {
    let scratch = try Scratch()
    let files = try Self.runs(
      Self.get(Self.well), Self.get(Self.well) + "> \"DELETE /v1/feed HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n",
      scratch)
    let run = await ProgramRun(["compare"] + files)
    #expect(run.output.contains("1 exchange matched: 1 identical, 1 only in B."), "\(run.output)")
    #expect(run.output.contains("only in B:\n    #1 DELETE /v1/feed → no response\n"), "\(run.output)")
    let empty = try scratch.captures("", "empty.pcap")
    let nothing = await ProgramRun("compare", "--fail-on", "empty", files[0], empty)
    #expect(nothing.output.contains("The two captures have nothing in common."))
    #expect(nothing.code == .findings)
  }

  @Test("Two captures are taken, and formats that can hold them.")
  func usage() async throws {
    let scratch = try Scratch()
    let file = try scratch.captures(Self.sample("at-client"))
    await ProgramRun("compare", file).expectRefusal(saying: "two captures")
    await ProgramRun("compare", "--as", "twins", file, file).expectRefusal(saying: "twins")
    await ProgramRun("compare", "-o", "har", file, file).expectRefusal(saying: "text, json, html, sarif, junit")
    await ProgramRun("compare", file, scratch.file("none.pcap")).expectRefusal(saying: "none.pcap")
    await ProgramRun("compare", "-", "-").expectRefusal(saying: "only once")
  }

  @Test("A saved comparison becomes the same as one made at once.", arguments: ["html", "sarif", "junit"])
  func conversion(_ format: String) async throws {
    let scratch = try Scratch()
    let files = try Self.points(scratch)
    let saved = scratch.file("compared.json")
    let direct = await ProgramRun(["compare", "-o", format, "-o", "json=\(saved)"] + files)
    #expect(direct.code == .success)
    let converted = await ProgramRun("convert", "-o", format, saved)
    #expect(converted.output == direct.output)
    #expect(direct.output.contains("at-server.pcap") && direct.output.contains("buffered"))
    await ProgramRun("convert", "-o", "har", saved).expectRefusal(saying: "a comparison")
    let result = scratch.file("result.json")
    _ = await ProgramRun("-o", "json=\(result)", files[0])
    await ProgramRun("convert", "-o", format, saved, result).expectRefusal(saying: "together")
  }

  @Test(
    "Secrets stand in no format, and whether they are the same is told.",
    arguments: ["text", "json", "html", "sarif", "junit"])
  func secrets(_ format: String) async throws {
    let scratch = try Scratch()
    let ask = { (token: String) in
      Self.get(Self.failed, target: "/v1/feed?token=query\(token)").replacing(
        "Host: a.example",
        with: "Host: a.example\\r\\nAuthorization: Bearer bearer\(token)\\r\\nCookie: id=cookie\(token)")
    }
    let files = try Self.runs(ask("hunter2"), ask("hunter3").replacing("500 No", with: "200 OK"), scratch)
    let run = await ProgramRun(["compare", "--lint", "-o", format] + files)
    #expect(run.code == .success)
    for secret in ["hunter2", "hunter3"] { #expect(!run.output.contains(secret), "\(run.output)") }
    #expect(run.output.contains("Authorization"), "\(run.output)")
    if format == "json" {
      let shown = await ProgramRun(["compare", "--json", "--no-redact"] + files)
      #expect(shown.output.contains("bearerhunter2") && shown.output.contains("bearerhunter3"))
    }
  }

  @Test("JUnit fails a case by what is worse in B.")
  func junit() async throws {
    let scratch = try Scratch()
    let worse = await ProgramRun(
      ["compare", "-o", "junit"] + (try Self.runs(Self.get(Self.well), Self.get(Self.failed), scratch)))
    #expect(worse.output.contains("tests=\"3\" failures=\"1\""), "\(worse.output)")
    let better = await ProgramRun(
      ["compare", "-o", "junit"] + (try Self.runs(Self.get(Self.failed), Self.get(Self.well), scratch)))
    #expect(better.output.contains("tests=\"3\" failures=\"0\""), "\(better.output)")
    #expect(better.output.contains("500 in A, 200 in B"))
  }

  @Test("SARIF points into both captures.")
  func sarif() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["compare", "-o", "sarif"] + (try Self.points(scratch)))
    let log = try #require(try run.result()["runs"] as? [[String: Any]])[0]
    let artifacts = try #require(log["artifacts"] as? [Any])
    #expect(artifacts.count == 2)
    let result = try #require((log["results"] as? [[String: Any]])?.first)
    let flow = try #require((result["codeFlows"] as? [[String: Any]])?.first?["threadFlows"] as? [[String: Any]])
    let steps = try #require(flow.first?["locations"] as? [[String: Any]])
    let indices = steps.compactMap { step -> Int? in
      let place = (step["location"] as? [String: Any])?["physicalLocation"] as? [String: Any]
      return (place?["artifactLocation"] as? [String: Any])?["index"] as? Int
    }
    #expect(Set(indices) == [0, 1] && indices.count == steps.count)
  }

  @Test("The page runs no script, fetches nothing, and shows each piece on two lanes.")
  func page() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["compare", "-o", "html"] + (try Self.points(scratch)))
    #expect(!run.output.contains("<script"))
    #expect(run.output.contains("default-src &#39;none&#39;; style-src"), "\(run.output.prefix(600))")
    #expect(run.output.split(separator: "class=\"held\"").count - 1 == 5)
    #expect(run.output.contains("the longest took 0.909 s"))
  }
}
