import Events
import HTTPSemantics

/// A start line that is not whole.
enum PseudoMissing: HeadRule {
  static let info = RuleInfo(
    id: "h2/pseudo-missing", severity: .error,
    summary: "A head lacks a pseudo-header field that it needs.",
    explanation: """
      Method, scheme and path of a request, and the status of a response, stand in fields of their own. Without one \
      the message is malformed.
      """,
    evidence: "The header block.",
    fix: "Sender: send :method, :scheme and :path with each request, :status with each response.",
    specifications: [.pseudoFields], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    // Of a CONNECT for another protocol, another rule speaks.
    guard !section.isTrailer, section.isKnown, !section.isRequest || section.block.first(":protocol") == nil else {
      return nil
    }
    let names: [StaticString]
    if !section.isRequest {
      names = [":status"]
    } else if let method = section.block.value(":method") {
      if method == "CONNECT" {
        if section.block.first(":authority") == nil { return HeadFlaw(nil, "CONNECT lacks :authority") }
        guard let field = section.block.first(":scheme") ?? section.block.first(":path") else { return nil }
        return HeadFlaw(field, "CONNECT has \(section.name(field))")
      }
      names = [":scheme", ":path"]
    } else {
      names = [":method"]
    }
    for name in names where section.block.first(name) == nil { return HeadFlaw(nil, "\(name) is missing") }
    return nil
  }
}
