import Events
import HTTPSemantics

/// A status that HTTP/2 does not have.
enum H2Status101: HeadRule {
  static let info = RuleInfo(
    id: "ws/h2-status-101", severity: .error,
    summary: "A response of HTTP/2 has the status 101.",
    explanation: "HTTP/2 has no Upgrade. A CONNECT for WebSocket is accepted by 200; clients take 101 for an error.",
    evidence: "The field :status.",
    fix: "Server or proxy: accept with 200.",
    specifications: [.streamSockets], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    guard !section.isRequest, let field = section.block.first(":status"), section.block.value(field) == "101" else {
      return nil
    }
    return HeadFlaw(field, "the status is 101")
  }
}
