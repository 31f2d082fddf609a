import Events

/// A client that is not let in.
enum HSRefusedAuth: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused-auth", severity: .warning, confidence: .medium,
    summary: "A request for WebSocket was refused for its credentials or its origin.",
    explanation: """
      Credentials are missing or not accepted, or the page's Origin is not on the server's list. A browser's WebSocket \
      cannot set Authorization, and never prompts for a password: cookies, or a token in the URL or in the first \
      message, are what it has.
      """,
    evidence: "The status, and Origin and Host, which allow-lists compare.",
    fix: "Server: check its list of origins, with scheme and port, and what it expects as credentials.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static let statuses: Set<UInt16> = [401, 403, 407]
  static let meaning = "the server does not let this client or this page in"
}
