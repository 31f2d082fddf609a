import Citation
import Events
import HTTPSemantics

/// The family ws/ on one connection: how it is opened, what is said on it, how it ends.
///
/// Made at the first request for WebSocket or the first frame: most connections never need it.
struct WebSocketRules: Sendable {
  static let infos: [RuleInfo] =
    UpgradeRequestRule.rows.map(\.info) + UpgradeResponseRule.rows.map(\.info) + Refusal.infos + [
      OfferedNotNegotiated.info, HandshakeTimes.slow, HandshakeTimes.noResponse, ClientRejected.info,
    ] + SocketRules.infos
  static let interests: EventKinds = [
    .exchange, .socket, .frame, .socketMessage, .segment, .directionEnded, .connectionClosed,
  ]

  private var handshake = HandshakeStory()
  /// One for each WebSocket of the connection, at most `limit`.
  private var sockets: [SocketRules] = []
  private static let limit = ConnectionRecord.socketLimit

  /// Costs a connection without WebSocket a look at the heads of its requests.
  @inline(__always)
  static func observe(
    _ event: Event, _ rules: inout Rare<WebSocketRules>, in context: FlowContext, report: (Finding) -> Void
  ) {
    if rules.isEmpty {
      guard begins(event) else { return }
      rules.make(WebSocketRules())
    }
    rules.value.observe(event, in: context, report: report)
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
    case .socketOpened(let opening):
      // Drafts have other frames: what is read of them means nothing.
      guard !handshake.isDraft(opening.exchangeKey), sockets.count < Self.limit else { return }
      sockets.append(SocketRules(opening.exchangeKey))
      sockets[sockets.count - 1].observe(event, in: context, report: report)
    case .frame(_, _, let key), .plainFrames(_, let key), .socketMessage(_, let key):
      observe(event, of: key, in: context, report: report)
    case .socketClosed(let record): observe(event, of: record.opening.exchangeKey, in: context, report: report)
    case .connectionClosed:
      handshake.close(sockets.compactMap(\.record), in: context, report: report)
      for index in sockets.indices { sockets[index].observe(event, in: context, report: report) }
    // TCP carries all of them.
    default:
      for index in sockets.indices { sockets[index].observe(event, in: context, report: report) }
    }
  }

  private mutating func observe(
    _ event: Event, of key: ExchangeKey, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let index = sockets.lastIndex(where: { $0.key == key }) else { return }
    sockets[index].observe(event, in: context, report: report)
  }
}
