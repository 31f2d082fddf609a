import Events
import HTTPSemantics

/// A stream that caches may keep.
enum Cacheable: ExchangeRule {
  static let info = RuleInfo(
    id: "stream/cacheable", severity: .warning,
    summary: "A streamed response does not forbid caching.",
    explanation: """
      A cache that may store a response has reason to collect it first, and may answer the next request with an old stream. \
      Without Cache-Control a 200 to GET may be kept by a guess at its age. Browsers and CDNs do so at times, and the \
      difference shows only where one is in the way.
      """,
    evidence:
      "The head of the response: its Cache-Control, or that it has none. no-store, no-cache and max-age=0 are enough.",
    fix: "Server: Cache-Control: no-cache (or no-store) on every stream.",
    specifications: [
      Specification("RFC 9111 §3", "https://www.rfc-editor.org/rfc/rfc9111#section-3"),
      Specification("RFC 9111 §4.2.2", "https://www.rfc-editor.org/rfc/rfc9111#section-4.2.2"),
    ], since: "0.1")

  static var needs: ExchangeFacts { .declaredItems }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, head.status.code == 200, head.isRequestKnown,
      !head.block.lacksFields,
      exchange.request?.head?.method == .get
    else { return }
    let block = head.block
    let forbids = block.hasElement("cache-control") { directive in
      block.reads("no-store", at: directive) || block.reads("no-cache", at: directive.prefix(8))
        || block.reads("max-age=0", at: directive)
    }
    guard !forbids else { return }
    let shown =
      Evidence.field("cache-control", of: response, "does not forbid to keep it")
      ?? Evidence(.packet(head.span.first, response.direction), "no Cache-Control")
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): caches may keep this stream, or collect it before they pass it on.", cost: .none,
        fix: info.fix, evidence: [shown]))
  }
}
