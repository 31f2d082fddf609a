import Citation
import Events

/// Packets that the capturing host saw and did not record.
///
/// Lint: what is missing hurts the recording, not the traffic. Findings near a loss have less confidence.
struct PacketsLost: CaptureRule {
  static let info = RuleInfo(
    id: "capture/packets-lost", severity: .warning,
    summary: "The capturing host dropped packets.",
    explanation: """
      The buffer between the kernel and the capturing program was full, or the network card had no room. The connections \
      themselves are not harmed, but packets are absent from the capture: a stream may have holes, a retransmission may \
      look like the first copy, and a silence may be none.
      """,
    evidence: """
      The drop counters that the capture carries: those of a pcapng file's statistics, or of the device while it is \
      captured. Where it is known between which packets they were lost, the packet behind the loss; of many losses the \
      largest. A capture without counters says nothing about drops, and the rule is silent.
      """,
    fix: """
      Capture with a larger buffer (tcpdump -B 65536), a filter that keeps less (port …) or a snapshot length, write to \
      a fast disk, and capture again.
      """,
    specifications: [
      Specification(
        "pcapng, Interface Statistics Block",
        "https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-04.html#name-interface-statistics-block")
    ],
    since: "0.1")

  /// Losses that are cited.
  private static let shown = 5

  func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard let dropped = capture.dropped, dropped > 0 else { return }
    let largest = capture.losses.filter { $0.packets > 0 }.sorted { $0.packets > $1.packets }.prefix(Self.shown)
    let evidence = largest.sorted { $0.before.number < $1.before.number }.map { loss in
      Evidence(.packet(loss.before, nil), loss.sentence)
    }
    report(
      Finding(
        Self.info, subject: .capture, .lost(dropped, of: capture.packets), cost: .none, fix: Self.info.fix,
        evidence: evidence.isEmpty ? [Evidence(.file(offset: nil), "the drop counters of the capture")] : evidence))
  }
}

extension FindingMessage {
  fileprivate static func lost(_ dropped: UInt64, of captured: UInt64) -> Self {
    """
    The capturing host dropped \(Wording.count(dropped, "packet")) and recorded \(Wording.number(captured)): what is \
    missing may be anywhere in the capture.
    """
  }
}
