import Citation
import Events
import Rules
import Testing
import WebSocketSemantics

/// WebSockets that share one connection, as streams do: each is judged by itself.
@Suite("Several WebSockets of one connection")
struct SeveralSocketsTests {
  private static func key(_ number: Int) -> ExchangeKey { ExchangeKey(number: number, stream: UInt32(2 * number - 1)) }

  private static func opening(_ number: Int) -> WebSocketOpening {
    var opening = WebSocketOpening()
    opening.exchangeKey = key(number)
    return opening
  }

  private static func frame(_ index: UInt64, at packet: UInt64, isMasked: Bool) -> Frame {
    let packet = PacketRef(number: packet, time: Timestamp(nanoseconds: Int64(packet) * 1_000_000))
    let header: [UInt8] = isMasked ? [0x81, 0x80, 1, 2, 3, UInt8(packet.number)] : [0x81, 0x00]
    return Frame(
      index: index, opcode: .text, isFinal: true, reserved: 0, maskKey: isMasked ? UInt32(packet.number) : nil,
      length: 0, lengthForm: .short, head: FrameHeader(header.span),
      span: ByteSpan(index * 8..<index * 8 + UInt64(header.count), first: packet, last: packet), headerReleased: packet,
      released: packet, received: 0)
  }

  @Test("A frame counts for the WebSocket that it is of.")
  func frames() {
    let end = Endpoint(address: IPAddress(v4: 1), port: 1)
    let context = FlowContext(
      id: FlowID(firstPacket: 1), client: end, server: end, firstPacket: .none, isMidstream: false,
      roundTrip: RoundTrip())
    var rules = ConnectionRules()
    var found: [Finding] = []
    func tell(_ event: Event) { rules.observe(event, in: context) { found.append($0) } }
    tell(.socketOpened(Self.opening(1)))
    tell(.socketOpened(Self.opening(2)))
    tell(.frame(Self.frame(0, at: 2, isMasked: true), .toServer, Self.key(1)))
    tell(.frame(Self.frame(0, at: 3, isMasked: false), .toServer, Self.key(2)))
    tell(.frame(Self.frame(1, at: 4, isMasked: true), .toServer, Self.key(1)))
    tell(.socketClosed(WebSocketRecord(opening: Self.opening(2))))
    tell(.frame(Self.frame(2, at: 5, isMasked: true), .toServer, Self.key(1)))
    tell(.socketClosed(WebSocketRecord(opening: Self.opening(1))))
    tell(.connectionClosed(ConnectionEnd(kind: .fin, by: .client, packet: nil)))
    #expect(found.filter { $0.rule == "ws/frame-unmasked-client" }.map(\.exchange) == [2])
    // Each ends without a Close, and is told so.
    #expect(Set(found.filter { $0.rule.text.hasPrefix("ws/") }.compactMap(\.exchange)).isSubset(of: [1, 2]))
  }
}
