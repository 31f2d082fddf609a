import Citation
import Support
import Testing

@testable import Reassembly

@Suite("What TCP itself shows")
struct ObservationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var script: String
    /// Marked packets that must show it, and nothing else may.
    var kind: TCPObservation.Kind
    /// Whether the first marked packet is one that must stay silent.
    var isNearMiss = false
  }

  private static let hello = "> SYN\n< SYN ACK\n> ACK\n"

  static let cases: [Case] = [
    Case(
      testDescription: "three duplicate ACKs, then the bytes again: fast",
      script: "> \"aaaa\" !lost\n> \"bbbb\"\n< ack=0\n< ack=0\n< ack=0\n> \"bbbb\" @4\n> \"aaaa\" @0\n",
      kind: .duplicateAck),
    Case(
      testDescription: "sent again 300 ms later, not acknowledged: the timer",
      script: "> \"data\"\n+300ms\n> \"data\" @0 ①\n< ACK\n", kind: .retransmissionTimeout),
    Case(
      testDescription: "sent again 20 ms later: no timer",
      script: "> \"data\"\n+20ms\n> \"data\" @0 ①\n< ACK\n", kind: .retransmissionTimeout, isNearMiss: true),
    Case(
      testDescription: "sent again though acknowledged",
      script: "> \"data\"\n< ACK\n> \"data\" @0 ①\n", kind: .retransmissionSpurious),
    Case(
      testDescription: "the same packet twice is no retransmission",
      script: "> \"data\" id=77\n> \"data\" @0 id=77 ①\n", kind: .duplicatePacket),
    Case(
      testDescription: "a retransmission that was captured twice is one",
      script: "> \"data\" id=77\n+300ms\n> \"data\" @0 id=78\n> \"data\" @0 id=78 ①\n", kind: .duplicatePacket),
    Case(
      testDescription: "another packet with the same bytes is no duplicate",
      script: "> \"data\" id=77\n> \"data\" @0 id=78 ①\n", kind: .duplicatePacket, isNearMiss: true),
    Case(
      testDescription: "an older IP identification: overtaken on the way",
      script: "> \"a\" id=10\n> \"cc\" @3 id=12\n> \"bb\" @1 id=11 ①\n", kind: .outOfOrder),
    Case(
      testDescription: "a newer IP identification: sent again",
      script: "> \"a\" id=10\n> \"cc\" @3 id=12\n> \"bb\" @1 id=13 ①\n", kind: .retransmissionOfUnseen),
    Case(testDescription: "the window shut", script: "> \"data\"\n< ACK win=0 ①\n", kind: .zeroWindow),
    Case(
      testDescription: "the window open again", script: "> \"data\"\n< ACK win=0\n< ACK win=900 ①\n",
      kind: .windowUpdate),
    Case(
      testDescription: "an empty segment below the next number: keep-alive",
      script: "> \"data\"\n< ACK\n+30s\n> ACK seq-1 ①\n< ACK\n", kind: .keepAlive),
    Case(
      testDescription: "the same towards a shut window is a probe",
      script: "> \"data\"\n< ACK win=0\n+1s\n> ACK seq-1 ①\n< ACK win=0\n", kind: .zeroWindowProbe),
    Case(
      testDescription: "one garbage byte below the next number is a keep-alive",
      script: "> \"data\"\n< ACK\n+30s\n> x\"00\" @3 ①\n< ACK\n", kind: .keepAlive),
    Case(
      testDescription: "one byte that was not acknowledged yet is sent for its own sake",
      script: "> \"d\"\n+300ms\n> \"d\" @0 ①\n", kind: .keepAlive, isNearMiss: true),
    Case(testDescription: "a RST at the right number", script: "> \"data\"\n< RST ①\n", kind: .reset),
    Case(
      testDescription: "a RST far outside the window", script: "> \"data\"\n< RST seq+10000000 ①\n",
      kind: .resetOutOfWindow),
    Case(
      testDescription: "a RST inside the window", script: "> \"data\"\n< RST seq+100 ①\n", kind: .resetOutOfWindow,
      isNearMiss: true),
    Case(testDescription: "a FIN with data", script: "> \"data\" FIN ①\n< ACK\n", kind: .fin),
    Case(testDescription: "data after the reset", script: "> \"data\"\n< RST\n> \"more\" ①\n", kind: .dataAfterReset),
    Case(testDescription: "data after its own FIN", script: "> FIN\n> \"more\" ①\n", kind: .dataAfterFin),
  ]

  @Test("a packet is called what it is", arguments: cases)
  func named(_ row: Case) {
    let script = WireScript(Self.hello + row.script)
    #expect(script.problems.isEmpty)
    let run = ReassemblyRun(script)
    guard let marked = script.markers[1] else {
      #expect(!run.observed(row.kind).isEmpty)
      return
    }
    #expect(run.observed(row.kind) == (row.isNearMiss ? [] : [marked]))
  }

  @Test("an out-of-window RST leaves the connection open, and its data flows on")
  func resetIgnored() {
    let run = ReassemblyRun(WireScript(Self.hello + "> RST seq+10000000\n> \"GET /good\"\n< ACK\n"))
    #expect(run.text(.toServer) == "GET /good")
    #expect(run.connection?.closing.kind == .open)
  }

  @Test("a RST that answers the SYN is a refusal")
  func refused() {
    let run = ReassemblyRun(WireScript("> SYN\n< RST ack=0\n"))
    #expect(run.observed(.refused) == [2])
    #expect(run.connection?.closing.by == .toClient)
  }

  @Test("the handshake's round trip is split at the capture point")
  func roundTrip() {
    let run = ReassemblyRun(WireScript("> SYN\n+19ms\n< SYN ACK\n> ACK\n"))
    #expect(run.connection?.handshake.serverNanoseconds == 20_000_000)
    #expect(run.connection?.handshake.clientNanoseconds == 1_000_000)
  }

  @Test("a repeated SYN has no round trip, because nobody knows which one was answered")
  func karn() {
    let run = ReassemblyRun(WireScript("> SYN\n+1s\n> SYN\n< SYN ACK\n> ACK\n"))
    #expect(run.connection?.handshake.serverNanoseconds == nil)
    #expect(run.connection?.handshake.synCount == 2)
  }

  @Test("a conflict after delivery is found, with both packets")
  func conflictAfterDelivery() {
    let run = ReassemblyRun(WireScript(Self.hello + "> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n"))
    #expect(run.text(.toServer) == "GET /good")
    #expect(run.conflicts.map(\.range) == [5..<9])
    #expect(run.conflicts.first?.first.number == 4)
    #expect(run.conflicts.first?.second.number == 5)
    #expect(run.conflicts.first.map { String(decoding: $0.firstBytes.bytes, as: UTF8.self) } == "good")
  }
}
