import Citation
import Events
import HTTPSemantics

/// A CR without LF in the chunk framing.
enum ChunkedBareCR: MessageRule {
  static let info = RuleInfo(
    id: "chunked/bare-cr", severity: .error,
    summary: "A CR in the chunk framing is not followed by LF.",
    explanation: """
      Some readers take CR and whatever follows it for a line end, others go on to the LF, and most refuse the message \
      (llhttp, which Node.js reads with, hyper, Go). Between two of them the data begins in two places. No common library \
      writes this; hand-made framing and attacks do.
      """,
    evidence: ChunkTexts.lineEvidence,
    fix: "Sender: end lines with CRLF. Server and proxy: refuse such a message and close.",
    specifications: [.chunkedCoding, .lineEnds], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .leniences] }

  private static let places: Set<Lenience.Place> = [.chunkSize, .chunkEnd, .trailers]

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    let found = message.leniences.filter { $0.kind == .bareCR && places.contains($0.place) }
    guard let first = found.first else { return }
    var finding = Finding(
      info, confidence: min(.medium, exchange.confidence(of: message, context)), subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      "\(exchange.title): in what \(Wording.sender(message.direction)) sent, a CR in the chunk framing is not followed by LF.",
      cost: exchange.cost(ofUnreadable: message), fix: info.fix,
      evidence: [.lenience(first, message.direction, "a CR that is not followed by LF")] + exchange.refusal(of: message)
    )
    finding.count = UInt64(max(1, found.reduce(0) { $0 + $1.count }))
    report(finding)
  }
}
