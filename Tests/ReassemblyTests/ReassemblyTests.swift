import Citation
import Support
import Testing

@testable import Reassembly

@Suite("Reassembly")
struct ReassemblyTests {
  private static let hello = """
    > SYN
    < SYN ACK
    > ACK

    """

  @Test("bytes in order cite the packet that brought them")
  func inOrder() {
    let run = ReassemblyRun(WireScript(Self.hello + "> \"one\"\n< \"two\"\n> \"three\"\n"))
    #expect(run.text(.toServer) == "onethree")
    #expect(run.text(.toClient) == "two")
    #expect(run.owners.toServer == [4, 4, 4, 6, 6, 6, 6, 6])
    #expect(run.gaps.isEmpty)
  }

  @Test("a segment that waited cites its own packet and the one that released it")
  func outOfOrder() {
    let run = ReassemblyRun(WireScript(Self.hello + "> \"abc\"\n> \"ghi\" @6\n> \"cde\" @2\n> \"efgX\" @4\n"))
    #expect(run.text(.toServer) == "abcdefghi")
    #expect(run.owners.toServer == [4, 4, 4, 6, 6, 7, 5, 5, 5])
    #expect(run.releasers.toServer == [4, 4, 4, 6, 6, 7, 7, 7, 7])
    // The first copy of byte 6 was in the waiting segment; "X" differs from its "h".
    #expect(run.conflicts.map(\.range) == [7..<8])
    #expect(run.conflicts.first?.first.number == 5)
    #expect(run.conflicts.first?.second.number == 7)
  }

  @Test(
    "a sequence number that wraps is one stream", arguments: [UInt32.max - 12, UInt32.max - 4, UInt32.max - 1, .max])
  func wrap(origin: UInt32) {
    let text = Self.hello + "> \"before\"\n> \"behind\" @12\n> \"middle\" @6\n> FIN\n"
    let run = ReassemblyRun(WireScript(text, origins: BothDirections(toServer: origin, toClient: 5)))
    #expect(run.text(.toServer) == "beforemiddlebehind")
    #expect(run.ends.first?.0 == .fin)
  }

  @Test("data in the SYN is byte 0")
  func fastOpen() {
    let run = ReassemblyRun(WireScript("> SYN \"GET /\"\n< SYN ACK \"200\"\n> ACK\n> \" HTTP\"\n"))
    #expect(run.text(.toServer) == "GET / HTTP")
    #expect(run.text(.toClient) == "200")
    #expect(run.observed(.synData) == [1])
  }

  @Test("bytes that were acknowledged and never captured are a hole, and nothing is joined across it")
  func hole() {
    let script = WireScript(
      Self.hello + "> \"GET /good \"\n> \"lost here\" !lost\n< ACK ①\n> \"behind\"\n< ACK\n")
    let run = ReassemblyRun(script)
    #expect(run.bytes.toServer == Array("GET /good behind".utf8))
    #expect(
      run.gaps == [
        SequenceGap(
          10..<19, .notCaptured, PacketRef(number: script.markers[1] ?? 0, time: run.gaps.first?.packet.time ?? .zero),
          before: run.gaps.first?.before)
      ])
    #expect(run.connection?.half.toServer.counters.missingBytes == 9)
  }

  @Test("an acknowledgement that was captured before its data makes no hole")
  func acknowledgedEarly() {
    let run = ReassemblyRun(WireScript(Self.hello + "> \"first\"\n< ack=10\n> \"later\" @5\n< ACK\n"))
    #expect(run.text(.toServer) == "firstlater")
    #expect(run.gaps.isEmpty)
  }

  @Test("a lone acknowledged number at the end is a FIN that was not captured, not a byte")
  func lostFin() {
    let run = ReassemblyRun(WireScript(Self.hello + "> \"all\"\n> FIN !lost\n< ACK\n"))
    #expect(run.gaps.isEmpty)
  }

  @Test("what the snapshot length cut is a hole of its own kind")
  func snaplen() {
    let run = ReassemblyRun(WireScript(Self.hello + "> \"captured\" wire=20\n> \"next\"\n"))
    #expect(run.text(.toServer) == "capturednext")
    #expect(run.gaps.map(\.cause) == [.snaplen])
    #expect(run.gaps.map(\.range) == [8..<20])
  }

  @Test("too much behind a hole gives the hole up, and says so")
  func holdLimit() {
    var limits = ReassemblyLimits()
    limits.heldBytes = 100
    let run = ReassemblyRun(
      WireScript(Self.hello + "> len=10\n> len=60 @20\n> len=60 @80\n> len=10 @10\n"), limits: limits, finishes: false)
    #expect(run.gaps.map(\.cause) == [.holdLimit])
    #expect(run.gaps.map(\.range) == [10..<20])
    #expect(run.bytes.toServer.count == 130)
  }

  @Test("as much as passes in a timer's 200 ms on a fast path waits behind a hole")
  func holdMuch() {
    let waiting = (1...2_500).map { "> len=1400 @\(10 + $0 * 1_400)\n" }.joined()
    let run = ReassemblyRun(WireScript(Self.hello + "> len=10\n" + waiting + "> len=1400 @10\n"), finishes: false)
    #expect(run.gaps.isEmpty)
    #expect(run.bytes.toServer.count == 10 + 2_501 * 1_400)
  }

  @Test("what waits is given in order, whatever the order in which it came, and while some of it is taken off")
  func holdAnyOrder() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<50 {
      let order = (0..<40).shuffled(using: &random)
      let script = order.map { "> \"\(Character(UnicodeScalar(UInt8(48 + $0))))\" @\($0)\n" }.joined()
      let run = ReassemblyRun(WireScript(Self.hello + script), finishes: false)
      #expect(run.text(.toServer) == String((0..<40).map { Character(UnicodeScalar(UInt8(48 + $0))) }))
    }
  }

  @Test("a stream joined in the middle begins where the other side's acknowledgement says")
  func midstream() {
    let run = ReassemblyRun(WireScript("< ack=100\n> \"later\" @105\n> \"first\" @100\n"))
    #expect(run.text(.toServer) == "firstlater")
    #expect(run.connection?.isMidstream == true)
  }

  @Test("a SYN that was captured after the first data belongs to the same connection")
  func lateSyn() {
    let run = ReassemblyRun(WireScript("< SYN ACK\n> \"GET\"\n> SYN @0\n> \" /\"\n"))
    #expect(run.text(.toServer) == "GET /")
    #expect(run.connection?.isMidstream == false)
    #expect(run.table.connections.count == 1)
  }
}
