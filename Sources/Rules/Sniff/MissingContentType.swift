import Citation
import Events
import HTTPSemantics

/// A streaming response without a type that can be read.
enum MissingContentType: ExchangeRule {
  static let info = RuleInfo(
    id: "sniff/missing-content-type", severity: .warning,
    summary: "A streaming response has no valid Content-Type.",
    explanation: """
      Without a type every browser engine and Apple's URLSession guess one from the first bytes, and most of them \
      deliver nothing while they do: up to 512 bytes on Apple systems and in Firefox, up to 1,024 in Chromium. A body \
      that comes in small pieces is late by as much, and another guess is another behaviour. It costs nothing on a \
      response that comes at once, which is why it goes unnoticed until a response is streamed.
      """,
    evidence: """
      The head without the field, or the value that is no media type, and the first pause inside the body. Only bodies \
      that come in more than one burst and have no announced length are meant. Types that say nothing, such as */*, are \
      sniff/unknown-content-type.
      """,
    fix:
      "Server: set the type of what is streamed (text/event-stream, application/x-ndjson, application/octet-stream).",
    specifications: [
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3"),
      Specification("MIME Sniffing", "https://mimesniff.spec.whatwg.org/"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .drip }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.isDrip, let head = response.head, head.isRequestKnown,
      !head.block.lacksFields, head.framing == .chunked || head.framing == .close, let pause = response.longestPause
    else { return }
    let type = head.block.contentType
    let isMissing = type?.essence.isEmpty ?? true
    guard isMissing || (type?.isWellFormed == false && !ClientHold.isUnknown(type?.essence ?? "")) else { return }
    let shown: Evidence =
      if let field = head.block.first("content-type") {
        .field(field, head, response.direction, isMissing ? "an empty type" : "no media type: type/subtype")
      } else {
        Evidence(.packet(head.span.first, response.direction), "no Content-Type")
      }
    report(
      Finding(
        Self.info, confidence: context.isMidstream ? .medium : .high, subject: .connection(context.id),
        exchange: exchange.number, direction: response.direction,
        """
        \(exchange.title): the body is streamed, and \(isMissing ? "has no type" : "its type is invalid"): clients \
        hold it back while they guess.
        """,
        cost: .none, fix: info.fix,
        evidence: [
          shown,
          Evidence(
            .packet(pause.to, response.direction),
            "the body goes on after \(Wording.duration(pause.nanoseconds)), so it is a stream"),
        ]))
  }
}
