import Events
import HTTPSemantics

/// An event stream in another encoding than UTF-8.
enum BadCharset: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/bad-charset", severity: .warning,
    summary: "An event stream is not UTF-8, or declares another charset.",
    explanation: """
      Event streams are decoded as UTF-8 whatever the charset says: bytes of Latin-1 or Windows-1252 become replacement \
      characters. A charset other than utf-8 also makes strict clients refuse the stream.
      """,
    evidence: "The Content-Type with the charset, or the packet with the first byte that cannot stand there in UTF-8.",
    fix: "Server: encode events in UTF-8, and send Content-Type: text/event-stream without charset or with utf-8.",
    specifications: [
      .eventStreamFormat, Specification("RFC 3629 §3", "https://www.rfc-editor.org/rfc/rfc3629#section-3"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .events }

  private static func otherCharset(_ block: HeaderBlock) -> String? {
    // Nearly always there is no parameter.
    guard let field = block.first("content-type"), block.bytes[field.value].contains(UInt8(ascii: ";")),
      let named = block.contentType?["charset"], !named.isEmpty, !["utf-8", "utf8"].contains(named.lowercased())
    else { return nil }
    return named
  }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let events = exchange.eventResponse else { return }
    let response = events.message
    let anomaly = response.isWhollyCaptured ? events.stream.anomaly(.invalidUTF8) : nil
    let charset = response.head.flatMap { otherCharset($0.block) }
    guard anomaly != nil || charset != nil else { return }
    var evidence: [Evidence] = []
    if charset != nil, let field = Evidence.field("content-type", of: response, "clients decode UTF-8 all the same") {
      evidence.append(field)
    }
    if let anomaly {
      evidence.append(Evidence(.packet(anomaly.packet, response.direction), "a byte that is not UTF-8"))
    }
    let said = charset.map { "the stream is declared as \($0)" }
    let found = anomaly.map { "\(Wording.count($0.count, "byte")) that cannot be UTF-8" }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): \([said, found].compactMap { $0 }.joined(separator: ", and has ")); receivers decode event streams as UTF-8 alone.",
        cost: .none, fix: info.fix, evidence: evidence))
  }
}
