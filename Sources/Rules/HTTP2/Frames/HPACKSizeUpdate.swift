import Events
import HTTP2Semantics

/// A size that may not be.
enum HPACKSizeUpdate: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/hpack-size-update", severity: .error,
    summary: "A change of the table's size is too large, in the wrong place, or missing.",
    explanation: """
      The size of the table is at most what the receiver set, and changes at the beginning of a block. The receiver \
      gives the connection up with COMPRESSION_ERROR.
      """,
    evidence: "The instruction in the block.",
    fix: "Sender: follow HEADER_TABLE_SIZE, and announce a new size first in the next block.",
    specifications: [.hpackSizes], since: "0.1")

  static let blocks: Set<HPACKFaultKind> = [.sizeUpdateTooLarge, .sizeUpdateLate, .sizeUpdateMissing]

  static func words(_ fault: HTTP2BlockFault) -> String {
    switch fault.kind {
    case .sizeUpdateTooLarge: "sets the table to \(fault.value) bytes where \(fault.limit) are allowed"
    case .sizeUpdateLate: "sets the table's size behind the first field of a block"
    default: "does not announce a smaller table after the limit was lowered to \(fault.limit)"
    }
  }
}
