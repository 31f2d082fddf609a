import Citation
import Events
import HTTPSemantics

/// Sizes that are no hexadecimal numbers, or none that fits.
struct ChunkSizes: Sendable {
  static let badDigits = RuleInfo(
    id: "chunked/size-bad-digits", severity: .error,
    summary: "A chunk's size is not written in hexadecimal digits alone.",
    explanation: """
      `0x1f`, `+1f`, `1_000`, `-1`, or content where a size should be. A reader built on a general number parser takes \
      what another one, that stops at the first foreign byte, reads as 0 or refuses: the two see bodies of different \
      length.
      """,
    evidence: "The size line. With a request, the answer where the server refused it.",
    fix: "Sender: print the size with a plain hexadecimal format (%x), without prefix, sign or separators.",
    specifications: [.chunkedCoding], since: "0.1")

  static let empty = RuleInfo(
    id: "chunked/size-empty", severity: .error,
    summary: "A chunk's size line is empty.",
    explanation: """
      Where the next size should be there is only a line end: the sender wrote a line end too many after a chunk, or \
      a size it did not know as nothing. Some readers take it for 0 and end the body, some fail, some skip it.
      """,
    evidence: "The empty line, and the chunk it stands before; the chunks so far are counted.",
    fix: "Sender: write one CRLF after a chunk's data, and a size in every size line.",
    specifications: [.chunkedCoding], since: "0.1")

  static let overflow = RuleInfo(
    id: "chunked/size-overflow", severity: .error,
    summary: "A chunk's size is larger than any body can be.",
    explanation: """
      The number does not fit 63 bits. No sender means it; readers whose arithmetic wraps see a small chunk, and that is \
      what such requests are made for. Others refuse the message, as they must.
      """,
    evidence: "The size line.",
    fix:
      "Server and proxy: refuse it and close. If it is your own sender, look for a negative length printed as unsigned.",
    specifications: [.chunkedCoding], since: "0.1")

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    for message in exchange.messages {
      if let error = message.chunkError { observe(error, message, exchange, context, report) }
      for lenience in message.leniences {
        switch lenience.kind {
        case .chunkSizePrefix, .chunkSizeSign:
          let cost: Cost =
            exchange.isRequest(message) && exchange.isMisunderstood ? .failed(.exchange) : .none
          report(
            finding(
              Self.badDigits, "a chunk's size is written with a prefix or a sign", message, exchange, context,
              .lenience(lenience, message.direction, "the size line"), cost: cost))
          return
        case .chunkSizeHuge:
          report(
            finding(
              Self.overflow, "a chunk is announced with more bytes than any body has", message, exchange, context,
              .lenience(lenience, message.direction, "the size line"), cost: .none))
          return
        default: break
        }
      }
    }
  }

  private func observe(
    _ error: FramingError, _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    let cost = exchange.cost(ofUnreadable: message)
    switch error.kind {
    case .chunkSizeMalformed where error.chunkIndex > 0 || error.excerpt.looksLikeNumber:
      guard !error.excerpt.bytes.isEmpty else { return }
      let isNumber = error.excerpt.looksLikeNumber
      report(
        finding(
          Self.badDigits,
          isNumber
            ? "a chunk's size is not a hexadecimal number"
            : "after \(Wording.count(UInt64(max(0, error.chunkIndex)), "chunk")) something else follows than a size",
          message, exchange, context,
          isNumber
            ? .error(error, message.direction, "the size line")
            : .content(error, message.direction, "where a size line should be"),
          cost: cost))
    case .chunkSizeEmpty:
      report(
        finding(
          Self.empty,
          "an empty line stands where the size of chunk \(Wording.number(UInt64(max(0, error.chunkIndex)) + 1)) should be",
          message, exchange, context, .error(error, message.direction, "no size"), cost: cost))
    case .chunkSizeOverflow:
      report(
        finding(
          Self.overflow, "a chunk's size does not fit 64 bits", message, exchange, context,
          .error(error, message.direction, "the size line"), cost: cost))
    default: break
    }
  }

  private func finding(
    _ info: RuleInfo, _ what: String, _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ line: Evidence, cost: Cost
  ) -> Finding {
    Finding(
      info, confidence: exchange.confidence(of: message, context), subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      "\(exchange.title): in what \(Wording.sender(message.direction)) sent, \(what).", cost: cost,
      fix: info.id == Self.overflow.id
        ? "Server: refuse it. Sender: look for a negative length printed as unsigned."
        : "Sender: write each size as plain hexadecimal digits and CRLF.",
      evidence: [line] + exchange.refusal(of: message))
  }
}
