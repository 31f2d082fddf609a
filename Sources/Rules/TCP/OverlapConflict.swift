import Citation
import Events

/// Two copies of the same stream bytes are not the same.
struct OverlapConflict: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/overlap-conflict", severity: .error,
    summary: "The same stream bytes were sent twice with different content.",
    explanation: """
      TCP may repeat bytes, but never change them: every byte has one sequence number and one value. When two copies \
      differ, the receiver takes one of them and silently drops the other, and which one depends on its system. The \
      application may have seen other bytes than any tool shows. It is the mark of injected traffic, of an attack on an \
      inspecting middlebox, or of a broken offload engine, driver or virtual switch.
      """,
    evidence: """
      Both packets, with the bytes at the first difference. This report follows the copy that was captured first. Not \
      counted: equal copies, the garbage byte of a keep-alive probe, copies too old to compare, which are marked as \
      such in the timeline, and bytes that come more than two minutes later: no network keeps a packet for so long, and \
      they belong to another connection on the same ports, or have a damaged sequence number.
      """,
    fix: """
      Capture on the receiving host and compare. Same TTL and link-layer source: suspect offload or a driver. \
      Otherwise a middlebox wrote one copy: capture hop by hop, and use TLS.
      """,
    specifications: [
      Specification("RFC 9293 §3.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.4"),
      Specification("RFC 5961 §5", "https://www.rfc-editor.org/rfc/rfc5961#section-5"),
    ],
    since: "0.1")
  static var interests: EventKinds { .overlapConflict }

  /// The maximum segment lifetime of RFC 9293.
  private static let longestLife: Int64 = 120_000_000_000

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .overlapConflict(let conflict, let direction) = event,
      conflict.second.time.since(conflict.first.time) <= Self.longestLife
    else { return }
    let span = { (packet: PacketRef) in ByteSpan(conflict.range, first: packet, last: packet) }
    report(
      Finding(
        Self.info, confidence: context.isMidstream ? .medium : .high, subject: .connection(context.id),
        direction: direction, .differs(conflict, direction), cost: .lost(bytes: conflict.differing),
        fix: Self.info.fix,
        evidence: [
          Evidence(
            .bytes(span(conflict.first), direction), excerpt: conflict.firstBytes,
            "came first: the copy this report follows"),
          Evidence(.bytes(span(conflict.second), direction), excerpt: conflict.secondBytes, "the other copy"),
        ]))
  }
}

extension FindingMessage {
  fileprivate static func differs(_ conflict: Citation.OverlapConflict, _ direction: Direction) -> Self {
    """
    Two copies of \(Wording.sender(direction))'s bytes from offset \(Wording.number(conflict.range.lowerBound)) differ in \
    \(Wording.bytes(conflict.differing)); \(Wording.receiver(direction)) can have taken only one of them.
    """
  }
}
