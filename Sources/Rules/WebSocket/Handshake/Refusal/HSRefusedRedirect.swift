import Events

/// A redirect that no client follows.
enum HSRefusedRedirect: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused-redirect", severity: .warning, confidence: .medium,
    summary: "A request for WebSocket was redirected.",
    explanation: """
      Browsers do not follow a redirect of a WebSocket; the API shows 1006. Usual are http to https, and a slash at the end \
      of the path. Some other clients follow.
      """,
    evidence: "The status and the Location.",
    fix: "Client: use the final URL (wss:// for https://). Server: answer on the first one.",
    specifications: [.webSocketAPI], since: "0.1")

  static let statuses: Set<UInt16> = [301, 302, 303, 307, 308]
  static let meaning = "browsers do not follow a redirect here"
}
