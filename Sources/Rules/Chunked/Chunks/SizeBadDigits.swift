import Citation
import Events
import HTTPSemantics

/// A size that is no hexadecimal number.
enum SizeBadDigits: MessageRule {
  static let info = RuleInfo(
    id: "chunked/size-bad-digits", severity: .error,
    summary: "A chunk's size is not written in hexadecimal digits alone.",
    explanation: """
      `0x1f`, `+1f`, `1_000`, `-1`, or content where a size should be. A reader built on a general number parser takes \
      what another one, that stops at the first foreign byte, reads as 0 or refuses: the two see bodies of different \
      length.
      """,
    evidence: "The size line. With a request, the answer where the server refused it.",
    fix: "Sender: write each size as plain hexadecimal digits (%x) and CRLF, without prefix, sign or separators.",
    specifications: [.chunkedCoding], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    if let error = message.chunkError, error.kind == .chunkSizeMalformed, !error.excerpt.bytes.isEmpty,
      error.chunkIndex > 0 || error.excerpt.looksLikeNumber
    {
      report(finding(error, message, exchange, context))
    }
    guard let lenience = message.leniences.first(where: { $0.isOddSize }), lenience.kind != .chunkSizeHuge else {
      return
    }
    report(
      exchange.finding(
        info, ofSize: "a chunk's size is written with a prefix or a sign", message, context,
        .lenience(lenience, message.direction, "the size line"),
        cost: exchange.isRequest(message) && exchange.isMisunderstood ? .failed(.exchange) : .none))
  }

  private static func finding(
    _ error: FramingError, _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext
  ) -> Finding {
    let isNumber = error.excerpt.looksLikeNumber
    // A server whose application fails within a body may write the error behind what is there.
    let isHead = message.direction == .toClient && error.excerpt.bytes.starts(with: Array("HTTP/1.".utf8))
    let chunks = Wording.count(UInt64(max(0, error.chunkIndex)), "chunk")
    var finding = exchange.finding(
      info,
      ofSize: isNumber
        ? "a chunk's size is not a hexadecimal number"
        : isHead
          ? "after \(chunks) the head of another response stands inside the body"
          : "after \(chunks) something else follows than a size",
      message, context,
      isNumber
        ? .error(error, message.direction, "the size line")
        : .content(
          error, message.direction,
          isHead ? "a status line, where a size line should be" : "where a size line should be"),
      cost: exchange.cost(ofUnreadable: message))
    if isHead {
      finding.fix =
        "Server: its application failed in the middle of this response, and the server answered with an error inside it: see the server's log at this moment. Such a response must be cut off, by closing the connection."
    }
    return finding
  }
}
