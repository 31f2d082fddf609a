import Citation
import Support
import Testing

@testable import Reassembly

@Suite("Ports on which an earlier connection is still held")
struct ChallengeTests {
  private static let challenge = "> SYN\n+28ms\n< ACK ack=3000000000 seq+70000\n> RST seq+3000000000\n"
  private static let rest = "+3s\n> SYN\n< SYN ACK\n> ACK\n> \"ask\"\n< \"answer\"\n> ACK\n"

  @Test("A challenge ACK and the reset it draws belong to the earlier connection.")
  func challenged() throws {
    let run = ReassemblyRun(WireScript(Self.challenge + Self.rest))
    #expect(run.observed(.challengeAck) == [2])
    #expect(run.observed(.challengeReset) == [3])
    #expect(run.text(.toServer) == "ask")
    #expect(run.text(.toClient) == "answer")
    #expect(run.gaps.isEmpty)
    let connection = try #require(run.connection)
    #expect(connection.closing.kind == .open)
    #expect(connection.handshake.serverNanoseconds == 29_000_000)
    #expect(connection.handshake.challenge?.reset?.number == 3)
  }

  @Test("Every SYN may be answered so, and what the earlier connection had under way is left aside.")
  func again() {
    let stale = "< \"stale\" ack=3000000000 seq+70000 @0\n< FIN ack=3000000000 seq+70005 @0\n"
    let second = "+1s\n> SYN\n< ACK ack=3000000000 seq+70000\n> RST seq+3000000000\n"
    let run = ReassemblyRun(
      WireScript("> SYN\n" + stale + second + "+1s\n> SYN\n< SYN ACK @0\n> ack=0\n< \"fresh\" @0\n> ack=5\n"))
    #expect(run.text(.toClient) == "fresh")
    #expect(run.observed(.challengeAck) == [5])
    #expect(run.connection?.closing.kind == .open)
  }

  @Test(
    "What answers the SYN itself, or comes when both sides agree, is none.",
    arguments: [
      "> SYN\n< SYN ACK !lost\n> ACK !lost\n< \"hello\"\n",
      "> SYN\n< SYN ACK !lost\n> ACK !lost\n> \"ask\" !lost\n< ACK ack=3\n< \"hello\"\n",
      "> SYN\n< SYN ACK !lost\n> ACK\n> \"ask\"\n< ACK ack=3\n< \"hello\"\n",
      "> SYN\n< SYN ACK\n> ACK\n< \"hello\" ack=3000000000\n",
    ])
  func nearMiss(script: String) {
    let run = ReassemblyRun(WireScript(script))
    #expect(run.observed(.challengeAck).isEmpty)
    #expect(run.text(.toClient) == "hello")
  }

  @Test("A reset that the challenge did not ask for ends the attempt.")
  func otherReset() {
    let run = ReassemblyRun(WireScript("> SYN\n< ACK ack=3000000000 seq+70000\n> RST seq+1\n"))
    #expect(run.observed(.challengeReset).isEmpty)
    #expect(run.connection?.closing.kind == .reset)
  }
}
