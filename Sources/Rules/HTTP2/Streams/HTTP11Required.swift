import Events

/// A resource that HTTP/2 cannot reach.
enum HTTP11Required: StreamRepeatRule {
  static let info = RuleInfo(
    id: "h2/http11-required", severity: .warning,
    summary: "A server wants HTTP/1.1 for a request.",
    explanation: """
      Client certificates that are asked for in the middle of a connection, and WebSocket on a route without extended \
      CONNECT, need HTTP/1.1. Clients repeat the request on another connection, or show an error.
      """,
    evidence: "The RST_STREAM, and the request of HTTP/1.1 where one follows within five seconds.",
    fix: "Server: ask for certificates in the handshake, and announce what its routes can do.",
    specifications: [.errorCodes], since: "0.1")

  static var why: StreamRepeat.Why { .http11Required }
  static func words(_ story: StreamRepeat) -> String { "the server wants HTTP/1.1 for it" }
}
