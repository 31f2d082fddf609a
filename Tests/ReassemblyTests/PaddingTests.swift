import Citation
import Support
import Testing

@testable import Reassembly

@Suite("Padding that the IP length counts in")
struct PaddingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var script: String
    var toServer = ""
    var toClient = ""
    var gaps = 0
  }

  private static let hello = "> SYN\n< SYN ACK\n> ACK x\"0000\"\n"
  /// Zeros that move no sequence number of the script.
  private static let six = "x\"000000000000\""

  @Test(
    "Zeros behind an ACK are padding unless somebody counts them.",
    arguments: [
      Case(
        testDescription: "two and six bytes, and the next data has the same numbers",
        script: hello + "> \"ask\" @0\n< \(six)\n< \"answer\" @0\n> ack=6 x\"0000\"\n> \"again\" @3\n< ack=8\n",
        toServer: "askagain",
        toClient: "answer"),
      Case(
        testDescription: "below the first byte",
        script: hello + "> \"ask\" @0\n< \(six) @0 seq-1\n< \"answer\" @0\n> ack=6\n", toServer: "ask",
        toClient: "answer"),
      Case(
        testDescription: "until the end of the capture", script: hello + "> \"ask\" @0\n< \(six)\n", toServer: "ask"),
      Case(
        testDescription: "behind a FIN, which stands before them",
        script: hello + "> \"ask\" @0\n< \"no\"\n< FIN \(six) @2\n> ack=3\n", toServer: "ask", toClient: "no"),
      Case(
        testDescription: "near miss: the other side acknowledges them",
        script: hello + "> \"ask\" @0\n< \"a\"\n< x\"0000\"\n> ack=3\n< \"b\"\n> ack=4\n", toServer: "ask",
        toClient: "a\0\0b"),
      Case(
        testDescription: "near miss: their sender counts them",
        script: hello + "> \"ask\" @0\n< \"a\"\n< x\"0000\"\n< \"b\"\n> ack=4\n", toServer: "ask", toClient: "a\0\0b"),
      Case(
        testDescription: "near miss: they are pushed",
        script: hello + "> \"ask\" @0\n< PSH x\"0000\"\n", toServer: "ask", toClient: "\0\0"),
      Case(
        testDescription: "near miss: three are not what a short frame is padded with",
        script: hello + "> \"ask\" @0\n< x\"000000\"\n", toServer: "ask", toClient: "\0\0\0"),
      Case(
        testDescription: "near miss: they are not zeros", script: hello + "> \"ask\" @0\n< \"no\"\n", toServer: "ask",
        toClient: "no"),
    ])
  func told(_ row: Case) {
    let script = WireScript(row.script)
    #expect(script.problems.isEmpty)
    let run = ReassemblyRun(script)
    #expect(run.text(.toServer) == row.toServer)
    #expect(run.text(.toClient) == row.toClient)
    #expect(run.conflicts.isEmpty)
    #expect(run.gaps.isEmpty)
    #expect(run.connection?.half.toClient.counters.retransmittedBytes == 0)
  }

  @Test("Bytes that were kept cite their own packet, and the one that showed what they are.")
  func cited() {
    let run = ReassemblyRun(WireScript(Self.hello + "< x\"0000\"\n> ack=2\n"))
    #expect(run.owners.toClient == [4, 4])
    #expect(run.releasers.toClient == [5, 5])
  }
}
