import Events
import HTTP2Semantics
import HTTPSemantics

/// One of the other direction, or an unknown one.
enum PseudoUnknown: HeadRule, WireFaultRule {
  static let info = RuleInfo(
    id: "h2/pseudo-unknown", severity: .error,
    summary: "A pseudo-header field stands where it does not belong.",
    explanation: """
      Only the fields that HTTP/2 defines begin with a colon: those of requests in requests, :status in responses, \
      none behind a body. The message is malformed.
      """,
    evidence: "The field.",
    fix: "Sender: do not begin names with a colon.",
    specifications: [.pseudoFields], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    let allowed = section.isTrailer ? [] : section.isRequest ? Self.ofRequests : Self.ofResponses
    for field in section.block.fields where section.block.isPseudo(field) {
      let name = section.block.bytes[field.name]
      if !allowed.contains(where: { $0.elementsEqual(name) }) {
        return HeadFlaw(
          field, "\(section.name(field)) does not belong into \(section.isTrailer ? "trailers" : section.what)")
      }
    }
    return nil
  }

  private static let ofRequests = [":method", ":scheme", ":path", ":authority", ":protocol"].map { Array($0.utf8) }
  private static let ofResponses = [Array(":status".utf8)]

  static let frames: Set<HTTP2Fault.Kind> = [.pseudoAfterEnd]

  static func words(_ fault: HTTP2Fault) -> String {
    "sent pseudo-header fields on stream \(fault.frame.stream) behind its own end of it"
  }
}
