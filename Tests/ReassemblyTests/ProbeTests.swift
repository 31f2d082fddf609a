import Citation
import Support
import Testing

@testable import Reassembly

@Suite("Probes of one byte")
struct ProbeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var script: String
    var text: String
    var probes: Int
    var holes = 0
  }

  private static let hello = "> SYN\n< SYN ACK\n> ACK\n"

  @Test(
    "A keep-alive's byte is no part of the stream, and what is one byte of it stays.",
    arguments: [
      Case(
        testDescription: "before the first request",
        script: hello + "+9s\n> x\"00\" seq-1 @0\n< ACK\n> \"GET /\" @0\n< ACK\n",
        text: "GET /", probes: 1),
      Case(
        testDescription: "as the first packet that was captured",
        script: "> x\"00\" @9\n< ack=10\n+10s\n> x\"00\" @9\n< ack=10\n> \"GET /\" @10\n< ack=15\n", text: "GET /",
        probes: 2),
      Case(
        testDescription: "without a byte, as the first packet that was captured",
        script: "> ACK seq-1 @10\n< ack=10\n+10s\n> \"GET /\" @10\n< ack=15\n", text: "GET /", probes: 0),
      Case(
        testDescription: "behind an acknowledgement that told where the stream is",
        script: "< ack=10\n> x\"00\" @9\n< ack=10\n> \"GET /\" @10\n< ack=15\n", text: "GET /", probes: 1),
      Case(
        testDescription: "in mid-stream, below bytes of which the last is repeated with another value",
        script: hello + "> \"abc\"\n< ACK\n> \"def\"\n< ACK\n> PSH \"X\" @2\n< ACK\n> \"ghi\" @6\n< ACK\n",
        text: "abcdefghi",
        probes: 1),
      Case(
        testDescription: "below what was acknowledged and not captured",
        script: hello + "> \"abc\"\n> \"def\" !lost\n< ACK\n> x\"00\" @5\n< ACK\n> \"ghi\" @6\n< ACK\n", text: "abcghi",
        probes: 1, holes: 1),
      Case(
        testDescription: "near miss: a typed byte is pushed",
        script: "> PSH \"a\" @9\n< ack=10\n> PSH \"b\" @10\n< ack=11\n",
        text: "ab", probes: 0),
      Case(
        testDescription: "near miss: one byte of a stream", script: hello + "> \"a\"\n< ACK\n> \"b\"\n< ACK\n",
        text: "ab",
        probes: 0),
      Case(
        testDescription: "near miss: a lost byte that comes late",
        script: hello + "> \"ab\"\n> \"c\" !lost\n> \"de\"\n> \"c\" @2\n< ACK\n", text: "abcde", probes: 0),
    ])
  func named(_ row: Case) {
    let script = WireScript(row.script)
    #expect(script.problems.isEmpty)
    let run = ReassemblyRun(script)
    #expect(run.text(.toServer) == row.text)
    #expect(run.observed(.keepAlive).count == row.probes)
    #expect(run.conflicts.isEmpty)
    #expect(run.gaps.count == row.holes)
  }

  @Test("A byte that differs from one that nobody has acknowledged yet is a conflict.")
  func conflict() {
    let run = ReassemblyRun(WireScript(Self.hello + "> \"abc\"\n> PSH \"X\" @1\n< ACK\n"))
    #expect(run.conflicts.map(\.range) == [1..<2])
    #expect(run.observed(.keepAlive).isEmpty)
  }
}
