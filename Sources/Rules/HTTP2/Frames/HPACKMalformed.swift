import Events
import HTTP2Semantics

/// Bytes that mean nothing.
enum HPACKMalformed: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/hpack-malformed", severity: .error,
    summary: "A header block cannot be decoded.",
    explanation: """
      A number is too large, a string goes beyond the block, or its Huffman code is wrong. The receiver gives the \
      connection up with COMPRESSION_ERROR.
      """,
    evidence: "The instruction in the block.",
    fix: "Sender: repair the encoder.",
    specifications: [.hpackPrimitives], since: "0.1")

  static let blocks: Set<HPACKFaultKind> = [.integerTooLarge, .truncated, .huffmanEnd, .huffmanPadding]

  static func words(_ fault: HTTP2BlockFault) -> String {
    let words =
      switch fault.kind {
      case .integerTooLarge: "a number that is too large"
      case .huffmanEnd: "the end of strings inside a string"
      case .huffmanPadding: "a string whose padding is wrong"
      default: "a string or number that goes beyond its end"
      }
    return "sent \(words) in a header block of stream \(fault.stream)"
  }
}
