import Events
import HTTPSemantics

/// A CR without LF in the chunk framing.
enum ChunkedBareCR: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/bare-cr", severity: .error,
    summary: "A CR in the chunk framing is not followed by LF.",
    explanation: """
      Some readers take CR and whatever follows it for a line end, others go on to the LF. Between two of them the \
      data begins in two places. No common library writes this; hand-made framing and attacks do.
      """,
    evidence: ChunkTexts.lineEvidence,
    fix: "Sender: end lines with CRLF. Server and proxy: refuse such a message and close.",
    specifications: [.chunkedCoding, .lineEnds], since: "0.1")

  static let row = AnomalyRow(
    [.bareCR], in: [.chunkSize, .chunkEnd, .trailers], "a CR in the chunk framing is not followed by LF")
}
