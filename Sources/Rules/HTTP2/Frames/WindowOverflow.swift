import Events
import HTTP2Semantics

/// A window beyond 31 bits.
enum WindowOverflow: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/window-overflow", severity: .error,
    summary: "A window was made larger than 2,147,483,647 bytes.",
    explanation: "The sender of data answers with FLOW_CONTROL_ERROR.",
    evidence: "The frame.",
    fix: "Receiver: give back what was received, and not more.",
    specifications: [.windows], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.windowOverflow]

  static func words(_ fault: HTTP2Fault) -> String {
    "raised a window to \(fault.value) bytes"
  }
}
