import Citation
import Events
import HTTPSemantics

/// The content coding of a response, and what the request accepted.
struct NegotiatedCoding {
  let request: MessageHead
  let response: MessageHead
  let direction: Direction
  let codings: [Range<Int>]
  let evidence: [Evidence]

  /// nil where the response is not coded, or the request said nothing.
  init?(_ exchange: ExchangeRecord) {
    guard let response = exchange.response, response.bodyBytes > 0, let head = response.head, head.isRequestKnown,
      let coding = head.block.first("content-encoding"), let request = exchange.request, let asked = request.head,
      let accept = asked.block.first("accept-encoding")
    else { return nil }
    codings = head.block.elements("content-encoding").filter {
      !$0.isEmpty && !head.block.reads("identity", at: $0)
    }
    guard !codings.isEmpty else { return nil }
    self.request = asked
    self.response = head
    direction = response.direction
    evidence = [
      .field(accept, asked, request.direction, "what the client takes"),
      .field(coding, head, response.direction, "what it gets"),
    ]
  }
}
