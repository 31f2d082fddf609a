import Support
import Testing

@testable import App

/// What the program does when it is started again after a fault; Tests/EndToEnd/faults makes it fail.
@Suite("After an internal error")
struct FaultTests {
  private static let ask = #"> "GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n"\#n"#
  private static let answer = #"< "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"\#n"#
  /// Twice the same on a connection: packets 4 to 7 are its requests and responses.
  private static let script = Scripts.hello + ask + answer + ask + answer + "> FIN\n< FIN\n> ACK\n"

  private static func run(_ faults: String, _ arguments: [String] = [], _ scratch: Scratch) async throws -> ProgramRun {
    await ProgramRun(
      ["-o", "ndjson"] + arguments + [try scratch.capture(script)],
      environment: ["LANG": "C.UTF-8", Faults.variable: faults])
  }

  private static func types(_ run: ProgramRun) throws -> [String] {
    try run.lines().compactMap { $0["type"] as? String }.filter { ["exchange", "connection"].contains($0) }
  }

  private static func limits(_ run: ProgramRun) throws -> [String] {
    // The first line has each column, blank.
    (try run.lines().last?["capture"] as? [String: Any])?["limits"] as? [String] ?? []
  }

  @Test("From a packet on nothing of its connection is read, and the report says so: exit code 2.")
  func content() async throws {
    let whole = try await Self.run("", [], Scratch())
    #expect(try Self.types(whole) == ["exchange", "exchange", "connection"])
    let run = try await Self.run("0c6,", [], Scratch())
    #expect(run.code == .failure)
    #expect(try Self.types(run) == ["exchange", "connection"])
    #expect(
      try Self.limits(run) == [
        "the content of one connection was not read from packet 6 on, because of an internal error there; please report it"
      ])
    #expect(try Self.types(await Self.run("0c4,", [], Scratch())) == ["connection"])
  }

  @Test("A connection is left out from its first packet on, whatever the number of tasks.", arguments: ["1", "4"])
  func connection(jobs: String) async throws {
    let run = try await Self.run("0x1,", ["--jobs", jobs], Scratch())
    #expect(run.code == .failure)
    #expect(try Self.types(run) == [])
    #expect(
      try Self.limits(run) == [
        "one connection was left out: the one that began with packet 1, because of an internal error there; please report it"
      ])
  }

  @Test("A packet that is not decoded is one that is missing.")
  func packet() async throws {
    let run = try await Self.run("0p7,", [], Scratch())
    #expect(run.code == .failure)
    #expect(try Self.limits(run).contains { $0.hasPrefix("packet 7 was not decoded") })
  }

  @Test("What concerns another capture, or cannot be read, changes nothing but the exit code.")
  func other() async throws {
    for faults in ["1c6,", "0c", "c6", "0q6", ",,", "0c99999999999999999999", "-1c6"] {
      let run = try await Self.run(faults, [], Scratch())
      #expect(run.code == .failure)
      #expect(try Self.types(run) == ["exchange", "exchange", "connection"], "\(faults)")
      #expect(try Self.limits(run) == [])
    }
  }
}
