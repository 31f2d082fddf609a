/// What --where can ask about, from the smallest thing that has it: a connection's fields are those of its exchanges,
/// too, and an exchange's those of its findings.
package enum SubjectField: Int, CaseIterable, Sendable {
  // Connections.
  case connection, clientIP, clientPort, serverIP, serverPort, server, tls, sni, alpn, protocols
  case midstream, retransmitted, missing, closeCode, hurt, start, end, duration
  // Exchanges.
  case method, host, path, target, status, version, kind, type, agent
  case wait, firstBody, total, gap, requestBytes, responseBytes, complete
  // Findings.
  case rule, severity, confidence, diagnosis, cost, lost, failed

  package enum Level: Int, Comparable, Sendable {
    case connection, exchange, finding
    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  package var level: Level {
    switch self {
    case .connection, .clientIP, .clientPort, .serverIP, .serverPort, .server, .tls, .sni, .alpn, .protocols,
      .midstream,
      .retransmitted, .missing, .closeCode, .hurt, .start, .end, .duration:
      .connection
    case .method, .host, .path, .target, .status, .version, .kind, .type, .agent, .wait, .firstBody, .total, .gap,
      .requestBytes, .responseBytes, .complete:
      .exchange
    case .rule, .severity, .confidence, .diagnosis, .cost, .lost, .failed: .finding
    }
  }

  package var name: String {
    switch self {
    case .clientIP: "client.ip"
    case .clientPort: "client.port"
    case .serverIP: "server.ip"
    case .serverPort: "server.port"
    case .protocols: "protocol"
    case .closeCode: "close.code"
    case .requestBytes: "request.bytes"
    case .responseBytes: "response.bytes"
    default: String(describing: self)
    }
  }

  package var kind: Field.Kind {
    switch self {
    case .connection, .clientPort, .serverPort, .closeCode, .version: .number
    case .tls, .midstream, .hurt, .complete, .diagnosis, .failed: .flag
    case .retransmitted, .missing, .requestBytes, .responseBytes, .lost: .size
    case .duration, .wait, .firstBody, .total, .gap, .cost: .duration
    case .start, .end: .time
    case .status: .status
    case .clientIP, .serverIP, .server, .sni, .alpn, .protocols, .method, .host, .path, .target, .kind, .type, .agent,
      .rule, .severity, .confidence:
      .text
    }
  }

  fileprivate var words: [String] {
    switch self {
    case .kind: ExchangeKind.allCases.map(\.rawValue)
    case .severity: ["error", "warning", "note"]
    case .confidence: ["high", "medium", "low"]
    default: []
    }
  }

  package static let vocabulary = Vocabulary(
    allCases.map { Field($0.name, id: $0.rawValue, $0.kind, words: $0.words) })

  /// The smallest thing that a condition needs.
  static func level(of condition: Condition) -> Level {
    condition.fields.compactMap { SubjectField(rawValue: $0)?.level }.max() ?? .connection
  }
}

/// What an exchange is or, where a connection has none, what the connection is.
enum ExchangeKind: String, CaseIterable {
  case plain, chunked, sse, ndjson, grpc, longpoll, websocket, tunnel
  // Of connections.
  case tls, tcp
}
