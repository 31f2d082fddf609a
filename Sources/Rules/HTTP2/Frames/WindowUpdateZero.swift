import Events
import HTTP2Semantics

/// No credit.
enum WindowUpdateZero: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/window-update-zero", severity: .error,
    summary: "Credit of 0 bytes was given.",
    explanation: "A receiver of such a WINDOW_UPDATE answers with PROTOCOL_ERROR.",
    evidence: "The frame.",
    fix: "Sender: send credit only when there is some.",
    specifications: [.windowUpdates], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.windowUpdateZero]

  static func words(_ fault: HTTP2Fault) -> String {
    fault.frame.stream == 0
      ? "gave the connection credit of 0 bytes" : "gave stream \(fault.frame.stream) credit of 0 bytes"
  }
}
