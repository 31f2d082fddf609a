import Events
import HTTPSemantics

/// A request whose method comes with content, and that has neither Content-Length nor Transfer-Encoding.
struct UnframedRequest: Sendable {
  let exchange: ExchangeRecord
  let head: MessageHead
  /// What followed it and begins no other request.
  var surpluses: [SurplusBytes.Surplus] = []

  init?(_ exchange: ExchangeRecord) {
    guard let request = exchange.request, request.headReleased != nil, let head = request.head,
      head.method == .post || head.method == .put || head.method == .patch, head.framing == .none,
      head.reason == .noFields, !head.block.lacksFields
    else { return nil }
    self.exchange = exchange
    self.head = head
  }
}

/// Judges such a request when the connection is over, and it is known what followed.
protocol UnframedRequestRule: StoryRule where Story == UnframedRequest {}
