import Citation
import Events
import Testing

@testable import Dialogues

@Suite("WebSocket behind a 101")
struct WebSocketDialogueTests {
  private static let request = """
    GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
    """
  private static let response =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
  /// RFC 6455 §5.7: Hello, masked; and plain.
  private static let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
  private static let plain: [UInt8] = [0x81, 0x05] + Array("Hello".utf8)

  /// What is told of a conversation: a run of bytes in each packet.
  private func told(_ runs: [(Direction, [UInt8])]) -> [Event] {
    var dialogue = Dialogue(isMidstream: false, DialogueOptions())
    var events: [Event] = []
    var offsets = BothDirections<UInt64>(repeating: 0)
    for (index, (direction, bytes)) in runs.enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index) * 1_000_000))
      dialogue.consume(
        CitedBytes(bytes.span, at: offsets[direction], in: packet, released: packet), direction, into: &events)
      offsets[direction] += UInt64(bytes.count)
    }
    dialogue.close(into: &events)
    return events
  }

  private func closed(_ events: [Event]) -> WebSocketRecord? {
    for case .socketClosed(let record) in events { return record }
    return nil
  }

  @Test("Frames of both sides are counted, in the 101's packet and behind it.")
  func frames() throws {
    let events = told(
      [
        (.toServer, Array(Self.request.utf8)), (.toClient, Array(Self.response.utf8) + Self.plain),
        (.toServer, Self.masked), (.toClient, Self.plain),
      ])
    let record = try #require(closed(events))
    #expect(record.sides.toServer.text == 1 && record.sides.toClient.text == 2)
    #expect(record.sides.toServer.bytes == 5 && record.opening.early == nil)
  }

  @Test("What a client sends before the 101 is read after it, and told as early.")
  func early() throws {
    let events = told(
      [(.toServer, Array(Self.request.utf8) + Self.masked), (.toClient, Array(Self.response.utf8))])
    let record = try #require(closed(events))
    #expect(record.sides.toServer.text == 1 && record.opening.early?.number == 1)
  }

  @Test("After its first messages a direction passes plain frames together, and counts them the same.")
  func plainFrames() throws {
    let events = told(
      [(.toServer, Array(Self.request.utf8)), (.toClient, Array(Self.response.utf8))]
        + (0..<10).map { _ in (.toClient, Self.plain) } + [(.toClient, Self.plain + Self.plain + [0x81, 0x01, 0xFF])])
    let record = try #require(closed(events))
    #expect(record.sides.toClient.text == 13 && record.sides.toClient.frames[1] == 13)
    var together: [Int] = []
    var faults = 0
    for event in events {
      if case .plainFrames(let frames, _) = event { together.append(frames.count) }
      if case .socketMessage(let message, _) = event, message.utf8 != nil { faults += 1 }
    }
    // The first eight are looked at; the last one is no text, and is told by itself.
    #expect(together == [4] && faults == 1)
  }

  @Test("A long plain frame in two packets is told with the others, a short one by itself.")
  func plainFramesInPackets() {
    let long = [0x82, 126, 0x07, 0xD0] + [UInt8](repeating: 7, count: 2_000)
    let packets = [Array(long[..<1_000]), Array(long[1_000...]), Array(Self.plain[..<3]), Array(Self.plain[3...])]
    let events = told(
      [(.toServer, Array(Self.request.utf8)), (.toClient, Array(Self.response.utf8))]
        + (0..<9).map { _ in (.toClient, Self.plain) } + packets.map { (.toClient, $0) })
    var told: [String] = []
    for event in events {
      if case .plainFrames(let frames, _) = event {
        told += frames.map { "plain \($0.length) in #\($0.packet.number)-#\($0.last.number)" }
      }
      if case .frame(let frame, _, _) = event, frame.index >= 8 { told.append("frame \(frame.length)") }
    }
    #expect(told == ["plain 5 in #11-#11", "plain 2000 in #12-#13", "frame 5"])
    #expect(closed(events)?.sides.toClient.bytes == 2_050)
  }
}
