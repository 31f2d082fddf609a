import Citation
import Events
import Support
import Testing

@testable import Dialogues

/// What is dropped where memory is short is decided by these counts, and must be the same in every run. The allocator
/// gives a little more or less, by what was freed before.
@Suite("What a dialogue holds is counted the same in every run")
struct HeldTests {
  private static let heads =
    "GET /a HTTP/1.1\r\nHost: a.example\r\nAccept: text/html, */*\r\nCookie: name=value; other=another\r\n\r\n"
  private static let answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n"
  private static let upgrade =
    "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
  private static let switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

  /// A masked frame of text.
  private static func frame(_ length: UInt8) -> [UInt8] {
    [0x81, 0x80 | length, 1, 2, 3, 4] + (0..<length).map { 0x61 ^ [1, 2, 3, 4][Int($0 % 4)] }
  }

  static let stories: [[(Direction, [UInt8])]] = [
    (0..<6).flatMap { _ in [(.toServer, Array(heads.utf8)), (.toClient, Array(answer.utf8))] },
    [(.toServer, Array(upgrade.utf8)), (.toClient, Array(switched.utf8))]
      + (1..<40).map { (.toServer, frame($0)) },
    HTTP2DialogueTests.interleaved.map { ($0.direction, $0.bytes) },
  ]

  /// The counts after each piece, with arrays of any length made and let go in between.
  private static func counts(_ story: Int, _ random: inout SplitMix64) -> [Int] {
    var dialogue = Dialogue(isMidstream: false)
    var rooms = TokenRooms()
    var events: [Event] = []
    var offsets = BothDirections<UInt64>(repeating: 0)
    var packet = PacketRef(number: 0, time: .zero)
    var kept: [[UInt8]] = []
    var counts: [Int] = []
    for (direction, bytes) in stories[story] {
      for start in stride(from: 0, to: bytes.count, by: 23) {
        for _ in 0..<4 { kept.append([UInt8](repeating: 0, count: Int(random.next() % 400))) }
        while kept.count > 8 { kept.remove(at: Int(random.next() % 8)) }
        packet.number += 1
        let piece = Array(bytes[start..<min(start + 23, bytes.count)])
        dialogue.consume(
          CitedBytes(piece.span, at: offsets[direction], in: packet, released: packet), direction, lending: &rooms,
          into: &events)
        offsets[direction] += UInt64(piece.count)
        counts.append(dialogue.countHeld())
      }
    }
    return counts
  }

  @Test("whatever was freed before", arguments: stories.indices)
  func same(_ story: Int) {
    var random = SplitMix64(seed: 11)
    let first = Self.counts(story, &random)
    for _ in 0..<200 {
      let counts = Self.counts(story, &random)
      guard counts == first else {
        Issue.record("\(first) or \(counts)")
        return
      }
    }
  }
}
