import Citation
import Events
import Testing

@Suite("Keys and ends of exchanges")
struct ExchangeEndTests {
  private static func packet(_ number: UInt64) -> PacketRef {
    PacketRef(number: number, time: Timestamp(nanoseconds: Int64(number)))
  }

  private static var context: FlowContext {
    var closing = Ending()
    closing.by = .toClient
    closing.at = packet(90)
    let end = Endpoint(address: IPAddress(v4: 1), port: 1)
    return FlowContext(
      id: FlowID(firstPacket: 1), client: end, server: end, firstPacket: packet(1), isMidstream: false,
      roundTrip: RoundTrip(), closing: closing)
  }

  @Test("Connection and number name an exchange; the stream that carries it follows from them.")
  func keys() {
    let asked = ExchangeKey(connection: 2, number: 3, stream: 5)
    #expect(asked == ExchangeKey(connection: 2, number: 3))
    #expect(Set([asked]).contains(ExchangeKey(connection: 2, number: 3)))
    #expect(asked != ExchangeKey(connection: 1, number: 3) && asked != ExchangeKey(connection: 2, number: 5))
    #expect(ExchangeKey(connection: 1, number: 9) < asked && asked < ExchangeKey(connection: 2, number: 4))
    #expect(!ExchangeKey(connection: 2, number: 0).isKnown)
  }

  @Test("An exchange without an end of its own ends as its connection does.")
  func byConnection() {
    var exchange = ExchangeRecord(ExchangeKey(number: 1))
    #expect(exchange.end.cut == nil && !exchange.end.isBroken)
    exchange.end.cause = .connection(.captureEnded)
    #expect(exchange.end.cut == .captureEnded && !exchange.end.isBroken)
    exchange.end.cause = .connection(.fin)
    #expect(exchange.end.isBroken)
    #expect(Self.context.closing(of: exchange).by == .toClient)
    #expect(Self.context.closing(of: exchange).at?.number == 90)
  }

  @Test("A reset stream has ended by whoever reset it, while its connection goes on.")
  func byReset() {
    var exchange = ExchangeRecord(ExchangeKey(number: 1, stream: 1))
    exchange.end.cause = .reset(code: 8)
    var closing = Ending()
    closing.by = .toServer
    closing.at = Self.packet(40)
    exchange.end.closing = closing
    #expect(exchange.end.cut == .reset && exchange.end.isBroken)
    #expect(Self.context.closing(of: exchange).by == .toServer)
    #expect(Self.context.closing(of: exchange).at?.number == 40)
  }

  @Test("The first of two ends is the first, and a capture that stops is none.")
  func first() {
    var end = ExchangeEnd()
    end.sides.toServer = SideEnd(.fin, Self.packet(7))
    end.sides.toClient = SideEnd(.reset, Self.packet(5))
    #expect(end.first?.by == .toClient && end.first?.side.packet.number == 5)
    end.sides.toClient = SideEnd(.captureEnded, Self.packet(5))
    #expect(end.first?.by == .toServer)
  }
}
