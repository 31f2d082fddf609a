import Citation
import Events
import HTTPSemantics

/// A field that can be there once, and is there twice.
enum DuplicateSingleton: MessageRule {
  static let info = RuleInfo(
    id: "http/duplicate-singleton", severity: .warning,
    summary: "A field that may occur once occurs more than once.",
    explanation: """
      Only fields that are lists may be repeated. Of the others some readers take the first, some the last, some join \
      both with a comma, and none is wrong; so the filter in front and the application behind it may see different \
      values. Browsers refuse a second Access-Control-Allow-Origin, and a second Host is a reason for 400. Mostly a \
      proxy and the application both set the field.
      """,
    evidence: "The first two such fields, equal or not. Set-Cookie and list fields may be repeated, and do not count.",
    fix: """
      Sender that adds the second: replace the field instead of adding one (nginx: proxy_hide_header; frameworks: set, \
      not add).
      """,
    specifications: [
      Specification("RFC 9110 §5.3", "https://www.rfc-editor.org/rfc/rfc9110#section-5.3"),
      Specification("RFC 9112 §3.2", "https://www.rfc-editor.org/rfc/rfc9112#section-3.2"),
    ],
    since: "0.1")

  /// Content-Length has rules of its own.
  private static let names: [StaticString] = [
    "host", "content-type", "location", "authorization", "proxy-authorization", "etag", "date", "user-agent", "server",
    "referer", "from", "max-forwards", "last-modified", "if-modified-since", "if-unmodified-since", "if-range", "range",
    "content-range", "content-location", "content-disposition", "expires", "age", "retry-after", "origin",
    "access-control-allow-origin", "access-control-allow-credentials", "strict-transport-security",
  ]

  static var needs: ExchangeFacts { .repeats }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let head = message.head, head.block.mayRepeat, exchange.isFinal(message) else { return }
    for repeated in Self.repeated(in: head.block) {
      let isHost = head.block.isNamed("host", repeated.first)
      let isRefused = exchange.isRequest(message) && exchange.status.code == 400
      let isSecret =
        head.block.isNamed("authorization", repeated.first) || head.block.isNamed("proxy-authorization", repeated.first)
      let isEqual = head.block.value(repeated.first) == head.block.value(repeated.second)
      var evidence = [(repeated.first, "the first"), (repeated.second, "again")].map { field, note in
        let line = isSecret ? field.name : field.name.lowerBound..<max(field.name.upperBound, field.value.upperBound)
        return Evidence(
          .bytes(head.block.span(of: line), message.direction), excerpt: head.block.excerpt(of: line), note)
      }
      if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
      report(
        Finding(
          Self.info, severity: isHost ? .error : .warning, confidence: isRefused && !isHost ? .medium : .high,
          subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
          "\(exchange.title): \(head.block.name(repeated.first)) occurs more than once, with \(isEqual ? "equal" : "different") values.",
          cost: isRefused ? .failed(.exchange) : .none, fix: info.fix, evidence: evidence))
    }
  }

  private static func repeated(in block: HeaderBlock) -> [(first: HeaderField, second: HeaderField)] {
    var seen: [32 of Int] = .init(repeating: -1)
    var found: [(first: HeaderField, second: HeaderField)] = []
    for (place, field) in block.fields.enumerated() {
      guard let index = names.firstIndex(where: { block.isNamed($0, field) }), index < 32 else { continue }
      if seen[index] == -1 {
        seen[index] = place
      } else if seen[index] >= 0 {
        found.append((block.fields[seen[index]], field))
        seen[index] = -2
      }
    }
    return found
  }
}
