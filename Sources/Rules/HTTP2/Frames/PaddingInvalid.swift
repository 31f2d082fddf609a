import Events
import HTTP2Semantics

/// Padding that does not fit.
enum PaddingInvalid: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/padding-invalid", severity: .error,
    summary: "The padding of a frame is longer than its payload.",
    explanation: "A receiver gives the connection up with PROTOCOL_ERROR.",
    evidence: "The frame's header.",
    fix: "Sender: repair the length of the padding.",
    specifications: [.padding], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.paddingInvalid]

  static func words(_ fault: HTTP2Fault) -> String {
    "sent \(fault.frame.type.name) with \(fault.value) bytes of padding in a payload of \(fault.limit)"
  }
}
