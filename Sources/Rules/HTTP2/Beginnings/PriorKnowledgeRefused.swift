import Citation
import Events

/// The newer version at the port of the older.
enum PriorKnowledgeRefused: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/prior-knowledge-refused", severity: .error,
    summary: "A server does not speak HTTP/2 without having agreed on it.",
    explanation: """
      The client began with HTTP/2, and the server answered in HTTP/1 or closed the connection. Clients of gRPC say that \
      they tried to connect to an HTTP/1 server.
      """,
    evidence: "The first bytes of the server, or the end of the connection.",
    fix: "Server: turn HTTP/2 on for that port, also without TLS. Client: use the right port, or TLS with ALPN.",
    specifications: [.preface], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = story.record, record.beginning == .prior, record.sides.toClient.frames.isEmpty,
      !story.hasHoles.toClient
    else { return }
    let evidence: Evidence
    let words: String
    if let opening = record.sides.toClient.opening, opening.bytes.starts(with: Array("HTTP/1.".utf8)) {
      let status = String(decoding: opening.bytes.dropFirst(9).prefix { $0.isDigit }, as: UTF8.self)
      words = "answered HTTP/2 with HTTP/1\(status.isEmpty ? "" : " and status \(status)")"
      evidence = Evidence(.packet(opening.packet, .toClient), "the answer")
    } else if record.sides.toClient.opening == nil, context.closedBy == .toClient, let end = context.closedAt {
      words = "closed the connection without an answer to HTTP/2"
      evidence = Evidence(.packet(end, .toClient), "the end of the connection")
    } else {
      return
    }
    report(
      Finding(
        info, subject: .connection(context.id), direction: .toClient, "The server \(words).",
        cost: .failed(.connection), fix: info.fix, evidence: [evidence]))
  }
}
