import Events
import HTTPSemantics

/// Reads the events of one connection. One value lives per connection, made with the first event that any rule asked
/// for; so what it remembers is bounded and, where it is large and rarely needed, made late.
protocol ConnectionWatcher: Sendable {
  /// Of what is no exchange.
  static var interests: EventKinds { get }
  init()
  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void)
  /// What is no exchange.
  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void)
}

extension ConnectionWatcher {
  static var interests: EventKinds { EventKinds(rawValue: 0) }
  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {}
  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {}
}

/// Reads the exchanges and the ends of all connections in the merger's order, and what is known of the capture once it
/// is read. An exchange without an answer is reported when its connection is over, after others that began later.
///
/// One value lives per capture; what it remembers is bounded.
protocol CaptureWatcher: Sendable {
  init()
  /// Every exchange.
  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void)
  /// An exchange whose request is known.
  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void)
  /// What is no exchange. `context` is nil for events about the capture as a whole.
  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void)
  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void)
  /// What it makes of a finding about one connection, of whatever rule.
  mutating func review(_ finding: inout Finding)
}

extension CaptureWatcher {
  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {}
  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {}
  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {}
  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {}
  mutating func review(_ finding: inout Finding) {}
}

/// An exchange whose request has a whole head, and its target.
struct AskedExchange: Sendable {
  let exchange: ExchangeRecord
  let request: Message
  let head: MessageHead
  let key: RequestKey
  /// What it is as a request for WebSocket.
  let upgrade: Upgrade?

  /// nil where the head never became complete: it says nothing about what was asked.
  init?(_ exchange: ExchangeRecord, _ context: FlowContext) {
    guard let request = exchange.request, request.headReleased != nil, let head = request.head else { return nil }
    self.exchange = exchange
    self.request = request
    self.head = head
    key = RequestKey(head, context)
    upgrade = Upgrade(exchange)
  }
}
