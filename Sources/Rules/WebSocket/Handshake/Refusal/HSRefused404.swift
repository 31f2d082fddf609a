import Events

/// A path that does not exist.
enum HSRefused404: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused-404", severity: .warning, confidence: .medium,
    summary: "The path of a request for WebSocket does not exist.",
    explanation: """
      The server or proxy has nothing under this path: a slash too many or too few, a prefix that a proxy removes, or \
      a library's own path such as /socket.io/.
      """,
    evidence: "The request line and the status.",
    fix: "Client or proxy: compare the path with the server's route, and the slash at its end.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static let statuses: Set<UInt16> = [404]
  static let meaning = "there is nothing under this path"
}
