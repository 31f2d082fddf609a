import Citation
import Events
import HTTPSemantics

/// What answers a request is no HTTP.
enum NotHTTPServer: DisturbedExchangeRule {
  static let info = RuleInfo(
    id: "http/not-http-server", severity: .error,
    summary: "The server answered a request in another protocol.",
    explanation: """
      The client speaks HTTP, and what comes back is something else: the port is that of another service (SSH, a mail \
      server, a database), of TLS, or a proxy in front speaks a protocol of its own. Clients report an invalid response or \
      HTTP/0.9 (curl: Received HTTP/0.9 when not allowed, Node.js: HPE_INVALID_CONSTANT).
      """,
    evidence: """
      The request, and the first bytes that should be a status line. Only where no response came before, and where the bytes \
      are text or those of a known protocol: others may be a body whose head is not there.
      """,
    fix: "Client: check host, port and scheme (http or https). Server: see what listens on this port.",
    specifications: [Specification("RFC 9112 §4", "https://www.rfc-editor.org/rfc/rfc9112#section-4")], since: "0.1")

  static func judge(_ disturbed: DisturbedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let exchange = disturbed.exchange
    guard let foreign = disturbed.story.foreign, disturbed.before == nil, exchange.response == nil,
      exchange.interim.isEmpty,
      let request = exchange.request, request.headReleased != nil, foreign.span.first.number > request.first.number,
      !context.isMidstream, foreign.excerpt.protocolName != nil || foreign.excerpt.isText,
      let line = Evidence.startLine(request, "the request")
    else { return }
    let name = foreign.excerpt.protocolName.map { ": \($0)" } ?? ""
    // Players ask for it, and play what follows.
    let isRadio = foreign.excerpt.bytes.starts(with: "ICY 200".utf8)
    report(
      Finding(
        info, severity: isRadio ? .note : nil, subject: .connection(context.id), exchange: exchange.number,
        direction: request.direction.opposite,
        "\(exchange.title): what the server answers has no status line, and is not HTTP/1.1\(name).",
        cost: isRadio ? .none : .failed(.exchange), fix: info.fix,
        evidence: [line, .content(foreign, request.direction.opposite, "where a status line should be")]))
  }
}

extension Excerpt {
  /// It begins with letters, digits and the like.
  fileprivate var isText: Bool { bytes.count >= 4 && bytes.prefix(4).allSatisfy { 0x20..<0x7F ~= $0 } }

  /// What begins like this.
  fileprivate var protocolName: String? {
    let names: [(String, String)] = [
      ("SSH-", "SSH"), ("220 ", "SMTP or FTP"), ("+OK", "POP3"), ("* OK", "IMAP"), ("RFB ", "VNC"),
      ("-ERR", "Redis or POP3"), ("ICY ", "a stream of Shoutcast, which is not read"), ("\u{15}\u{3}", "TLS"),
      ("\u{16}\u{3}", "TLS"),
    ]
    return names.first { bytes.starts(with: $0.0.utf8) }?.1
  }
}
