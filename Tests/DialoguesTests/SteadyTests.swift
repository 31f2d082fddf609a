import Citation
import Events
import Testing

@testable import Dialogues

@Suite("What a dialogue holds, and whether that may have changed")
struct SteadyTests {
  private static let request = Array("GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n".utf8)

  /// Whether it is steady after each part of a response.
  private static func steady(_ parts: String...) -> [Bool] {
    var dialogue = Dialogue(isMidstream: false)
    var events: [Event] = []
    var packet = PacketRef(number: 1, time: .zero)
    dialogue.consume(CitedBytes(request.span, at: 0, in: packet, released: packet), .toServer, into: &events)
    var offset: UInt64 = 0
    return parts.map { part in
      let bytes = Array(part.utf8)
      packet = PacketRef(number: packet.number + 1, time: .zero)
      dialogue.consume(CitedBytes(bytes.span, at: offset, in: packet, released: packet), .toClient, into: &events)
      offset += UInt64(bytes.count)
      return dialogue.growth == .none
    }
  }

  @Test("the parts of a head are kept, those of a body are not")
  func body() {
    let told = Self.steady(
      "HTTP/1.1 200 OK\r\nContent-", "Length: 30\r\n\r\n", "0123456789", "0123456789", "0123456789")
    #expect(told == [false, false, true, true, false])
  }

  @Test("the parts of trailers are kept")
  func trailers() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(Self.steady(head, "5\r\nhello\r\n", "0\r\nA: ", "b", "\r\n\r\n") == [false, true, false, false, false])
  }

  @Test("what undoes a coding grows with its body")
  func coded() {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n"
    #expect(Self.steady(head, "0123456789") == [false, false])
  }
}
