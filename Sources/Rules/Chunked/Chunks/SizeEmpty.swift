import Citation
import Events
import HTTPSemantics

/// A size line without a size.
enum SizeEmpty: MessageRule {
  static let info = RuleInfo(
    id: "chunked/size-empty", severity: .error,
    summary: "A chunk's size line is empty.",
    explanation: """
      Where the next size should be there is only a line end: the sender wrote a line end too many after a chunk, or \
      a size it did not know as nothing. Some readers take it for 0 and end the body, some fail, some skip it.
      """,
    evidence: "The empty line, and the chunk it stands before; the chunks so far are counted.",
    fix: "Sender: write one CRLF after a chunk's data, and a size in every size line.",
    specifications: [.chunkedCoding], causedBy: ["proxy/read-timeout", "proxy/stream-dropped"], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .errors] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let error = message.chunkError, error.kind == .chunkSizeEmpty else { return }
    report(
      exchange.finding(
        info,
        ofSize:
          "an empty line stands where the size of chunk \(Wording.number(UInt64(max(0, error.chunkIndex)) + 1)) should be",
        message, context, .error(error, message.direction, "no size"),
        cost: exchange.cost(ofUnreadable: message)))
  }
}
