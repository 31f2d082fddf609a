import Citation
import Events
import HTTPSemantics

/// One request for events, with what became of it.
struct StreamVisit: Visit, Sendable {
  let flow: FlowID
  let connection: Int
  let exchange: Int
  let title: String
  let first: PacketRef
  /// nil while it is open at the end of the capture.
  let end: PacketRef?
  /// It was answered with events.
  let isStream: Bool
  /// The server, or the network, ended it.
  let wasEndedByOthers: Bool
  /// The packet of the last event, where one gave an id that was not taken back.
  let identified: PacketRef?
  let namesLastID: Bool
  let isBrowsers: Bool

  /// nil for what asks for no events.
  init?(_ asked: AskedExchange, _ context: FlowContext) {
    guard asked.head.asksForEvents else { return nil }
    let exchange = asked.exchange
    flow = context.id
    connection = context.number
    self.exchange = exchange.number
    title = exchange.title
    first = asked.request.first
    let response = exchange.response
    let closing = context.closing(of: exchange)
    if let response, response.isComplete {
      end = response.framing == .close ? closing.at ?? response.last : response.last
      wasEndedByOthers = true
    } else if exchange.end.isBroken {
      end = closing.at ?? exchange.last
      wasEndedByOthers = exchange.wasEndedFirst(by: .toClient, context)
    } else if let first = exchange.end.first {
      // One side has closed: the browser does not count it any more, whether the other side answers or not.
      end = first.side.packet
      wasEndedByOthers = first.by == .toClient
    } else {
      end = nil
      wasEndedByOthers = false
    }
    let events = exchange.eventResponse
    isStream = events != nil
    identified = events.flatMap { $0.stream.lastID.isEmpty ? nil : $0.stream.lastItem }
    namesLastID = asked.head.block.first("last-event-id") != nil
    isBrowsers = asked.head.isBrowsers
  }
}
