import Citation
import Events
import HTTPSemantics

/// Chunks whose size line, data and line end are written apart.
enum WriteSplitting: MessageRule {
  static let info = RuleInfo(
    id: "chunked/write-splitting", severity: .warning,
    summary: "Chunks are written to the network in pieces.",
    explanation: """
      The size line, the data and the line end leave in segments of their own: three system calls and up to three \
      packets for what fits in one. It costs CPU and battery on both sides, and it is what Nagle's algorithm and delayed \
      acknowledgements need to add 40 or 200 ms to every chunk.
      """,
    evidence: """
      The pieces of the first such chunk, and the share of all chunks of the body. A chunk whose data alone needs \
      several segments does not count.
      """,
    fix: """
      Sender: build the chunk in one buffer, or use one writev; use a buffered writer between the framing and the \
      socket and flush it after each chunk.
      """,
    specifications: [.chunkedCoding], thresholds: [.splitChunkCount, .splitChunkShare], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let chunks = message.chunks, chunks.split > 0, let first = chunks.firstSplit,
      chunks.split >= UInt64(max(0, context.thresholds[.splitChunkCount])), message.isWhollyCaptured,
      chunks.split &* 100 >= chunks.count &* UInt64(max(0, context.thresholds[.splitChunkShare]))
    else { return }
    var evidence = [Evidence(.packet(first.sizeLine, message.direction), "a size line")]
    if first.data.number != first.sizeLine.number {
      evidence.append(Evidence(.packet(first.data, message.direction), "its data"))
    }
    if first.end.number != evidence.last?.packet?.number {
      evidence.append(Evidence(.packet(first.end, message.direction), "its line end"))
    }
    var finding = Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      "\(exchange.title): \(Wording.sender(message.direction)) wrote \(Wording.number(chunks.split)) of \(Wording.count(chunks.count, "chunk")) in pieces.",
      cost: .none, fix: info.fix, evidence: evidence)
    finding.count = chunks.split
    report(finding)
  }
}

extension Threshold {
  static let splitChunkCount = Threshold("chunked.split-count", .count, 4, "chunks of one body written in pieces")
  static let splitChunkShare = Threshold("chunked.split-share", .percent, 50, "share of chunks written in pieces")
}
