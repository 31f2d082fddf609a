import Citation
import Events
import HTTPSemantics

/// The last chunk's line came, and the empty line after it did not, or late.
enum TerminatorIncomplete: MessageRule {
  static let info = RuleInfo(
    id: "chunked/terminator-incomplete", severity: .error,
    summary: "The last chunk came without the empty line that ends the body.",
    explanation: """
      The end of a chunked body is 0 CRLF CRLF. After 0 CRLF a reader waits, because trailer fields may follow: the \
      request or response is complete for its sender and unfinished for its receiver, until a timeout ends it. Clients \
      then report a timeout or an error, although every byte of the content has arrived.
      """,
    evidence:
      "The line of size zero, and what came instead of the empty line: that line late, a close, or the next message.",
    fix: "Sender: write 0 CRLF CRLF in one piece. Hand-made framing usually omits the second line end.",
    specifications: [.chunkedCoding, .incompleteMessages], thresholds: [.terminatorWait],
    causedBy: ["stream/cut-by-middlebox", "stream/cut-at-known-timeout", "stream/cut-after-round-silence"], since: "0.1"
  )

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let zero = message.chunks?.terminator, let end = message.end, message.isWhollyCaptured else { return }
    let line = Evidence(.bytes(zero, message.direction), "the last chunk's line")
    switch end.outcome {
    case .complete:
      if let next = message.lenience(.finalLineMissing) {
        report(
          finding(
            exchange, message, context, "the next message begins where the empty line should be", cost: .none,
            [line, .lenience(next, message.direction, "begins at once")]))
        return
      }
      let wait = end.packet.time.since(zero.last.time)
      guard wait >= context.thresholds[.terminatorWait] else { return }
      report(
        finding(
          exchange, message, context, "the empty line after it came \(Wording.duration(wait)) later",
          cost: .delay(nanoseconds: wait), [line, Evidence(.packet(end.packet, message.direction), "the empty line")])
      )
    case .incomplete(let incomplete):
      guard incomplete.place == .trailers, incomplete.cause == .fin || incomplete.cause == .reset,
        let closed = context.closedBy, let close = exchange.closing(closed)
      else { return }
      let wait = close.time.since(zero.last.time)
      // A receiver that leaves at once took the line for the end.
      let isLenient = closed != message.direction && wait < context.thresholds[.terminatorWait]
      report(
        finding(
          exchange, message, context,
          "the empty line after it never came; \(Wording.sender(closed)) closed \(Wording.duration(wait)) later",
          cost: isLenient ? .none : .failed(.exchange), [line, Evidence(.packet(close, closed), "ends the wait")]))
    }
  }

  private static func finding(
    _ exchange: ExchangeRecord, _ message: Message, _ context: FlowContext, _ what: String, cost: Cost,
    _ evidence: [Evidence]
  ) -> Finding {
    Finding(
      Self.info, severity: context.cutSeverity, confidence: context.cutConfidence, subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      "\(exchange.title): \(Wording.sender(message.direction)) sent the last chunk's line, and \(what)\(context.unheard(message.direction)).",
      cost: cost,
      fix: info.fix, evidence: evidence)
  }
}

extension Threshold {
  static let terminatorWait = Threshold(
    "chunked.terminator-wait", .nanoseconds, 500_000_000, "from the last chunk's line to the empty line after it")
}
