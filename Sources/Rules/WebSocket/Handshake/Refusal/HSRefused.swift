import Events

/// A refusal that explains nothing by itself.
enum HSRefused: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused", severity: .warning,
    summary: "A request for WebSocket was not answered with 101.",
    explanation: """
      No WebSocket came about; browsers show 1006 and nothing of the answer. Raised where a fault of the request \
      explains the answer, under that fault, and for a status that explains nothing by itself.
      """,
    evidence: "The request line and the status.", fix: "Server: see the answer's text and the server's log.",
    specifications: [.webSocket("4.1"), .webSocket("4.2.2")], since: "0.1")

  /// Those that no other rule is about.
  static let statuses: Set<UInt16> = []
  static let meaning = "no WebSocket came about"
}
