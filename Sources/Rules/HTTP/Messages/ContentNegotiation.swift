import Citation
import Events
import HTTPSemantics

/// A content coding that the client did not say it could undo, and a compressed response that hides what it depends on.
struct ContentNegotiation: Sendable {
  static let unasked = RuleInfo(
    id: "http/content-encoding-unasked", severity: .warning,
    summary: "A response is coded in a way that the request did not accept.",
    explanation: """
      The client named the codings it can undo, and got another. Libraries that know it unpack it all the same; others \
      hand the compressed bytes to the application, which shows them as garbage. It comes from caches that store one \
      variant for all, and from files that were compressed in advance.
      """,
    evidence:
      "Accept-Encoding and Content-Encoding. A request without Accept-Encoding accepts any coding, and is not this.",
    fix: "Server or cache: choose the coding by Accept-Encoding, and send Vary: Accept-Encoding.",
    specifications: [
      Specification("RFC 9110 §12.5.3", "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3")
    ],
    since: "0.1")

  static let unvaried = RuleInfo(
    id: "http/vary-missing", severity: .note,
    summary: "A compressed response does not say that it depends on Accept-Encoding.",
    explanation: """
      A cache between the two stores the response under the URL alone and gives it to everybody, also to clients that \
      cannot undo the coding. Nothing shows until the first of those asks. Vary: Accept-Encoding makes the cache keep \
      one response for each.
      """,
    evidence: """
      Accept-Encoding, and Content-Encoding in a response to GET without Vary. Responses that no shared cache may store \
      (private, no-store) are not this.
      """,
    fix: "Server: send Vary: Accept-Encoding wherever the coding is negotiated (nginx: gzip_vary on).",
    specifications: [
      Specification("RFC 9110 §12.5.5", "https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5"),
      Specification("RFC 9111 §4.1", "https://www.rfc-editor.org/rfc/rfc9111#section-4.1"),
    ],
    since: "0.1")

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.bodyBytes > 0, let head = response.head, head.isRequestKnown,
      let coding = head.block.first("content-encoding"), let request = exchange.request, let asked = request.head,
      let accept = asked.block.first("accept-encoding")
    else { return }
    let codings = head.block.elements("content-encoding").filter {
      !$0.isEmpty && !head.block.reads("identity", at: $0)
    }
    guard !codings.isEmpty else { return }
    let evidence: [Evidence] = [
      .field(accept, asked, request.direction, "what the client takes"),
      .field(coding, head, response.direction, "what it gets"),
    ]
    if let odd = codings.first(where: { !Self.accepts(asked.block, head.block.text(of: $0).lowercased()) }) {
      report(
        Finding(
          Self.unasked, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
          "\(exchange.title): the content is coded with \(head.block.text(of: odd)), which the request does not accept.",
          cost: .none, fix: "Server or cache: choose the coding by Accept-Encoding.", evidence: evidence))
    }
    guard asked.method == .get, !Self.varies(head.block), !Self.isPrivate(head.block) else { return }
    report(
      Finding(
        Self.unvaried, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the compressed response has no Vary: Accept-Encoding; a shared cache would give it to all.",
        cost: .none, fix: "Server: send Vary: Accept-Encoding.", evidence: evidence))
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

  private static func varies(_ block: HeaderBlock) -> Bool {
    block.contains("accept-encoding", in: "vary") || block.contains("*", in: "vary")
  }

  private static func isPrivate(_ block: HeaderBlock) -> Bool {
    block.contains("private", in: "cache-control") || block.contains("no-store", in: "cache-control")
  }
}
