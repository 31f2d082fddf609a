import Citation
import Events
import HTTPSemantics

/// `Expect: 100-continue`: a client that asks before it sends a body, and what came first.
struct Expectation {
  let request: Message
  /// The last packet of the head that asks.
  let asked: PacketRef
  /// The first packet of the body.
  let body: PacketRef
  /// The first response of whatever kind.
  let answer: PacketRef?
  let evidence: Evidence

  init?(_ exchange: ExchangeRecord) {
    guard let request = exchange.request, let head = request.head, let body = request.firstBody,
      head.framing == .length || head.framing == .chunked, head.block.contains("100-continue", in: "expect"),
      let asked = request.headReleased, let field = head.block.first("expect"), request.isWhollyCaptured
    else { return nil }
    self.request = request
    self.asked = asked
    self.body = body
    answer = exchange.interim.first?.first ?? exchange.response?.first
    evidence = .field(field, head, request.direction, "the client asks before it sends the body")
  }

  var isAnsweredBeforeBody: Bool { answer.map { $0.number < body.number } ?? false }
}

extension Specification {
  static let expect = Specification("RFC 9110 §10.1.1", "https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1")
}
