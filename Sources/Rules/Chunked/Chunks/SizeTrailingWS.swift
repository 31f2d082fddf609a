import Citation
import Events
import HTTPSemantics

/// Whitespace between a chunk's size and its line end.
enum SizeTrailingWS: MessageRule {
  static let info = RuleInfo(
    id: "chunked/size-trailing-ws", severity: .error,
    summary: "Whitespace stands between a chunk's size and its line end.",
    explanation: """
      Small servers reserve a field of fixed width for the size and fill it up with spaces. The grammar has none there. \
      Safari and URLSession of iOS 18 fail the whole response (-1017, cannot parse response); earlier ones took it, and \
      so do curl, h11 and nginx, so that every test with curl passes: its reader ignores what stands between the digits \
      and the LF.
      """,
    evidence: """
      The first such size line, and how many chunks have one. With an Apple client that closed before the body's end, \
      the close is quoted: that it failed on the line is inferred. Blanks before a semicolon are allowed, and not this.
      """,
    fix: "Sender: pad the size with leading zeros (0000002F), or write it without padding.",
    specifications: [.chunkedCoding], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .leniences] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let first = message.lenience(.chunkSizeTrailingSpace) else { return }
    let isRequest = exchange.isRequest(message)
    // The client whose reader is known to fail left before the end.
    let leaving = exchange.closing(message.direction.opposite)
    let hasFailed =
      isRequest
      ? exchange.isMisunderstood
      : isApple(exchange) && !message.isComplete && leaving != nil
        && context.closedBy == message.direction.opposite
    var evidence = [Evidence.lenience(first, message.direction, "blanks behind the digits")]
    evidence += exchange.refusal(of: message)
    if hasFailed, !isRequest, let leaving {
      let agent = exchange.request.flatMap { Evidence.field("user-agent", of: $0, "a client that cannot read them") }
      evidence.insert(contentsOf: [agent].compactMap { $0 }, at: 0)
      evidence.append(Evidence(.packet(leaving, message.direction.opposite), "closes before the body's end"))
    }
    var finding = Finding(
      Self.info, confidence: hasFailed ? .medium : .high, subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      hasFailed && !isRequest
        ? "\(exchange.title): chunk sizes are followed by whitespace; the client, whose library cannot read them, closed before the end."
        : "\(exchange.title): chunk sizes are followed by whitespace, which \(isRequest ? "strict servers" : "Safari and URLSession of iOS 18") refuse.",
      cost: hasFailed ? .failed(.exchange) : .none, fix: info.fix,
      evidence: evidence)
    finding.count = UInt64(max(1, message.leniences.count { $0.kind == .chunkSizeTrailingSpace }))
    report(finding)
  }

  private static func isApple(_ exchange: ExchangeRecord) -> Bool {
    exchange.request?.head.flatMap { ClientIdentity($0) }?.family == .apple
  }
}
