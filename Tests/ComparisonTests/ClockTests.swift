import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("The clock of one capture on that of the other")
struct ClockTests {
  /// An exchange every `pause` milliseconds.
  private static func conversation(_ count: Int, pause: Int) -> Conversation {
    let line = "+20ms\n> \"\(Talk.request())\"\n+20ms\n< \"\(Talk.answer())\"\n+\(pause)ms\n"
    return Conversation("> SYN\n+20ms\n< SYN ACK\n+20ms\n> ACK\n" + String(repeating: line, count: count))
  }

  /// As it was somewhere else: so much nearer to the server, on a clock with an offset and a drift of so many nanoseconds
  /// a second.
  private static func moved(
    _ conversation: Conversation, by offset: Int64, delay: Int64 = 0, drift: Int64 = 0
  ) -> [UInt8] {
    let packets = conversation.script.packets
    let begin = packets[0].nanoseconds
    return CapturedFrame.file(
      zip(packets, conversation.frames).map { packet, frame in
        var frame = frame
        let passed = packet.nanoseconds - begin
        frame.time += offset + (packet.direction == .toServer ? delay : -delay) + passed / 1_000_000 * drift / 1_000
        return frame
      })
  }

  private static func alignment(
    _ conversation: Conversation, by offset: Int64, delay: Int64 = 0, drift: Int64 = 0
  ) async throws -> (CaptureRelation, ClockAlignment) {
    let run = try await ComparisonRun(
      CapturedFrame.file(conversation.frames), moved(conversation, by: offset, delay: delay, drift: drift))
    #expect(run.record.isIdentical)
    return (run.record.relation, try #require(run.record.clock))
  }

  @Test(
    "Without a way between them the offset is exact, and no side is nearer.", arguments: [0, 3_600_500_000_000, -7])
  func offset(_ offset: Int64) async throws {
    let (relation, clock) = try await Self.alignment(Self.conversation(3, pause: 10), by: offset)
    #expect(relation.outer == nil)
    #expect((clock.offset, clock.least, clock.most) == (offset, offset, offset))
    #expect(clock.drift == nil && !clock.isMiddle)
  }

  @Test("A way between them bounds the offset, and tells who is nearer to the client.", arguments: [CompareSide.a, .b])
  func bounds(_ outer: CompareSide) async throws {
    let delay: Int64 = outer == .a ? 3_000_000 : -3_000_000
    let (relation, clock) = try await Self.alignment(Self.conversation(3, pause: 10), by: 5_000_000_000, delay: delay)
    #expect(relation.outer == outer)
    #expect((clock.least, clock.most) == (4_997_000_000, 5_003_000_000))
    #expect(clock.offset == 5_000_000_000 && clock.isMiddle && clock.uncertainty == 3_000_000)
    // Clocks that may show the same are taken to.
    let (_, near) = try await Self.alignment(Self.conversation(3, pause: 10), by: 2_999_999, delay: delay)
    #expect(near.offset == 0 && !near.isMiddle)
  }

  @Test("The body that a proxy compresses begins with bytes of the proxy, before there are any of the server.")
  func compressed() async throws {
    let fields = ["Content-Type: text/plain", "Transfer-Encoding: chunked"]
    let plain = Talk.answer("200 OK", fields, body: "")
    let coded = Talk.answer("200 OK", fields + ["Content-Encoding: gzip"], body: "")
    let inner = Talk.connection(
      Place.behind, "> \"\(Talk.request())\"\n+50ms\n< \"\(plain)\"\n+300ms\n< \"5\\r\\nhello\\r\\n0\\r\\n\\r\\n\"")
    let outer = Talk.connection(
      Place.front,
      """
      > "\(Talk.request())"
      +53ms
      < "\(coded)a\\r\\n" x"1f8b0800000000000003" "\\r\\n"
      +300ms
      < "12\\r\\n" x"010500faff68656c6c6f86a6103605000000" "\\r\\n0\\r\\n\\r\\n"
      """)
    let relation = try await ComparisonRun(outer, inner).record.relation
    #expect(relation.kind == .points && relation.outer == .a)
    #expect(try await ComparisonRun(inner, outer).record.relation.outer == .b)
  }

  @Test("A drift is found where the captures last, and the offset is that of the beginning.")
  func drift() async throws {
    let (_, clock) = try await Self.alignment(
      Self.conversation(40, pause: 1_500), by: 5_000_000_000, delay: 1_000_000, drift: 200_000)
    let drift = try #require(clock.drift)
    #expect(drift.apart(from: 200_000) <= clock.driftUncertainty)
    #expect(clock.driftUncertainty < 100_000)
    #expect(clock.offset.apart(from: 5_000_000_000) < 2_000_000)
    let late = clock.at.advanced(by: 60_000_000_000)
    #expect(clock.onA(late.advanced(by: 5_012_000_000)).apart(from: late) < 3_000_000)
  }

  @Test("No drift is 0 where the captures last, and not known where they do not.")
  func steady() async throws {
    let long = try await Self.alignment(Self.conversation(40, pause: 1_500), by: 5_000_000_000, delay: 1_000_000).1
    #expect(long.drift == 0 && long.driftUncertainty > 0)
    let short = try await Self.alignment(
      Self.conversation(40, pause: 500), by: 5_000_000_000, delay: 1_000_000, drift: 200_000
    ).1
    #expect(short.drift == nil)
  }

  @Test("Times at the ends of what there is move without a trap.")
  func extremes() {
    for offset in [Int64.min, .max, -1, 1] {
      var clock = ClockAlignment(
        offset: offset, least: .min, most: .max, drift: .max, driftUncertainty: 0, samples: 1, at: .zero)
      for time in [Int64.min, 0, .max] { _ = clock.onA(Timestamp(nanoseconds: time)) }
      clock.drift = .min
      for time in [Int64.min, 0, .max] { _ = clock.onA(Timestamp(nanoseconds: time)) }
      #expect(clock.uncertainty > 0)
    }
  }
}
