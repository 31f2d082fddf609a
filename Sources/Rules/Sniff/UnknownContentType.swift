import Citation
import Events
import HTTPSemantics

/// A type that is there and means nothing.
enum UnknownContentType: ExchangeRule {
  static let info = RuleInfo(
    id: "sniff/unknown-content-type", severity: .warning,
    summary: "Clients treat the Content-Type as if it were missing.",
    explanation: """
      Browser engines ignore `*/*`, `unknown/unknown`, `application/unknown` and anything without a slash, and guess the \
      type as if the field were missing: with the delay of a guess, and with its result.
      """,
    evidence: "The field. A response without a body, and a type that is unusual but has both its halves, do not count.",
    fix: "Server: send the type of the content; application/octet-stream where nothing better is known.",
    specifications: [
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3"),
      Specification("MIME Sniffing", "https://mimesniff.spec.whatwg.org/"),
    ],
    since: "0.1")

  /// What nearly every type is spared to be taken apart by.
  private static func mayBeUnknown(_ value: ArraySlice<UInt8>) -> Bool {
    let bytes = value.span
    guard !bytes.isEmpty, bytes[0] != UInt8(ascii: "*") else { return true }
    var slash = false
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "/") { slash = true }
      // The first word of an unknown type, or its second.
      if byte.lowercased == UInt8(ascii: "u"), bytes.count - index >= 7, matches(bytes, index..<index + 7, "unknown") {
        return true
      }
    }
    return !slash
  }

  static var needs: ExchangeFacts { [.response, .body, .contentType] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.bodyBytes > 0, let head = response.head, head.framing != .tunnel,
      let field = head.block.first("content-type"), Self.mayBeUnknown(head.block.bytes[field.value])
    else { return }
    let essence = head.block.contentType?.essence ?? ""
    guard !essence.isEmpty, ClientHold.isUnknown(essence) else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): clients treat the type \"\(essence)\" as missing, and guess.", cost: .none,
        fix: info.fix,
        evidence: [.field(field, head, response.direction, "as good as no type")]))
  }
}
