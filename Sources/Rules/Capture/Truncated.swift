import Citation
import Events

/// The capture file ends in the middle of a packet, or is damaged.
struct Truncated: CaptureRule {
  static let info = RuleInfo(
    id: "capture/truncated", severity: .warning,
    summary: "The capture file was cut short or is damaged.",
    explanation: """
      The file ends inside a packet, or what follows is not a packet: the disk was full, the copy was interrupted, or \
      the capturing program was killed before it wrote its buffer. Everything up to that place was analysed. Streams \
      that look unfinished may have gone on.
      """,
    evidence: "The byte offset in the file, and the last whole packet before it.",
    fix: """
      Copy the file again and compare sizes. When capturing, stop tcpdump with SIGINT rather than SIGKILL, and use -U so \
      that each packet is written at once.
      """,
    specifications: [],
    since: "0.1")

  func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard let cut = capture.cut else { return }
    report(
      Finding(
        Self.info, subject: .capture, .cut(at: cut.offset, after: cut.packets), cost: .none,
        fix: Self.info.fix,
        evidence: [Evidence(.file(offset: cut.offset), "the file is whole up to here")]))
  }
}

extension FindingMessage {
  fileprivate static func cut(at offset: UInt64, after packets: UInt64) -> Self {
    """
    The file breaks off at byte \(Wording.number(offset)), after \(Wording.count(packets, "whole packet")); nothing \
    after that can be read.
    """
  }
}
