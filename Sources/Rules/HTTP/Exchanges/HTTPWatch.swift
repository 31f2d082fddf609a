import Citation
import Events
import HTTPSemantics

/// Watches the exchanges of a connection beside its segments, for rules that need both. Bounded.
struct HTTPWatch: ConnectionWatcher {
  static var interests: EventKinds { ConnectionStory.interests | .connectionClosed }

  private var story = ConnectionStory()
  /// The last exchange, where it was answered.
  private var answered: AnsweredExchange?
  /// The last exchange that was answered before its request was over: a reset may follow.
  private var early: ExchangeRecord?
  /// The first exchange whose answer began after the client's FIN: a reset may follow.
  private var late: ExchangeRecord?
  private var unmatched = UnmatchedResponses()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if exchange.mayBeDisturbed {
      let disturbed = DisturbedExchange(exchange: exchange, story: story, before: answered)
      for rule in RuleIndex.disturbedExchangeRules { rule.judge(disturbed, in: context, report: report) }
    }
    if let next = AnsweredExchange(exchange) {
      answered = next
    } else if exchange.request != nil {
      answered = nil
    }
    if exchange.isAnsweredEarly { early = exchange }
    if late == nil, let fin = story.fins.toServer, let response = exchange.response, exchange.request != nil,
      response.first.number > fin.number
    {
      late = exchange
    }
    unmatched.add(exchange)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .connectionClosed = event else { return story.observe(event) }
    let closed = ClosedConnection(story: story, early: early, late: late, unmatched: unmatched)
    for rule in RuleIndex.closedConnectionRules { rule.judge(closed, in: context, report: report) }
  }
}

/// An exchange, and what was seen of its connection until it was over.
struct DisturbedExchange: Sendable {
  let exchange: ExchangeRecord
  let story: ConnectionStory
  /// The exchange before it, where it was answered.
  let before: AnsweredExchange?

  /// The first of its connection, and soon: that was not idle, and a server that closes it means the request.
  func isNew(in context: FlowContext) -> Bool {
    before == nil && exchange.number == 1 && !context.isMidstream
      && exchange.first.time.since(context.firstPacket.time) < context.thresholds[.idleReuse]
  }
}

/// Judges an exchange of which the segments may show what went wrong.
protocol DisturbedExchangeRule: StoryRule where Story == DisturbedExchange {}

/// A connection that is over.
struct ClosedConnection: Sendable {
  let story: ConnectionStory
  let early: ExchangeRecord?
  let late: ExchangeRecord?
  let unmatched: UnmatchedResponses
}

/// Judges the exchanges of a connection when it is over.
protocol ClosedConnectionRule: StoryRule where Story == ClosedConnection {}

/// The end of an exchange after which the connection may be used again.
struct AnsweredExchange: Sendable {
  let last: PacketRef
  let direction: Direction
  /// A close was promised in it.
  let isClosing: Bool

  init?(_ exchange: ExchangeRecord) {
    guard let response = exchange.response else { return nil }
    last = exchange.last
    direction = response.direction
    isClosing = response.head?.saysClose == true || exchange.request?.head?.saysClose == true
  }
}

extension ExchangeRecord {
  /// Most exchanges have no request body and an answer: nothing that the segments would have to explain.
  fileprivate var mayBeDisturbed: Bool {
    response == nil || !interim.isEmpty || request?.lastBody != nil || wait ?? 0 >= Self.long
  }

  /// A wait that may need an explanation.
  private static let long: Int64 = 200_000_000
}
