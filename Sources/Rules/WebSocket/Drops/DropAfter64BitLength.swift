import Events

/// A server that does not know the longest form of lengths.
enum DropAfter64BitLength: DropRule {
  static let info = RuleInfo(
    id: "ws/drop-after-64bit-length", severity: .error,
    summary: "The server closed the connection after a frame with a 64-bit length.",
    explanation: """
      Messages of 65,536 bytes and more have their length in eight bytes. A server that does not know the form ends each \
      connection at the first such message. \(DropRow.unnoticed)
      """,
    evidence: DropRow.evidence, fix: "Server: read lengths in all three forms.",
    specifications: DropRow.specifications, thresholds: [.dropAfter], since: "0.1")

  static let row = DropRow(.long, "a frame with a 64-bit length")
}
