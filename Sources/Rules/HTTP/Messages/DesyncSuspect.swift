import Citation
import Events
import HTTPSemantics

/// A request that two readers divide from the next one at different bytes.
enum DesyncSuspect: MessageRule {
  static let info = RuleInfo(
    id: "http/desync-suspect", severity: .error, confidence: .medium,
    summary: "Two readings of a request end at different bytes.",
    explanation: """
      The request says twice where its body ends, by chunks and by a length, and the two do not agree. RFC 9112 lets \
      the chunks count; a proxy or a server that goes by the length finds the next request at another byte. Where the two \
      sit behind one another, what one takes for the end of a body is the beginning of a request to the other: that is how \
      requests are smuggled past the checks of a proxy, and how one client gets the answer for another.
      """,
    evidence: """
      Both fields, and where each ends the body. This report reads by the chunks. It is no proof of an attack: libraries \
      that add a length of their own to chunks do the same.
      """,
    fix: """
      Sender: send one framing. Proxy and server: refuse such a request with 400 and close the connection, or forward \
      it with the chunks alone.
      """,
    specifications: [
      .bodyLength, Specification("RFC 9112 §11.2", "https://www.rfc-editor.org/rfc/rfc9112#section-11.2"),
    ],
    causedBy: ["chunked/te-and-cl"], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .leniences] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard message.lenience(.contentLengthAndTransferEncoding) != nil, exchange.isRequest(message), message.isComplete,
      message.isWhollyCaptured, let head = message.head, head.framing != .length, let end = message.end,
      let coding = head.block.first("transfer-encoding"), let length = head.block.first("content-length"),
      let announced = UInt64(head.block.value(length)), end.offset >= head.span.range.upperBound
    else { return }
    let chunked = end.offset - head.span.range.upperBound
    guard chunked != announced else { return }
    let other =
      announced < chunked
      ? "one that goes by the length takes the last \(Wording.bytes(chunked - announced)) for the next request"
      : "one that goes by the length takes \(Wording.bytes(announced - chunked)) of the next request for its body"
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        FindingMessage(
          "\(exchange.title): by its chunks the body is \(Wording.bytes(chunked)) long on the wire, by its length \(Wording.bytes(announced)): \(other)."
        ),
        cost: .none, fix: info.fix,
        evidence: [
          .field(coding, head, message.direction, "ends the body in #\(end.packet.number)"),
          .field(length, head, message.direction, "ends it at another byte"),
        ]))
  }
}
