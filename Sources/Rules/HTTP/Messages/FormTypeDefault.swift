import Citation
import Events
import HTTPSemantics

/// A body that is called a form, and is none.
enum FormTypeDefault: ExchangeRule {
  static let info = RuleInfo(
    id: "http/form-type-default", severity: .note, confidence: .medium,
    summary: "A body that is no form is declared as one.",
    explanation: """
      URLSession, curl -d and several other libraries call every body a form by default. The server then looks for \
      fields in JSON or in binary data: frameworks that read forms by themselves have eaten the body before the \
      application asks for it, and firewalls that check forms refuse it.
      """,
    evidence:
      "The type, and the first bytes of the body: JSON, XML, or bytes that no form has. The rest is not looked at.",
    fix: "Client: set Content-Type to what the body is (application/json, application/octet-stream).",
    specifications: [
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3"),
      Specification("URL Standard", "https://url.spec.whatwg.org/#application/x-www-form-urlencoded"),
    ],
    since: "0.1")

  private static let refused: Set<UInt16> = [400, 415, 422]

  static var needs: ExchangeFacts { .body }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let first = request.firstBody, let head = request.head,
      let field = head.block.first("content-type"),
      head.block.contentType?.essence == "application/x-www-form-urlencoded",
      head.block.first("content-encoding") == nil, let what = Self.kind(of: request.opening)
    else { return }
    let isRefused = Self.refused.contains(exchange.status.code)
    let bytes = request.opening
    let opening = Excerpt(bytes.span, isPayload: true)
    var evidence = [
      Evidence.field(field, head, request.direction, "the default of many libraries"),
      Evidence(.packet(first, request.direction), excerpt: opening, "begins like \(what)"),
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    report(
      Finding(
        Self.info, severity: isRefused ? .warning : .note, subject: .connection(context.id), exchange: exchange.number,
        direction: request.direction, "\(exchange.title): the body is declared as a form, and begins like \(what).",
        cost: isRefused ? .failed(.exchange) : .none, fix: info.fix, evidence: evidence))
  }

  /// nil for what may be a form.
  private static func kind(of opening: [UInt8]) -> String? {
    let text = opening.drop { $0.isBlank || $0 == .carriageReturn || $0 == .lineFeed }
    guard let first = text.first else { return nil }
    let next = text.dropFirst().first { !$0.isBlank && $0 != .carriageReturn && $0 != .lineFeed }
    switch (first, next) {
    case (UInt8(ascii: "{"), UInt8(ascii: "\"")?), (UInt8(ascii: "{"), UInt8(ascii: "}")?),
      (UInt8(ascii: "["), UInt8(ascii: "{")?), (UInt8(ascii: "["), UInt8(ascii: "\"")?):
      return "JSON"
    case (UInt8(ascii: "<"), _): return "XML"
    default: break
    }
    let isText = opening.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    return isText ? nil : "binary data"
  }
}
