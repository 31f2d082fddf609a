// Rules judge. A rule reads events, keeps what state it needs, and reports findings with their cost and evidence; it
// never sees a parser, a packet or an output format. Families are folders: a rule is a type in a file of its own, and the
// lists that hold and run it are written by .ci/index.
import Events

/// A family of rules, as the listings and tests see it.
package struct RuleFamily: Sendable {
  /// The first part of every id in the family.
  package let prefix: String
  /// The name of its folder in lower case.
  package let folder: String
  package let rules: [RuleInfo]

  init(prefix: String, folder: String? = nil, rules: [RuleInfo]) {
    self.prefix = prefix
    self.folder = folder ?? prefix
    self.rules = rules
  }
}

/// Every rule there is, sorted by id.
package enum Registry {
  package static let families: [RuleFamily] = [
    RuleFamily(prefix: "capture", rules: CaptureIndex.rules.map { $0.info }),
    RuleFamily(prefix: "case", rules: CaseIndex.rules.map { $0.info }),
    RuleFamily(prefix: "chunked", rules: ChunkedIndex.rules.map { $0.info }),
    RuleFamily(prefix: "direct", rules: DirectIndex.rules.map { $0.info }),
    RuleFamily(prefix: "grpc", rules: GRPCIndex.rules.map { $0.info }),
    RuleFamily(prefix: "h2", folder: "http2", rules: HTTP2Index.rules.map { $0.info }),
    RuleFamily(prefix: "http", rules: HTTPIndex.rules.map { $0.info }),
    RuleFamily(prefix: "llm", rules: LLMIndex.rules.map { $0.info }),
    RuleFamily(prefix: "multipart", rules: MultipartIndex.rules.map { $0.info }),
    RuleFamily(prefix: "poll", rules: PollIndex.rules.map { $0.info }),
    RuleFamily(prefix: "proxy", rules: ProxyIndex.rules.map { $0.info }),
    RuleFamily(prefix: "sniff", rules: SniffIndex.rules.map { $0.info }),
    RuleFamily(prefix: "sse", rules: SSEIndex.rules.map { $0.info }),
    RuleFamily(prefix: "stream", rules: StreamIndex.rules.map { $0.info }),
    RuleFamily(prefix: "tcp", rules: TCPIndex.rules.map { $0.info }),
    RuleFamily(prefix: "tls", rules: TLSIndex.rules.map { $0.info }),
    RuleFamily(prefix: "ws", folder: "websocket", rules: WebSocketIndex.rules.map { $0.info }),
  ]

  package static let all: [RuleInfo] = families.flatMap(\.rules).sorted { $0.id < $1.id }

  package static func info(_ id: RuleID) -> RuleInfo? { all.first { $0.id == id } }

  /// Rules whose id begins with a selector: `tcp`, `tcp/`, `tcp/rst-out-of-window`.
  package static func matching(_ selector: String) -> [RuleInfo] { all.filter { $0.id.text.hasPrefix(selector) } }
}
