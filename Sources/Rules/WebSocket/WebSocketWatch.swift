import Citation
import Events
import HTTPSemantics

/// WebSocket on one connection: how it is opened, what is sent on it, how it ends.
///
/// Made at the first request for WebSocket or the first frame: most connections never need it, and it costs them a look
/// at the heads of their requests.
struct WebSocketWatch: ConnectionWatcher {
  static var interests: EventKinds {
    .socket | .frame | .socketMessage | .segment | .fin | .directionEnded | .connectionClosed
  }

  fileprivate struct State: Sendable {
    var handshakes = Handshakes()
    /// One for each WebSocket of the connection, at most `limit`.
    var sockets: [SocketWatch] = []

    static let limit = ConnectionRecord.socketLimit
  }

  private var state = Rare<State>()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let upgrade = Upgrade(exchange) else { return }
    state.make(State())
    state.value.handshakes.observe(upgrade, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if state.isEmpty {
      guard case .socketOpened = event else { return }
      state.make(State())
    }
    state.value.observe(event, in: context, report: report)
  }
}

extension WebSocketWatch.State {
  fileprivate mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .socketOpened(let opening):
      // Drafts have other frames: what is read of them means nothing.
      guard !handshakes.isDraft(opening.exchangeKey), sockets.count < Self.limit else { return }
      sockets.append(SocketWatch(opening.exchangeKey))
      sockets[sockets.count - 1].observe(event, in: context, report: report)
    case .frame(_, _, let key), .plainFrames(_, let key), .socketMessage(_, let key):
      observe(event, of: key, in: context, report: report)
    case .socketEnded(_, _, let key): observe(event, of: key, in: context, report: report)
    case .socketClosed(let record): observe(event, of: record.opening.exchangeKey, in: context, report: report)
    case .connectionClosed:
      handshakes.close(sockets.compactMap(\.record), in: context, report: report)
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
