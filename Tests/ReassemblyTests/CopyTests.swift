import Citation
import Support
import Testing

@testable import Reassembly

@Suite("Packets that were recorded more than once")
struct CopyTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var script: String
    /// Packets that are copies, and those that are not what was sent again.
    var copies: UInt64
    var syns = 1
    var retransmitted: UInt64 = 0
  }

  private static let hello = "> SYN id=1\n< SYN ACK id=900\n> ACK id=2\n"

  @Test(
    "Copies are told from what was sent again.",
    arguments: [
      Case(
        testDescription: "every packet at two hops",
        script: """
          > SYN id=1
          > SYN id=1 ttl=63
          < SYN ACK ttl=60
          < SYN ACK ttl=59 now
          > ACK id=2
          > ACK id=2 ttl=63
          > "ask" id=3
          > "ask" @0 id=3 ttl=63
          < FIN id=7
          < FIN id=7 ttl=63

          """, copies: 4),
      Case(
        testDescription: "the SYN before its answer at one interface and after it at the other",
        script: "> SYN id=1\n< SYN ACK id=9\n> SYN id=1 ttl=63\n< SYN ACK id=9 ttl=63\n> ACK\n", copies: 2),
      Case(
        testDescription: "a hop whose recording was joined with a delay",
        script: "> SYN id=1\n+3s\n> SYN id=1 ttl=63\n< SYN ACK\n> ACK\n", copies: 1),
      Case(
        testDescription: "a part of the capture is there twice",
        script: hello + "> \"ask\" id=3\n< \"answer\" id=901\n> ACK\n+5s\n> \"more\" id=4\n< ACK\n+-5008ms\n"
          + "> SYN @0 id=1\n< SYN ACK @0 id=900\n> ACK id=2 ack=0\n> \"ask\" @0 id=3\n< \"answer\" @0 id=901\n",
        copies: 4),
      Case(
        testDescription: "the same without identifications",
        script:
          "> SYN\n< SYN ACK\n> ACK\n> \"ask\"\n< \"answer\"\n+-5ms\n> SYN @0\n< SYN ACK @0\n> ACK ack=0\n> \"ask\" @0\n< \"answer\" @0\n",
        copies: 4),
      Case(
        testDescription: "a segment that was split on the other side of a router",
        script: hello + "> len=2816 id=3\n> len=1408 @0 id=3 ttl=63 now\n> len=1408 @1408 id=4 ttl=63 now\n",
        copies: 2),
      Case(
        testDescription: "segments that were joined",
        script: hello + "> len=1408 id=3\n> len=1408 id=4\n> len=2816 @0 id=3 ttl=63 now\n", copies: 1),
      Case(
        testDescription: "the same without identifications",
        script: hello + "> len=2816\n> len=1408 @0 ttl=63 now\n> len=1408 @1408 ttl=63 now\n", copies: 2),
      Case(
        testDescription: "near miss: the second half of a segment sent again",
        script: hello + "> len=2816 id=3\n+300ms\n> len=1408 @1408 id=5\n", copies: 0, retransmitted: 1_408),
      Case(
        testDescription: "near miss: the same right behind it, from the same place",
        script: hello + "> len=2816 id=3\n+20ms\n> len=1408 @1408 id=4\n", copies: 0, retransmitted: 1_408),
      Case(
        testDescription: "near miss: a probe for the end of a segment that no network card splits so",
        script: hello + "> len=32768 id=3\n+20ms\n> len=512 @32256 id=5 ttl=63\n", copies: 0, retransmitted: 512),
      Case(
        testDescription: "near miss: the first half, with the identification of the second one",
        script: hello + "> len=2816 id=3\n+300ms\n> len=1408 @0 id=4\n", copies: 0, retransmitted: 1_408),
      Case(
        testDescription: "near miss: a SYN sent again a second later",
        script: "> SYN id=1\n+1s\n> SYN id=2\n< SYN ACK\n> ACK\n", copies: 0, syns: 2),
      Case(
        testDescription: "near miss: a SYN sent again with the same identification",
        script: "> SYN id=1\n+1s\n> SYN id=1\n< SYN ACK\n> ACK\n", copies: 0, syns: 2),
      Case(
        testDescription: "near miss: the same without identification",
        script: "> SYN\n+1s\n> SYN\n< SYN ACK\n> ACK\n", copies: 0, syns: 2),
      Case(
        testDescription: "near miss: data sent again",
        script: hello + "> \"ask\" id=3\n+300ms\n> \"ask\" @0 id=4\n< ACK\n", copies: 0, retransmitted: 3),
      Case(
        testDescription: "near miss: sent again, and stamped a little before the packet in front of it",
        script: hello + "> \"ask\" id=3\n+300ms\n< ACK ack=0\n+-2ms\n> \"ask\" @0 id=4\n< ACK\n", copies: 0,
        retransmitted: 3),
    ])
  func told(_ row: Case) throws {
    let script = WireScript(row.script)
    #expect(script.problems.isEmpty)
    let run = ReassemblyRun(script)
    let connection = try #require(run.connection)
    #expect(run.table.connections.count == 1)
    #expect(connection.half.toServer.counters.duplicates + connection.half.toClient.counters.duplicates == row.copies)
    #expect(connection.handshake.synCount == row.syns)
    #expect(connection.half.toServer.counters.retransmittedBytes == row.retransmitted)
    #expect(connection.half.toClient.counters.retransmittedBytes == 0)
    #expect(run.observed(.dataAfterReset).isEmpty)
  }

  @Test("SYNs of a flow that nobody answers are counted without their copies.")
  func halfOpen() {
    var run = ReassemblyRun(WireScript("> SYN id=1\n> SYN id=1 ttl=63\n+1s\n> SYN id=2\n> SYN id=2 ttl=63\n"))
    run.promoteHalfOpen()
    #expect(run.connection?.handshake.synCount == 2)
    #expect(run.connection?.half.toServer.counters.duplicates == 2)
  }
}
