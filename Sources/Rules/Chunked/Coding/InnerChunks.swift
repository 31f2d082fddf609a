import Citation
import Events
import HTTPSemantics

// What rules about chunk framing that arrives as content share.

extension ExchangeRecord {
  /// Chunks that a body without an end must have to be taken for chunked.
  private static let convincing: UInt64 = 3

  /// The chunks of which the content of a message consists, where it surely does.
  func innerChunks(of message: Message) -> InnerChunks? {
    guard let inner = message.innerChunks, message.firstBody != nil, inner.isWhole || inner.count >= Self.convincing,
      message.isWhollyCaptured
    else { return nil }
    return inner
  }

  func finding(
    _ info: RuleInfo, _ inner: InnerChunks, of message: Message, _ what: FindingMessage, _ announced: Evidence,
    in context: FlowContext
  ) -> Finding {
    let line = message.opening.prefix { $0 != .carriageReturn }
    let size = Evidence(
      .packet(message.firstBody ?? message.first, message.direction),
      excerpt: Excerpt(Array(line).span, isPayload: false), "a size line at the start of the content")
    return Finding(
      info, confidence: inner.isWhole && !context.isMidstream ? .high : .medium, subject: .connection(context.id),
      exchange: number, direction: message.direction, what,
      cost: isRequest(message) && !isMisunderstood ? .none : .failed(.exchange), fix: info.fix,
      evidence: [announced, size])
  }
}

extension InnerChunks {
  /// `3 chunks of 120 B in all, with its last chunk`
  var words: String {
    let end = isWhole ? "with its last chunk" : "without a last chunk"
    return "\(Wording.count(count, "chunk")) of \(Wording.bytes(bytes)) in all, \(end)"
  }
}
