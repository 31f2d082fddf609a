import Events

/// A page in place of a WebSocket.
enum HSRefused200: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused-200", severity: .warning, confidence: .medium,
    summary: "A request for WebSocket was answered with a page.",
    explanation: """
      The answering server did not look at Upgrade: a static location, the index page of an application with one page, \
      or a proxy's route without the upgrade. The browser shows 1006.
      """,
    evidence: "The request line and the status, and the type of what was sent.",
    fix: "Server: route this path to the WebSocket handler. Proxy: forward the upgrade for it.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static let statuses: Set<UInt16> = [200]
  static let meaning = "the answer is an ordinary response, as if Upgrade had not been read"
}
