import Events
import HTTP2Semantics

/// Another beginning.
enum PrefaceMissing: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/preface-missing", severity: .error,
    summary: "A connection of HTTP/2 does not begin as it must.",
    explanation: """
      A client begins with a fixed line and SETTINGS, a server with SETTINGS. Whatever else comes first, the other \
      side takes it for an error and closes. What stands there often says who really answered: HTTP/1, TLS, a page.
      """,
    evidence: "The first bytes.",
    fix: "Client: speak the protocol that was agreed on. Server: check what listens on this port.",
    specifications: [.preface], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.prefaceMissing]

  static func words(_ fault: HTTP2Fault) -> String {
    let begins = Wording.sender(.toServer)
    return fault.frame.type == .data && fault.frame.length == 0
      ? "began without the preface that \(begins) has to send"
      : "began with \(fault.frame.type.name) instead of SETTINGS"
  }
}
