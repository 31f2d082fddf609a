import Events

/// A proxy without a server behind it.
enum HSRefusedGateway: RefusalRule {
  static let info = RuleInfo(
    id: "ws/hs-refused-gateway", severity: .warning, confidence: .medium,
    summary: "A proxy could not open the WebSocket behind it.",
    explanation: """
      502: no server listens, or the answer was no 101. 503: no server is up. 504: no answer within the proxy's \
      timeout; a server may take the request and never answer. 505: the proxy spoke HTTP/1.0 to the server.
      """,
    evidence: "The status, and the time it took.",
    fix:
      "Server: see whether the backend is up and answers 101. Proxy: see its log, and speak HTTP/1.1 to the backend.",
    specifications: [.webSocket("4.1")], causedBy: ["tcp/host-silent"], since: "0.1")

  static let statuses: Set<UInt16> = [502, 503, 504, 505]
  static let meaning = "the failure is behind the server that answered"
}
