import Citation
import Events
import HTTPSemantics

/// Requests that name a session which their server does not know.
///
/// Bounded: the newest `limit` clients that are refused so.
struct SessionUnknown: CaptureRule {
  static let info = RuleInfo(
    id: "http/session-unknown", severity: .warning, confidence: .high,
    summary: "A server refuses requests because it does not know the session that they name.",
    explanation: """
      Socket.IO without WebSocket, SignalR and MCP spread one session over many requests, and a server keeps the session in \
      the memory of the process that opened it. A request that comes to another process is refused: where several are \
      behind one address and nothing keeps a client with one of them, most attempts to connect fail, and some succeed by \
      chance. The same answer comes when the process was restarted or the session was too old, and then a client that goes \
      on with it is refused again and again.
      """,
    evidence: """
      The first request that names a session and the answer that refuses it, and the last one. Known are what Engine.IO, \
      SignalR and MCP over SSE say of an unknown session, and the 404 of an MCP server to `Mcp-Session-Id`. One refusal may be what is left \
      of a session that has ended: reported are two or more of one client of one host, or one of a request for WebSocket \
      by a session of Engine.IO that is polling. Why the server does not know the \
      session is not in the packets.
      """,
    fix: """
      Server: send all requests of a session to the process that opened it (sticky sessions by cookie or by address), or \
      allow only the WebSocket transport, which is one connection. Client: open a new session after such an answer; do not \
      repeat the request.
      """,
    specifications: [
      Specification(
        "MCP 2025-06-18, Session Management",
        "https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#session-management"),
      Specification("Socket.IO, Using multiple nodes", "https://socket.io/docs/v4/using-multiple-nodes/"),
    ],
    thresholds: [.unknownSessions], since: "0.1")

  private enum Kind: String {
    case engineIO = "Socket.IO"
    case mcp = "MCP"
    case signalR = "SignalR"
  }

  private struct Refusals: Sendable {
    let exchange: SeenExchange
    let kind: Kind
    let answer: Evidence
    let first: PacketRef
    var last: PacketRef
    var count: UInt64 = 0
    /// One of them was the upgrade of a session that goes on.
    var isUpgrade = false
  }

  private static let limit = 64
  /// MCP has no transport that is one connection.
  private static let mcpFix = """
    Server: send all requests of a session to the process that opened it, or keep sessions where every process and the \
    next one after a restart find them. Client: open a new session after a 404; do not repeat the request.
    """

  private var clients = BoundedTable<Asker, Refusals>(limit: limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let exchange = asked.exchange
    let code = exchange.status.code
    let isUpgrade = asked.upgrade != nil
    guard code == 404 || code == 400, !exchange.isPairingUnsure, let response = exchange.response,
      let kind = Self.kind(asked.head, response, code), !isUpgrade || kind == .engineIO,
      let answer = Evidence.startLine(response, "refused")
    else { return }
    let made = Refusals(
      exchange: SeenExchange(asked, in: context), kind: kind, answer: answer, first: asked.request.first,
      last: asked.request.first)
    clients.update(asked.key.asker, orMake: made) { refusals in
      refusals.count += 1
      refusals.last = asked.request.first
      if isUpgrade { refusals.isUpgrade = true }
    }
  }

  /// A request for WebSocket that is refused so; its session was opened by polling, a moment before.
  static func refuses(_ upgrade: Upgrade, _ response: Message) -> Bool {
    kind(upgrade.head, response, upgrade.status) == .engineIO
  }

  private static func kind(_ head: MessageHead, _ response: Message, _ code: UInt16) -> Kind? {
    if code == 404, head.block.first("mcp-session-id") != nil { return .mcp }
    return words.first { $0.code == code && response.opening.starts(with: $0.words.utf8) }?.kind
  }

  /// How such answers begin: of Engine.IO for Node and for Python, and of SignalR. A poll that waited is released with 400,
  /// too, when its session ends.
  private static let words: [(code: UInt16, words: String, kind: Kind)] = [
    (400, "{\"code\":1,", .engineIO), (400, "\"Invalid session ", .engineIO), (400, "Invalid session ", .engineIO),
    (404, "No Connection with that ID", .signalR),
    // Of MCP's first transport, whose sessions stand in the target.
    (404, "Could not find session", .mcp), (400, "No transport found for sessionId", .mcp),
  ]

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let least = UInt64(clamping: thresholds[.unknownSessions])
    for refusals in clients.inOrder where refusals.isUpgrade || refusals.count >= least {
      var finding = refusals.exchange.finding(
        Self.info, .toClient,
        "\(refusals.exchange.title): the server refused \(Wording.count(refusals.count, "request")) because it does not know the \(refusals.kind.rawValue) session that the client names.",
        cost: .failed(.exchange),
        evidence: [
          Evidence(.packet(refusals.first, .toServer), "a request of the session"), refusals.answer,
          Evidence(.packet(refusals.last, .toServer), "the last one that was refused"),
        ])
      if refusals.kind == .mcp { finding.fix = Self.mcpFix }
      report(finding)
    }
  }
}

extension Threshold {
  static let unknownSessions = Threshold(
    "http.unknown-sessions", .count, 2, "so many requests of sessions that the server does not know are no leftover")
}
