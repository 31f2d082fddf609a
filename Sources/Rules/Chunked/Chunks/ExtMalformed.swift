import Events
import HTTPSemantics

/// An extension that does not follow the grammar.
enum ExtMalformed: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/ext-malformed", severity: .error,
    summary: "A chunk's extension does not follow the grammar.",
    explanation: """
      A bare CR or LF inside, a quote that is never closed, a semicolon without a name. Readers that skip extensions \
      look for different line ends in them, and so two hops can find the data in different places: a known way of \
      request smuggling. llhttp, which Node.js reads with, refuses such lines. \(ChunkTexts.curlSentence)
      """,
    evidence: ChunkTexts.lineEvidence,
    fix: "Sender: send no extensions, or name=value pairs. Server and proxy: refuse such a message and close.",
    specifications: [.chunkExtensions], since: "0.1")

  static let row = AnomalyRow(
    [.chunkExtensionMalformed], "a chunk's extension is malformed")
}
