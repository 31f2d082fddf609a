import Citation
import Events
import WebSocketSemantics

/// The first Close of a side.
struct SentClose: Sendable {
  let frame: Frame
  let direction: Direction
  /// The other side's Close, where this one answers it.
  let answered: Frame?
  private let socket: ClosedSocket

  init?(_ direction: Direction, of socket: ClosedSocket) {
    guard let frame = socket.story.close(of: direction) else { return nil }
    self.frame = frame
    self.direction = direction
    self.socket = socket
    answered = socket.story.isFirst(toClose: direction) ? nil : socket.story.close(of: direction.opposite)
  }

  private var story: SocketStory { socket.story }

  var code: UInt16? { frame.closeCode }
  /// It repeats the code that it answers.
  var isEcho: Bool { code != nil && answered?.closeCode == code }
  /// `, repeating the other side's`
  var echo: String { isEcho ? ", repeating the other side's" : "" }

  private static let names: [UInt16: String] = [
    1000: "normal", 1001: "going away", 1002: "protocol error", 1003: "unsupported data", 1007: "invalid payload",
    1008: "policy violation", 1009: "message too big", 1010: "extension missing", 1011: "internal error",
    1012: "service restart", 1013: "try again later", 1014: "bad gateway", 4400: "graphql: bad request",
    4401: "graphql: unauthorized", 4403: "graphql: forbidden", 4406: "graphql: subprotocol not acceptable",
    4408: "graphql: no initialisation in time",
    4409: "graphql: subscriber exists already", 4429: "graphql: too many initialisations",
  ]

  /// Both protocols for GraphQL have codes of their own, all of which are errors.
  func isGraphQLError(_ code: UInt16) -> Bool { isGraphQL && code >= 4000 && Self.names[code] != nil }

  private var isGraphQL: Bool {
    story.opening?.subprotocol?.hasPrefix("graphql") == true
      || socket.record.application?.lowercased().hasPrefix("graphql") == true
  }

  /// `1002 (protocol error)`
  func title(_ code: UInt16) -> String {
    if code >= 4000, !isGraphQL { return String(code) }
    return Self.names[code].map { "\(code) (\($0))" } ?? String(code)
  }

  func finding(
    _ info: RuleInfo, _ what: String, severity: Severity? = nil, cost: Cost = .none, causedBy: RuleID? = nil,
    _ further: [Evidence] = [], in context: FlowContext
  ) -> Finding {
    story.finding(
      info, direction, "\(Wording.sender(direction).atSentenceStart) \(what).", severity: severity, cost: cost,
      causedBy: causedBy,
      [.frame(frame, direction, "Close")] + [Evidence.reason(frame, direction)].compactMap { $0 } + further,
      in: context)
  }
}
