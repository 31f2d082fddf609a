import Events
import HTTPSemantics

/// Chunk sizes of fixed width.
enum SizeLeadingZeros: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/size-leading-zeros", severity: .note,
    summary: "Chunk sizes are padded with zeros.",
    explanation: """
      This is legal, and the usual way to write a size line of fixed width before the size is known. Readers limit the \
      digits they take: curl stops at 16, h11 at 20. Eight digits work everywhere.
      """,
    evidence: ChunkTexts.lineEvidence, fix: "Nothing, up to 16 digits. Sender: write shorter sizes beyond that.",
    specifications: [.chunkedCoding], since: "0.1")

  static let row = AnomalyRow(
    [.chunkSizeLeadingZeros], "chunk sizes are padded with zeros")
}
