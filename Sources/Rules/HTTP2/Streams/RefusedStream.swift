import Events

/// A stream that was not taken.
enum RefusedStream: StreamRepeatRule {
  static let info = RuleInfo(
    id: "h2/refused-stream", severity: .warning,
    summary: "A server refused to take a request.",
    explanation: """
      REFUSED_STREAM says that nothing was done, so that the request may be repeated, whatever it is. Mostly the \
      client opened more streams than allowed, before it had read the server's SETTINGS; or the server takes less at a time \
      than it announced, as gRPC servers do that limit calls.
      """,
    evidence: "The RST_STREAM, and the same request where the client sent it again within two seconds.",
    fix: """
      Client: repeat the request once; where it had more streams open than SETTINGS allow, wait for them. Server: announce \
      no more streams than it takes (gRPC: maximum_concurrent_rpcs and the limit of streams).
      """,
    specifications: [.reliability], since: "0.1")

  static var why: StreamRepeat.Why { .refused }
  static func words(_ story: StreamRepeat) -> String { "the server refused the stream" }
}
