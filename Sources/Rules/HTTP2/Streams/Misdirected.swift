import Events

/// A request at the wrong server.
enum Misdirected: StreamRepeatRule {
  static let info = RuleInfo(
    id: "h2/misdirected", severity: .warning,
    summary: "A request came to a server that does not answer for its name.",
    explanation: """
      Clients use a connection for all names of its certificate. A server that routes by the name of the handshake answers \
      421 to the others, and the client has to open a connection of its own for them.
      """,
    evidence: "The 421, and the same request on another connection where one follows within five seconds.",
    fix: "Server: one certificate for each virtual host, or answer for all names of the certificate.",
    specifications: [
      Specification("RFC 9110 §15.5.20", "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.20")
    ], since: "0.1")

  static var why: StreamRepeat.Why { .misdirected }
  static func words(_ story: StreamRepeat) -> String { "the server answered 421" }
}
