import Events
import HTTP2Semantics

/// An answer without a question.
enum PingAckUnasked: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/ping-ack-unasked", severity: .note,
    summary: "A PING is acknowledged that the other side did not send.",
    explanation: "It costs nothing. Where a proxy stands in between, it may have mixed up two connections.",
    evidence: "The frame.",
    fix: "Sender: return the eight bytes of the PING.",
    specifications: [.pings], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.pingUnasked]

  static func words(_ fault: HTTP2Fault) -> String {
    "acknowledged a PING that \(Wording.sender(.toServer)) or server had not sent"
  }
}
