import Events
import HTTPSemantics

/// Whitespace before a chunk's size.
enum SizeLeadingWS: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/size-leading-ws", severity: .error,
    summary: "Whitespace stands before a chunk's size.",
    explanation: """
      The grammar allows no whitespace there. Some readers skip it, some read a size of zero and end the body, some \
      refuse the message; proxies that forward the line unchanged let two hops disagree on where the body ends. \
      \(ChunkTexts.curlSentence)
      """,
    evidence: ChunkTexts.lineEvidence, fix: "Sender: print the size without padding.", specifications: [.chunkedCoding],
    since: "0.1")

  static let row = AnomalyRow(
    [.chunkSizeLeadingSpace], "whitespace stands before a chunk's size")
}
