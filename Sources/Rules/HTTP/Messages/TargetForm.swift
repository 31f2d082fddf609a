import Citation
import Events
import HTTPSemantics

/// A request target that does not fit its method, or is not encoded.
enum TargetForm: ExchangeRule {
  static let info = RuleInfo(
    id: "http/target-form", severity: .error,
    summary: "The request target has the wrong form or bytes that cannot stand there.",
    explanation: """
      A target is a path with its query; a whole URL for proxies; host and port for CONNECT; an asterisk for OPTIONS. \
      A fragment, a raw space or a raw byte outside ASCII is not part of any. Servers answer 400, cut the target at \
      the space, or route by what is left, and a proxy and the server behind it need not agree. It comes from clients \
      that write a string into the request line without encoding it.
      """,
    evidence: """
      The request line and, where it was refused, the answer. Characters that ought to be encoded and that every server \
      takes, such as | or quotes, are not counted.
      """,
    fix: "Client: percent-encode path and query as UTF-8, and cut the fragment off, before they become the target.",
    specifications: [
      Specification("RFC 9112 §3.2", "https://www.rfc-editor.org/rfc/rfc9112#section-3.2"),
      Specification("RFC 3986 §2.1", "https://www.rfc-editor.org/rfc/rfc3986#section-2.1"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { [] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let head = request.head, case .request(let method, _, let target) = head.line,
      let what = Self.fault(request, head, method, target)
    else { return }
    let isRefused = exchange.status.code == 400 || exchange.status.code == 404
    var evidence: [Evidence] = []
    // A query may hold secrets: the line is quoted as far as its path goes.
    let line = head.block.bytes.prefix { $0 != .carriageReturn && $0 != .lineFeed && $0 != UInt8(ascii: "?") }
    evidence.append(
      Evidence(
        .bytes(head.block.span(of: line.indices), request.direction), excerpt: head.block.excerpt(of: line.indices),
        what))
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    report(
      Finding(
        Self.info, confidence: isRefused ? .medium : .high, subject: .connection(context.id),
        exchange: exchange.number, direction: request.direction, "\(exchange.title): \(what).",
        cost: isRefused ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: evidence))
  }

  private static func fault(
    _ request: Message, _ head: MessageHead, _ method: Method, _ target: Range<Int>
  ) -> String? {
    if !request.leniences.isEmpty {
      if request.lenience(.spaceInTarget) != nil { return "a raw space stands in the request target" }
      if request.lenience(.startLineTrailingBytes) != nil { return "more follows the version in the request line" }
      if request.lenience(.startLineSpacing) != nil {
        return "the parts of the request line are not parted by one space"
      }
    }
    let held = head.block.bytes
    let bytes = held.span
    for index in target.clamped(to: bytes.indices) {
      let byte = bytes[index]
      if byte == UInt8(ascii: "#") { return "the request target has a fragment" }
      if byte >= 0x80 { return "the request target has raw bytes outside ASCII" }
      if byte < 0x20 || byte == 0x7F { return "the request target has control characters" }
    }
    switch (head.targetForm, method) {
    case (.authority, .connect): return nil
    // SSDP and other extensions know it, too.
    case (.asterisk, .options), (.asterisk, .other): return nil
    case (_, .connect): return "CONNECT requires host and port as its target"
    case (.origin, _), (.absolute, _): return nil
    case (.asterisk, _): return "an asterisk is a target for OPTIONS only"
    case (.authority, _): return "host and port are a target for CONNECT only"
    default: return "the request target is neither a path nor a URL"
    }
  }
}
