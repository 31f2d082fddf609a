import Events
import HTTP2Semantics

/// An unwanted promise.
enum PushForbidden: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/push-forbidden", severity: .error,
    summary: "A push was promised where none may be.",
    explanation: """
      Clients never push, and servers only unless the client has set ENABLE_PUSH to 0. The receiver gives the \
      connection up with PROTOCOL_ERROR.
      """,
    evidence: "The promise.",
    fix: "Server: look at ENABLE_PUSH.",
    specifications: [.pushPromises], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.pushForbidden]

  static func words(_ fault: HTTP2Fault) -> String {
    "promised a push on stream \(fault.frame.stream), and must not"
  }
}
