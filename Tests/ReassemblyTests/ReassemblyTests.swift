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

  /// The data of both directions in the order of delivery.
  private func deliveries(_ run: ReassemblyRun) -> [UInt64] {
    run.items.compactMap { item in
      if case .data(let delivery) = item { delivery.packet.number } else { nil }
    }
  }

  @Test("what acknowledges bytes that stand behind it waits for them")
  func ahead() {
    let run = ReassemblyRun(
      WireScript(Self.hello + "< \"answer\" ack=3\n< \"more\" ack=3\n> \"ask\" ack=0\n> \"again\" ack=10\n"))
    #expect(deliveries(run) == [6, 4, 5, 7])
    #expect(run.owners.toClient == [4, 4, 4, 4, 4, 4, 5, 5, 5, 5])
    #expect(run.releasers.toClient == [6, 6, 6, 6, 6, 6, 6, 6, 6, 6])
    #expect(run.observed(.aheadOfAcknowledged) == [4, 5])
    #expect(run.gaps.isEmpty)
  }

  @Test("a chain of answers that stand before what they answer comes in its order")
  func chain() {
    let run = ReassemblyRun(
      WireScript(Self.hello + "> \"second\" @5 ack=3\n< \"one\" ack=5\n> \"first\" @0 ack=0\n< \"two\" ack=11\n"))
    #expect(deliveries(run) == [6, 5, 4, 7])
    #expect(run.text(.toServer) == "firstsecond")
    #expect(run.text(.toClient) == "onetwo")
  }

  @Test("what it acknowledges never comes: it is delivered behind the hole, before what answers it")
  func aheadOfHole() {
    let run = ReassemblyRun(
      WireScript(Self.hello + "> \"lost\" !lost\n< \"answer\"\n> \"next\"\n< \"last\"\n"))
    #expect(deliveries(run) == [4, 5, 6])
    #expect(run.releasers.toClient == [4, 4, 4, 4, 4, 4, 6, 6, 6, 6])
    #expect(run.gaps.map(\.range) == [0..<4])
    #expect(run.observed(.aheadOfAcknowledged).isEmpty)
  }

  @Test("the whole answer stands before the SYN")
  func allAhead() {
    let run = ReassemblyRun(
      WireScript("< SYN ACK ack=0\n< \"answer\" ack=3\n< FIN ack=3\n> SYN\n> \"ask\" ack=0\n> FIN\n"))
    #expect(deliveries(run) == [5, 2])
    #expect(run.releasers.toClient == [5, 5, 5, 5, 5, 5])
    #expect(run.gaps.isEmpty)
  }

  @Test("of a side that was never captured nothing is missing, and what answers it is delivered")
  func oneSided() {
    let run = ReassemblyRun(WireScript("< SYN ACK ack=0\n< \"answer\" ack=3\n< \"more\" ack=9\n"))
    #expect(run.owners.toClient == [2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
    #expect(run.releasers.toClient == run.owners.toClient)
    #expect(run.gaps.isEmpty)
  }

  @Test("a FIN that stands behind the one that acknowledges it came first")
  func finAhead() {
    let behind = ReassemblyRun(WireScript(Self.hello + "< FIN ack=1\n> FIN ack=0\n< ACK\n"))
    #expect(behind.connection?.closing.by == .toServer)
    #expect(behind.connection?.closing.packet?.number == 5)
    #expect(behind.connection?.closing.isByBoth == false)
    let crossing = ReassemblyRun(WireScript(Self.hello + "< FIN ack=0\n> FIN ack=0\n< ACK\n> ACK\n"))
    #expect(crossing.connection?.closing.isByBoth == true)
    // The acknowledgement of the second is ahead of it; the FINs crossed all the same.
    let acknowledged = ReassemblyRun(WireScript(Self.hello + "< FIN ack=0\n< ACK ack=1\n> FIN ack=0\n> ACK\n"))
    #expect(acknowledged.connection?.closing.isByBoth == true)
  }

  @Test("packets of which each acknowledges the other are delivered all the same")
  func circle() {
    let run = ReassemblyRun(WireScript(Self.hello + "< \"egg\" ack=3\n> \"hen\" ack=3\n+1s\n< ACK\n> ACK\n"))
    #expect(run.text(.toServer) == "hen")
    #expect(run.text(.toClient) == "egg")
    #expect(run.gaps.isEmpty)
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
