import Events
import HTTP2Semantics

/// An index beyond the table.
enum HPACKIndex: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/hpack-index", severity: .error,
    summary: "A header block refers to an entry that is not there.",
    explanation: """
      Encoder and decoder do not have the same table any more. No later block of this direction can be read: the \
      receiver gives the connection up with COMPRESSION_ERROR. A proxy that passes blocks on without decoding them, \
      or a lost insertion, is the usual reason.
      """,
    evidence: "The instruction in the block.",
    fix: "Sender: encode header blocks for each connection by itself.",
    specifications: [.hpackIndices], since: "0.1")

  static let blocks: Set<HPACKFaultKind> = [.indexZero, .indexTooLarge]

  static func words(_ fault: HTTP2BlockFault) -> String {
    "refers to entry \(fault.value) of a table of \(fault.limit) in a header block of stream \(fault.stream)"
  }
}
