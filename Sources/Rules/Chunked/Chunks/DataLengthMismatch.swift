import Citation
import Events
import HTTPSemantics

/// A chunk whose data is not as long as its size line announces.
enum DataLengthMismatch: MessageRule {
  static let info = RuleInfo(
    id: "chunked/data-length-mismatch", severity: .error,
    summary: "A chunk's data is not as long as announced.",
    explanation: """
      Behind the announced number of bytes there must be CRLF, and there is something else: the count was wrong. From \
      there no reader can know what is content and what is framing; most report an invalid chunk and drop the rest. \
      The usual reason is counting characters instead of bytes: it works until a text contains an umlaut, a Chinese \
      character or an emoji.
      """,
    evidence: """
      The size line, the bytes that stand where the line end should be, and how far the next size line is. Where that \
      distance is exactly the number of UTF-8 continuation bytes in the chunk, characters were counted. A lone LF or CR \
      before the next size is another rule.
      """,
    fix: """
      Sender: take the length of the encoded bytes (Buffer.byteLength, len(text.encode()), utf8.count), after all \
      conversion of charset and line ends.
      """,
    specifications: [.chunkedCoding], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .errors] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let error = message.chunkError, error.kind == .chunkDataMismatch, let wrong = message.chunks?.mismatch
    else { return }
    var finding = Finding(
      Self.info, confidence: exchange.confidence(of: message, context), subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction, .mismatch(exchange, message, wrong),
      cost: exchange.cost(ofUnreadable: message),
      fix: info.fix,
      evidence: [
        Evidence(.packet(wrong.sizeLine, message.direction), "announces \(Wording.bytes(wrong.declared))"),
        .content(error, message.direction, "instead of the line end"),
      ] + exchange.refusal(of: message))
    finding.count = UInt64(max(1, message.errors.count { $0.kind == .chunkDataMismatch }))
    report(finding)
  }
}

extension ChunkMismatch {
  var countsCharacters: Bool { surplus != nil && surplus == continuationBytes }
}

extension FindingMessage {
  fileprivate static func mismatch(_ exchange: ExchangeRecord, _ message: Message, _ wrong: ChunkMismatch) -> Self {
    let chunk =
      "\(exchange.title): chunk \(Wording.number(UInt64(max(0, wrong.index)) + 1)) of \(Wording.sender(message.direction)) announces \(Wording.bytes(wrong.declared)), and no line end follows them"
    guard let surplus = wrong.surplus else { return "\(chunk); nothing after it could be read." }
    guard wrong.countsCharacters else { return "\(chunk); \(Wording.bytes(surplus)) more stand before the next size." }
    return
      "\(chunk); \(Wording.bytes(surplus)) more stand before the next size, as many as the chunk has UTF-8 continuation bytes: characters were counted."
  }
}
