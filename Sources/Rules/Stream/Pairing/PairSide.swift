import Citation
import Events
import HTTPSemantics

/// One exchange that may be half of a pair: an uplink, whose request goes on, or a downlink, whose response does.
struct PairSide: Sendable {
  enum Role: Sendable { case uplink, downlink }

  let role: Role
  let asker: Asker
  let ids: [PairID]
  let title: String
  let flow: FlowID
  let leg: ExchangeKey
  let asked: PacketRef
  let requestEnd: PacketRef
  let requestIsWhole: Bool
  /// Of an uplink: when its body came, as the first packet and the ends of bursts.
  let pieces: [PacketRef]
  /// All of them are there.
  let hasAllPieces: Bool
  let answered: PacketRef?
  /// A response without a body.
  let isEmpty: Bool
  let status: UInt16
  let roundTrip: Int64
  /// The FIN or reset that cut it off, and who sent it.
  let death: SideEnd?
  let killer: Direction?
  /// It came to its end as it should.
  let isComplete: Bool
  /// Where it was over; nil while the capture ends first.
  let end: PacketRef?
  let last: PacketRef

  /// From the complete request to the first byte of the response.
  var wait: Int64? { answered?.time.since(requestEnd.time) }

  init?(_ asked: AskedExchange, in context: FlowContext) {
    let (exchange, request) = (asked.exchange, asked.request)
    guard let role = PairSide.role(exchange, request, context) else { return nil }
    let ids = PairID.all(request, asked.head)
    if ids.isEmpty { return nil }
    self.role = role
    self.ids = ids
    asker = asked.key.asker
    title = exchange.title
    flow = context.id
    leg = exchange.key
    self.asked = request.first
    requestEnd = request.last
    requestIsWhole = request.isComplete
    pieces = role == .uplink ? [request.firstBody].compactMap { $0 } + request.bursts.map(\.packet) : []
    hasAllPieces = request.bursts.count < MessageRecord.burstLimit
    answered = exchange.response?.first
    isEmpty = exchange.response.map { $0.bodyBytes == 0 && $0.isComplete } ?? false
    status = exchange.status.code
    roundTrip = context.roundTrip.total ?? 0
    let message = role == .uplink ? request : exchange.response
    let cause = message?.incomplete?.cause
    let closing = exchange.end.first
    let ended = context.closing(of: exchange)
    death = cause == .fin || cause == .reset ? closing?.side : nil
    // A reset ends both directions, whichever side sent it.
    killer = death.flatMap { $0.packet == ended.at ? ended.by : closing?.by }
    let isOpen =
      cause == .captureEnded || cause == .evicted || (message == nil && exchange.end.cut == .captureEnded)
    last = exchange.last
    isComplete = message?.isComplete ?? false
    end = isOpen ? nil : message?.isComplete == true ? message?.last : closing?.side.packet ?? exchange.last
  }

  private static func role(_ exchange: ExchangeRecord, _ request: Message, _ context: FlowContext) -> Role? {
    if request.framing == .chunked, request.bodyBytes > 0 {
      // A body sent at once is an upload of its own.
      return request.isDrip || !request.isComplete ? .uplink : nil
    }
    guard request.isComplete else { return nil }
    guard let response = exchange.response else {
      return exchange.isResponseMissing || exchange.end.cut == nil ? nil : .downlink
    }
    if exchange.wait ?? 0 >= context.thresholds[.pairWait] { return .downlink }
    switch response.framing {
    case .chunked, .close, .stream: return response.isDrip || !response.isComplete ? .downlink : nil
    default: return response.bodyBytes == 0 && 200...204 ~= response.status.code ? .downlink : nil
    }
  }
}
