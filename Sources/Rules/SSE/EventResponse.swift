import Citation
import Events
import HTTPSemantics

/// What rules about event streams share.
extension Specification {
  static let eventSourceModel = Specification(
    "HTML §9.2.3", "https://html.spec.whatwg.org/multipage/server-sent-events.html#sse-processing-model")
  static let eventStreamFormat = Specification(
    "HTML §9.2.6", "https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation")
  static let eventStreamNotes = Specification(
    "HTML §9.2.7", "https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes")
  static let lastEventID = Specification(
    "HTML §9.2.4", "https://html.spec.whatwg.org/multipage/server-sent-events.html#the-last-event-id-header")
}

extension MessageHead {
  /// A request as EventSource sends it: GET, and events are accepted.
  var asksForEvents: Bool {
    guard method == .get, let accept = block.first("accept"), accept.value.count >= 17 else { return false }
    return block.hasElement("accept") { block.reads("text/event-stream", at: $0.prefix(17)) }
  }

  /// As a browser's EventSource writes it: nothing else is accepted, nor taken from a cache. Who asks by fetch and reads
  /// the events himself seldom writes both.
  var isEventSources: Bool {
    guard asksForEvents, isBrowsers, let accept = block.first("accept"), let cache = block.first("cache-control") else {
      return false
    }
    return block.reads("text/event-stream", at: accept.value) && block.reads("no-cache", at: cache.value)
  }

  /// Sent by something that calls itself a browser.
  var isBrowsers: Bool {
    guard let agent = block.first("user-agent") else { return false }
    return block.bytes[agent.value].starts(with: "Mozilla/".utf8)
  }
}

extension ExchangeRecord {
  /// A side was the first to end it, whatever the other answered: a FIN is often answered by a RST.
  func wasEndedFirst(by direction: Direction, _ context: FlowContext) -> Bool {
    let closing = context.closing(of: self)
    // A reset that answers the other side's FIN was not first.
    if closing.by == direction { return closing.firstBy != direction.opposite }
    guard let end = end.sides[direction], let first = closing.firstEnd else { return false }
    return end.end == .fin && end.packet.number == first.number
  }

  /// The FIN or reset by which a side was the first to end it.
  func firstEnd(by direction: Direction, _ context: FlowContext) -> PacketRef? {
    guard wasEndedFirst(by: direction, context) else { return nil }
    let closing = context.closing(of: self)
    return closing.firstEnd ?? closing.at
  }

  /// The response, where it is a stream of events by its type and answers 200.
  var eventResponse: EventResponse? {
    guard let response, response.itemKind == .sse, response.status.code == 200 else { return nil }
    let events = EventResponse(message: response)
    return events.stream.isDeclared ? events : nil
  }
}

extension Message {
  /// The type of a response to a request for events, where it is not that of events, and what shows it.
  var otherType: (name: String?, shown: Evidence)? {
    guard let head else { return nil }
    let name = head.block.contentType?.essence
    guard name != "text/event-stream" else { return nil }
    let shown =
      Evidence.field("content-type", of: self, "and gets another type")
      ?? Evidence(.packet(head.span.first, direction), "and gets no type")
    return (name?.isEmpty == true ? nil : name, shown)
  }
}

/// A response that is read as a stream of events. What is known of these is looked at in its place: a copy of it is large.
struct EventResponse {
  let message: Message

  var stream: ItemRecord { _read { yield message.record.$stream.value } }
}
