import Citation
import Events
import HTTPSemantics

/// A proxy ends a response that broke off as if it were whole.
enum TruncationHidden: HopPairRule {
  static let info = RuleInfo(
    id: "proxy/truncation-hidden", severity: .error,
    summary: "A proxy ended a response that had broken off behind it as if it were complete.",
    explanation: """
      A response in chunks, of a known length, or of HTTP/2 has an end of its own, so that a client can see that it was \
      cut. A proxy that loses its origin, or gives it up over a timeout, and then writes the last chunk or END_STREAM takes \
      that from the client: it keeps half of a document, or a stream that seems to have ended.
      """,
    evidence: """
      Both sides of the proxy (see proxy/hop-joined): what ended the origin's response before its end, and the end that the \
      client got. Not reported where the client left first, where what it got ends with an error of its own (an event, a \
      status of gRPC), or where the capture lacks bytes of the origin's response.
      """,
    fix: """
      Proxy: abort the client's response when the origin's breaks off; see its timeouts for reading from the origin. \
      Origin: send something before they pass.
      """,
    specifications: [
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8"),
      Specification("RFC 9113 §8.1.1", "https://www.rfc-editor.org/rfc/rfc9113#section-8.1.1"),
    ], since: "0.1")

  static func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = pair.outer.exchange.response, let came = pair.inner.exchange.response,
      response.isComplete, response.framing != .close, let end = response.end,
      let cause = came.incomplete?.cause, cause == .fin || cause == .reset, came.framing != .close,
      let cut = came.end, cut.isCaptured, cut.packet.number <= end.packet.number
    else { return }
    // It was told in the stream.
    guard pair.outer.exchange.answer?.failure == nil, (pair.outer.exchange.grpcStatus ?? 0) == 0 else { return }
    let closing = pair.inner.context.closing(of: pair.inner.exchange)
    let isByProxy = closing.by == came.direction.opposite
    let at = closing.at ?? cut.packet
    // What is written to a client that has left tells it nothing.
    let left = pair.outer.context.closing(of: pair.outer.exchange)
    if left.firstBy == response.direction.opposite, let end = left.firstEnd, end.number < at.number { return }
    let waited = at.time.since((came.lastBody ?? came.last).time)
    report(
      pair.finding(
        info, .hidden(pair, came, after: waited, isByProxy: isByProxy), of: .toClient, cost: .failed(.exchange),
        evidence: [
          Evidence(
            .packet(at, isByProxy ? .toServer : .toClient),
            isByProxy ? "the proxy ends its own request, in the response" : "the origin's response breaks off"),
          Evidence(.packet(end.packet, .toClient), "and the client's is complete"),
        ]))
  }
}

extension FindingMessage {
  fileprivate static func hidden(_ pair: HopPair, _ came: Message, after waited: Int64, isByProxy: Bool) -> Self {
    let bytes = Wording.bytes(came.bodyBytes)
    let what =
      isByProxy
      ? "\(pair.proxy) gave up the origin's response after \(bytes), \(Wording.duration(waited)) after the last of them"
      : "the origin's response broke off after \(bytes)"
    return "\(pair.outer.exchange.title): \(what), and the client was told that it is complete."
  }
}
