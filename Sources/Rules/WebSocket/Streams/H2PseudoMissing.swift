import Events
import HTTPSemantics

/// An extended CONNECT that is not whole.
enum H2PseudoMissing: HeadRule {
  static let info = RuleInfo(
    id: "ws/h2-pseudo-missing", severity: .error,
    summary: "A CONNECT for WebSocket over HTTP/2 lacks a pseudo-header field.",
    explanation: """
      With :protocol a CONNECT has :scheme, :path and :authority like any other request. Without one of them it is \
      malformed.
      """,
    evidence: "The header block.",
    fix: "Client: send :method CONNECT, :protocol, :scheme, :path and :authority.",
    specifications: [.extendedConnect], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    guard section.isRequest, !section.isTrailer, section.isKnown, let field = section.block.first(":protocol") else {
      return nil
    }
    guard section.block.value(":method") == "CONNECT" else {
      return HeadFlaw(field, "the method of :protocol is not CONNECT")
    }
    let names: [StaticString] = [":scheme", ":path", ":authority"]
    for name in names where section.block.first(name) == nil { return HeadFlaw(nil, "\(name) is missing") }
    return nil
  }
}

extension Specification {
  static let extendedConnect = Specification("RFC 8441 §4", "https://www.rfc-editor.org/rfc/rfc8441#section-4")
  static let connectSetting = Specification("RFC 8441 §3", "https://www.rfc-editor.org/rfc/rfc8441#section-3")
  static let streamSockets = Specification("RFC 8441 §5", "https://www.rfc-editor.org/rfc/rfc8441#section-5")
}
