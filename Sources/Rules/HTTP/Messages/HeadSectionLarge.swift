import Citation
import Events
import HTTPSemantics

/// A head beyond what common servers take.
enum HeadSectionLarge: MessageRule {
  static let info = RuleInfo(
    id: "http/head-section-large", severity: .warning,
    summary: "A head is larger than common servers accept.",
    explanation: """
      Every server bounds what it reads before it answers: nginx 8 KiB for a line and 32 KiB in all, Apache 8 KiB for a \
      field, Tomcat 8 KiB and Node.js 16 KiB for the head, Kestrel 32 KiB. The strictest hop on the way decides, and \
      answers 400, 414, 431 or, in nginx's logs only, 494. Cookies and tokens grow until one user after the other is \
      locked out, and clearing the cookies heals it.
      """,
    evidence: "The packets of the head, its size, and its largest field by name.",
    fix: "Sender of the largest field: keep the state on the server, and let the client carry a reference to it.",
    specifications: [
      Specification("RFC 9110 §5.4", "https://www.rfc-editor.org/rfc/rfc9110#section-5.4"),
      Specification("RFC 6585 §5", "https://www.rfc-editor.org/rfc/rfc6585#section-5"),
    ],
    thresholds: [.headSize], since: "0.1")

  private static let refused: Set<UInt16> = [400, 413, 414, 431, 494]

  static var needs: ExchangeFacts { [] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard exchange.isFinal(message), let head = message.head,
      head.span.count > UInt64(max(0, context.thresholds[.headSize]))
    else { return }
    let isRefused = exchange.isRequest(message) && Self.refused.contains(exchange.status.code)
    let largest = head.block.fields.max { $0.value.count < $1.value.count }
    let isCut = message.headReleased == nil
    var evidence = [
      Evidence(.packet(head.span.first, message.direction), "the head begins"),
      Evidence(
        .packet(head.span.last, message.direction), isCut ? "as far as it was read" : "the head ends"),
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    let name = largest.map { head.block.name($0) } ?? ""
    let size = UInt64(largest?.value.count ?? 0)
    report(
      Finding(
        Self.info, severity: isRefused ? .error : .warning, confidence: isRefused ? .medium : .high,
        subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): a head of \(Wording.bytes(head.span.count))\(isCut ? " or more" : ""), \(Wording.bytes(size)) of it the value of \(name).",
        cost: isRefused ? .failed(.exchange) : .none,
        fix: "Make \(name) smaller where it is set; raise the bounds of all hops only as a stopgap.",
        evidence: evidence))
  }
}

extension Threshold {
  static let headSize = Threshold("http.head-size", .bytes, 8_192, "a larger head is refused by common servers")
}
