import Events
import HTTPSemantics

/// A line of the chunk framing that ends in LF alone.
enum ChunkedBareLF: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/bare-lf", severity: .error,
    summary: "A line of the chunk framing ends in LF alone.",
    explanation: """
      Size lines, the end of a chunk's data and trailer lines end in CRLF; the leniency that HTTP allows for bare LF \
      is meant for heads only. Readers part ways here: nginx before 1.29.4 took it, later ones close the connection, \
      llhttp and Go refuse it. Such a peer works until something on the way is updated. \(ChunkTexts.curlSentence)
      """,
    evidence: ChunkTexts.lineEvidence,
    fix: """
      Sender: write \\r\\n after the size, after the data and after the last line; code that prints text with \\n, or \
      a text-mode stream, is the usual reason.
      """,
    specifications: [.chunkedCoding, .lineEnds], since: "0.1")

  static let row = AnomalyRow(
    [.bareLF], in: [.chunkSize, .chunkEnd, .trailers], "a line of the chunk framing ends in LF without CR")
}
