import Citation
import Events
import HTTPSemantics

/// A size that no body can have.
enum SizeOverflow: MessageRule {
  static let info = RuleInfo(
    id: "chunked/size-overflow", severity: .error,
    summary: "A chunk's size is larger than any body can be.",
    explanation: """
      The number does not fit 63 bits. No sender means it; readers whose arithmetic wraps see a small chunk, and that is \
      what such requests are made for. Others refuse the message, as they must.
      """,
    evidence: "The size line.",
    fix: "Server and proxy: refuse it and close. Sender: look for a negative length printed as unsigned.",
    specifications: [.chunkedCoding], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    if let error = message.chunkError, error.kind == .chunkSizeOverflow {
      report(
        exchange.finding(
          info, ofSize: "a chunk's size does not fit 64 bits", message, context,
          .error(error, message.direction, "the size line"), cost: exchange.cost(ofUnreadable: message)))
    }
    guard let lenience = message.leniences.first(where: { $0.isOddSize }), lenience.kind == .chunkSizeHuge else {
      return
    }
    report(
      exchange.finding(
        info, ofSize: "a chunk is announced with more bytes than any body has", message, context,
        .lenience(lenience, message.direction, "the size line"), cost: .none))
  }
}
