import Citation
import Events
import RunSupport
import Support
import Testing

/// Why a stream was silent, from the packets of whole conversations.
@Suite("Silences")
struct SilenceTests {
  private static let head =
    "> SYN\n+10ms\n< SYN ACK\n> ACK\n> \"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\"\n+10ms\n"
    + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 4000\\r\\n\\r\\n\" len=100\n> ACK\n"
  /// Where the body goes on after the first part of it: 17 + 22 + 2 bytes of head.
  private static let next = 141

  /// `first` is said of the packet with the response's head, too.
  private func parts(_ script: String, first: String = "") async throws -> [StreamPause] {
    let head = Self.head.dropLast("\n> ACK\n".count) + " \(first)\n> ACK\n"
    let run = try await CaptureRun(ScriptedCapture(WireFile(head + script).conversations))
    return try #require(run.exchanges.first?.response).stalls
  }

  @Test("All was acknowledged and the window open: the server had nothing to send.")
  func idle() async throws {
    let parts = try await parts("+2s\n< len=100\n> ACK\n")
    #expect(parts.map(\.cause) == [.senderIdle])
    #expect(parts.first?.proof.count == 3)
    #expect(parts.first?.confidence == .high)
  }

  @Test(
    "A client of TLS that leaves without an answer was not idle; a server that closes after its answer may have been.")
  func unread() async throws {
    let hello = TLSWire.message(1, TLSWire.clientHello()).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
    let opening = "> SYN\n+10ms\n< SYN ACK\n> ACK\n> x\"\(hello)\"\n< ACK\n"
    func silence(_ rest: String, _ direction: Direction) async throws -> Int64 {
      let run = try await CaptureRun(ScriptedCapture(WireFile(opening + rest).conversations))
      return try #require(run.connections.first).sides[direction].silence.total
    }
    #expect(try await silence("+5s\n> FIN\n< FIN\n", .toServer) == 0)
    #expect(try await silence("< x\"15030300020228\"\n> ACK\n+5s\n< FIN\n> FIN\n", .toClient) > 4_000_000_000)
  }

  @Test("Less than half a second is how networks are.")
  func short() async throws {
    #expect(try await parts("+450ms\n< len=100\n> ACK\n").isEmpty)
    #expect(try await parts("+550ms\n< len=100\n> ACK\n").count == 1)
  }

  @Test("A loss is told apart from the silence after it.")
  func loss() async throws {
    let parts = try await parts(
      "< len=100\n+1s\n< len=100 @\(Self.next)\n+10ms\n> ACK\n+3s\n< len=100\n> ACK\n")
    #expect(parts.map(\.cause) == [.retransmission, .senderIdle])
    #expect(parts.first?.resent == .retransmissionTimeout)
    #expect((parts.first?.nanoseconds ?? 0) / 1_000_000 == 1_012)
    #expect((parts.last?.nanoseconds ?? 0) / 1_000_000 == 3_001)
  }

  @Test("A hole that is filled late counts from what waited behind it.")
  func hole() async throws {
    let parts = try await parts(
      "+1s\n< len=100 !lost\n< len=100\n> ACK ack=\(Self.next)\n+1500ms\n< len=100 @\(Self.next)\n> ACK\n")
    #expect(parts.map(\.cause) == [.senderIdle, .retransmission])
  }

  @Test("A shut window is the receiver's.")
  func window() async throws {
    let parts = try await parts("< len=100\n> ACK win=0\n+2s\n> ACK win=9000\n< len=100\n> ACK\n")
    #expect(parts.map(\.cause) == [.zeroWindow])
  }

  @Test("What follows an acknowledgement at once had waited for it.")
  func inFlight() async throws {
    let parts = try await parts("< len=100\n+2s\n> ACK\n< len=100\n> ACK\n")
    #expect(parts.map(\.cause) == [.congestionLimited])
  }

  @Test("Packets that the sender counted and nobody saw were held on their way.")
  func held() async throws {
    let counted = (1...6).map { "< len=100 id=\(500 + $0)\n> ACK\n" }.joined()
    #expect(
      try await parts(counted + "+2s\n< len=100 id=510\n> ACK\n", first: "id=500").map(\.cause) == [.heldUpstream])
    #expect(try await parts(counted + "+2s\n< len=100 id=507\n> ACK\n", first: "id=500").map(\.cause) == [.senderIdle])
    #expect(try await parts(counted + "+2s\n< len=100 id=9000\n> ACK\n", first: "id=500").map(\.cause) == [.senderIdle])
  }

  @Test("Between two exchanges nobody is silent.")
  func between() async throws {
    let run = try await CaptureRun(
      ScriptedCapture(
        WireFile(Self.head + "< len=3900\n> ACK\n+5s\n> \"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\"\n").conversations
      ).bytes)
    #expect(run.connections.first?.sides.toServer.silence.isEmpty == true)
    #expect(run.connections.first?.sides.toClient.silence.isEmpty == true)
  }

  @Test("Of what nobody understands, every pause has a cause.")
  func opaque() async throws {
    let run = try await CaptureRun(
      ScriptedCapture(
        WireFile("> SYN\n< SYN ACK\n> ACK\n> x\"160301\" len=40\n< x\"160303\" len=90\n> ACK\n+3s\n< len=50\n> ACK\n")
          .conversations
      ).bytes)
    let sums = try #require(run.connections.first).sides.toClient.silence
    #expect(sums.causes.map(\.cause) == [.senderIdle])
    #expect(sums.total / 1_000_000 == 3_002)
  }
}
