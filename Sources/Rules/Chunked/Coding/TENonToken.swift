import Events
import HTTPSemantics

/// Bytes that no name of a coding has.
enum TENonToken: AnomalyRule {
  static let info = RuleInfo(
    id: "chunked/te-non-token", severity: .error,
    summary: "Transfer-Encoding holds bytes that no coding name may have.",
    explanation: """
      A vertical tab, a quote, a byte above 0x7F or a space inside the name. Some readers trim such bytes and see \
      chunked, others see an unknown coding and fall back on Content-Length. No client writes this by accident: it is \
      the classical way to hide a request inside another.
      """,
    evidence: ChunkTexts.fieldEvidence + " The excerpt begins near the first such byte.",
    fix: "Proxy and server: answer 400 and close. Sender: if it is your own code, find what builds the value.",
    specifications: [.transferCodings, .transferEncoding], since: "0.1")

  static let row = AnomalyRow(
    [.transferEncodingMalformed], "Transfer-Encoding holds bytes that are not part of any coding's name")
}
