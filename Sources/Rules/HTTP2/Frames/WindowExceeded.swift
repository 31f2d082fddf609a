import Events
import HTTP2Semantics

/// More than allowed.
enum WindowExceeded: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/window-exceeded", severity: .error,
    summary: "A side sent more data than it had credit for.",
    explanation: """
      All credit that had passed here is counted, whether it had reached the sender or not. The receiver answers \
      with FLOW_CONTROL_ERROR. Mostly padding is not counted, or a changed INITIAL_WINDOW_SIZE is not applied to \
      streams that are open.
      """,
    evidence: "The frame that is too long.",
    fix: "Sender: count padding, and apply changes of INITIAL_WINDOW_SIZE to open streams.",
    specifications: [.windows], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.windowExceeded]

  static func words(_ fault: HTTP2Fault) -> String {
    "sent \(fault.value) bytes on stream \(fault.frame.stream) where \(fault.limit) were left of the window"
  }
}
