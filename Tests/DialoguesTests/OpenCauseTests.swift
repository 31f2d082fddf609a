import Citation
import Events
import Testing

@testable import Dialogues

/// Why an open stream of HTTP/2 is silent, asked while it is.
@Suite("Causes of silences that go on")
struct OpenCauseTests {
  private typealias H2 = HTTP2DialogueTests

  private static func opening(_ window: UInt32) -> [H2.Run] {
    let settings: [UInt8] = [0, 4] + H2.word(window)
    return [
      (.toServer, H2.preface + H2.frame(4, 0, 0, settings)), (.toClient, H2.settings + H2.acknowledged),
      (.toServer, H2.acknowledged + H2.request(1, "/a") + H2.request(3, "/b")),
      (.toClient, H2.response(1, 200) + H2.response(3, 200)),
    ]
  }

  /// Two streams, and the packet in which something was said last.
  private static func opened(window: UInt32, _ runs: [H2.Run]) -> (dialogue: Dialogue, last: PacketRef) {
    var last = PacketRef.none
    var dialogue = Dialogue(isMidstream: false, DialogueOptions())
    var events: [Event] = []
    var offsets = BothDirections<UInt64>(repeating: 0)
    for (index, run) in (opening(window) + runs).enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index) * 1_000_000))
      dialogue.consume(
        CitedBytes(run.bytes.span, at: offsets[run.direction], in: packet, released: packet), run.direction,
        into: &events)
      offsets[run.direction] += UInt64(run.bytes.count)
      last = packet
    }
    return (dialogue, last)
  }

  /// Of the bodies of two streams, in their order, five seconds after the first packet.
  private static func causes(window: UInt32, _ runs: [H2.Run]) -> [StreamPause.Cause?] {
    let dialogue = opened(window: window, runs).dialogue
    return dialogue.openBodies(.toClient, at: Timestamp(nanoseconds: 5_000_000_000)).map(\.cause)
  }

  /// Of the silence up to then of all that the server sends.
  private static func sharedCause(window: UInt32, _ runs: [H2.Run]) -> StreamPause.Cause {
    var (dialogue, last) = opened(window: window, runs)
    let next = PacketRef(number: last.number + 1, time: Timestamp(nanoseconds: 5_000_000_000))
    var pause = StreamPause(.senderIdle, .toClient, from: last, to: next)
    dialogue.take(&pause)
    return pause.cause
  }

  private static let both: H2.Run = (.toClient, H2.data(1, "0123456789") + H2.data(3, "x"))

  @Test("A stream without credit of its own says so, and not the one beside it.")
  func stream() {
    #expect(Self.causes(window: 10, [Self.both]) == [.streamWindow, nil])
    #expect(Self.sharedCause(window: 10, [Self.both]) == .senderIdle)
    let filled: H2.Run = (.toClient, H2.data(1, "0123456789") + H2.data(3, "0123456789"))
    #expect(Self.sharedCause(window: 10, [filled]) == .streamWindow)
  }

  @Test("With a byte of credit left, or with more of it come, it is the server that has nothing to say.")
  func credited() {
    #expect(Self.causes(window: 11, [Self.both]) == [nil, nil])
    let credit: H2.Run = (.toServer, H2.frame(8, 0, 1, H2.word(10)))
    #expect(Self.causes(window: 10, [Self.both, credit]) == [nil, nil])
  }

  @Test("Without credit for the connection all wait for it.")
  func connection() {
    let filler = { (count: Int) in H2.frame(0, 0, 1, [UInt8](repeating: 7, count: count)) }
    let whole = H2.data(3, "x") + filler(16_384) + filler(16_384) + filler(16_384) + filler(16_382)
    #expect(Self.causes(window: 100_000, [(.toClient, whole)]) == [.connectionWindow, .connectionWindow])
    #expect(Self.sharedCause(window: 100_000, [(.toClient, whole)]) == .connectionWindow)
  }
}
