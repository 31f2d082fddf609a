import Events
import HTTPSemantics

/// A content coding that the client did not say it could undo.
enum ContentEncodingUnasked: ExchangeRule {
  static let info = RuleInfo(
    id: "http/content-encoding-unasked", severity: .warning,
    summary: "A response is coded in a way that the request did not accept.",
    explanation: """
      The client named the codings it can undo, and got another. Libraries that know it unpack it all the same; others \
      hand the compressed bytes to the application, which shows them as garbage. It comes from caches that store one \
      variant for all, and from files that were compressed in advance.
      """,
    evidence:
      "Accept-Encoding and Content-Encoding. A request without Accept-Encoding accepts any coding, and does not count.",
    fix: "Server or cache: choose the coding by Accept-Encoding, and send Vary: Accept-Encoding.",
    specifications: [
      Specification("RFC 9110 §12.5.3", "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3")
    ],
    since: "0.1")

  static var needs: ExchangeFacts { [.response, .body, .contentEncoding] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let coding = NegotiatedCoding(exchange),
      let odd = coding.codings.first(where: {
        !accepts(coding.request.block, coding.response.block.text(of: $0).lowercased())
      })
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: coding.direction,
        "\(exchange.title): the content is coded with \(coding.response.block.text(of: odd)), which the request does not accept.",
        cost: .none, fix: info.fix, evidence: coding.evidence))
  }

  /// Whether a coding is in the list with another weight than zero, or everything is.
  private static func accepts(_ block: HeaderBlock, _ coding: String) -> Bool {
    var others = false
    let bytes = block.bytes
    for element in block.elements("accept-encoding") {
      let parts = FieldList.split(bytes.span, element, at: UInt8(ascii: ";"))
      let name = block.text(of: parts[0]).lowercased()
      let isRefused = parts.dropFirst().contains { Self.isZeroWeight(block.text(of: $0)) }
      if name == coding || name == "x-" + coding || "x-" + name == coding { return !isRefused }
      if name == "*" { others = !isRefused }
    }
    return others
  }

  private static func isZeroWeight(_ parameter: String) -> Bool {
    let text = parameter.lowercased().filter { $0 != " " && $0 != "\t" }
    guard text.hasPrefix("q=") else { return false }
    let weight = text.dropFirst(2)
    return weight.first == "0" && weight.allSatisfy { $0 == "0" || $0 == "." }
  }
}
