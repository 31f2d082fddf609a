import Citation
import Events
import HTTPSemantics

/// The family ws/ on one connection: how it is opened, what is said on it, how it ends.
///
/// Made at the first request for WebSocket or the first frame, and kept in an array of one or none: most connections never
/// need it.
struct WebSocketRules: Sendable {
  static let infos: [RuleInfo] =
    UpgradeRequestRule.rows.map(\.info) + UpgradeResponseRule.rows.map(\.info) + Refusal.infos + [
      OfferedNotNegotiated.info, HandshakeTimes.slow, HandshakeTimes.noResponse, ClientRejected.info,
    ] + SocketRules.infos
  static let interests: EventKinds = [
    .exchange, .socket, .frame, .socketMessage, .segment, .directionEnded, .connectionClosed,
  ]

  private var handshake = HandshakeStory()
  /// One, once both sides speak WebSocket.
  private var socket: [SocketRules] = []

  /// Costs a connection without WebSocket a look at the heads of its requests.
  @inline(__always)
  static func observe(
    _ event: Event, _ rules: inout [WebSocketRules], in context: FlowContext, report: (Finding) -> Void
  ) {
    if rules.isEmpty {
      guard begins(event) else { return }
      rules.append(WebSocketRules())
    }
    rules[0].observe(event, in: context, report: report)
  }

  private static func begins(_ event: Event) -> Bool {
    switch event {
    case .exchange(let exchange): Upgrade(exchange) != nil
    case .socketOpened: true
    default: false
    }
  }

  private mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .exchange(let exchange): handshake.observe(exchange, in: context, report: report)
    case .socketOpened:
      // Drafts have other frames: what is read of them means nothing.
      guard !handshake.isDraft else { return }
      socket = [SocketRules()]
      socket[0].observe(event, in: context, report: report)
    case .connectionClosed:
      handshake.close(socket.first?.record, in: context, report: report)
      if !socket.isEmpty { socket[0].observe(event, in: context, report: report) }
    default:
      if !socket.isEmpty { socket[0].observe(event, in: context, report: report) }
    }
  }
}
