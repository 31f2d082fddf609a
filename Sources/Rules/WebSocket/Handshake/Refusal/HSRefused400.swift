import Events

/// A request that is called malformed.
enum HSRefused400: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused-400", severity: .warning, confidence: .medium,
    summary: "A request for WebSocket was refused as malformed.",
    explanation: """
      Nothing is wrong with the request as it was captured. Servers answer 400 where Key, Version, Upgrade or \
      Connection is missing: on the way to the server, behind this point, a proxy may have taken them out.
      """,
    evidence: "The request line and the status.",
    fix: "Proxy: forward Upgrade and Connection, with HTTP/1.1. Capture behind the proxy to see what arrives.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static let statuses: Set<UInt16> = [400]
  static let meaning = "the server calls the request malformed; as captured, it is not"
}
