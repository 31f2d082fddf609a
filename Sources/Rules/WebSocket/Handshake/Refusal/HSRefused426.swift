import Events

/// An upgrade that was not seen.
enum HSRefused426: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused-426", severity: .warning, confidence: .medium,
    summary: "A request for WebSocket was answered with Upgrade Required.",
    explanation: """
      With Sec-WebSocket-Version in the answer, the server speaks other versions. Without it, the server did not see an \
      upgrade: a proxy behind this point took the hop-by-hop fields out.
      """,
    evidence: "The request's Upgrade, the status, and Sec-WebSocket-Version where the answer has it.",
    fix: "Proxy: forward Upgrade and Connection, with HTTP/1.1. Client: ask for a version that the server speaks.",
    specifications: [.http("15.5.22"), .webSocket("4.4")], since: "0.1")

  static let statuses: Set<UInt16> = [426]
  static let meaning = "the server asks for an upgrade"
}
