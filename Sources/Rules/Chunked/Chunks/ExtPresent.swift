import Events
import HTTPSemantics

/// Chunks with extensions.
enum ExtPresent: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/ext-present", severity: .note,
    summary: "Chunks carry extensions.",
    explanation: """
      What stands behind a semicolon in the size line belongs to this hop alone. Recipients ignore what they do not \
      know, proxies drop it, and some small servers do not expect it and refuse the message. Nothing that matters may \
      be sent there.
      """,
    evidence: ChunkTexts.lineEvidence, fix: "Sender: move such data into the content, or into fields.",
    specifications: [.chunkExtensions], since: "0.1")

  static let row = AnomalyRow(
    [.chunkExtension], "chunks carry extensions")
}
