import Citation
import Events

/// Requests that were never answered: an upstream that does not answer explains how its proxy does.
///
/// Bounded: the first `limit`.
struct UnansweredUpstreams: Sendable {
  struct Request: Sendable {
    let hop: Hop
    let key: RequestKey
    let asked: PacketRef
    /// The FIN or reset that ended it, and whether that was the asking side's.
    let end: PacketRef
    let isLeft: Bool

    var server: Endpoint { hop.context.server }
    private var connection: Int { hop.context.number }
    var waited: Int64 { end.time.since(asked.time) }

    var evidence: [Evidence] {
      [
        Evidence(.packet(asked, .toServer), "\(server) is asked for the same, on connection #\(connection)"),
        Evidence(.packet(end, isLeft ? .toServer : .toClient), isLeft ? "and left without an answer" : "and closes"),
      ]
    }

    var words: String {
      let end = isLeft ? "until the proxy gave up" : "and closed"
      return "\(server) behind it, asked for the same, answered nothing for \(Wording.duration(waited)) \(end)"
    }

    var fix: String {
      isLeft
        ? "Origin \(server): find what took longer than \(Wording.duration(waited)), the proxy's timer. Proxy: raise the timer only where answers may take so long."
        : "Origin \(server): look at its log at this time; it closed the connection without an answer (a crash, a worker that was stopped)."
    }
  }

  private static let limit = 256
  /// A proxy asks soon, and answers as soon as it knows that no answer comes.
  fileprivate static let prompt: Int64 = 100_000_000

  private var requests: [Request] = []

  mutating func note(_ exchange: ExchangeRecord, _ context: FlowContext) {
    guard requests.count < Self.limit, let (first, by) = Self.end(exchange, context),
      let asked = AskedExchange(exchange, context)
    else { return }
    // One that met a connection which was being closed is answered by a reset.
    let last = asked.request.last.number
    let end = first.number > last ? first : context.closing(of: exchange).lastEnd ?? first
    guard end.number > last else { return }
    requests.append(
      Request(
        hop: Hop(asked, context), key: asked.key, asked: asked.request.first, end: end,
        isLeft: by == .toServer && end == first))
  }

  /// What ended it, where that was before any answer.
  private static func end(_ exchange: ExchangeRecord, _ context: FlowContext) -> (packet: PacketRef, by: Direction)? {
    guard let response = exchange.response else { return exchange.unansweredEnd(in: context) }
    let closing = context.closing
    guard exchange.key.stream == nil, closing.by == .toServer, let end = closing.firstEnd ?? closing.at,
      end.number < response.first.number
    else { return nil }
    return (end, .toServer)
  }

  subscript(_ leg: ExchangeKey) -> Request? { requests.last { $0.hop.leg == leg } }

  /// Another one of them that is behind a request, or before it.
  func pair(of request: Request) -> (outer: Request, inner: Request)? {
    if let inner = requests.last(where: { $0.isBehind(request) }) { return (request, inner) }
    return requests.last(where: { request.isBehind($0) }).map { ($0, request) }
  }

  /// The one behind a proxy, of two of which this is one, that was left because the other was.
  func left(with request: Request) -> Request? {
    if requests.contains(where: { request.isLeft(with: $0) }) { return request }
    return requests.last { $0.isLeft(with: request) }
  }

  /// The last request behind an exchange.
  func request(behind outer: AskedExchange, _ context: FlowContext) -> Request? {
    requests.last { $0.isBehind(outer, context) }
  }
}

extension UnansweredUpstreams.Request {
  /// It asks for the same as an exchange, inside it, and was over just before that was answered. A proxy that asks from
  /// another address and does not say for whom passes the request of the same agent on at once.
  func isBehind(_ outer: AskedExchange, _ context: FlowContext) -> Bool {
    guard key.method == outer.key.method, key.tail == outer.key.tail, let answered = outer.exchange.response?.first
    else { return false }
    let before = outer.request.first
    guard before.number < asked.number, asked.number < answered.number,
      end.time.apart(from: answered.time) <= UnansweredUpstreams.prompt
    else { return false }
    return isPassedOn(by: Hop(outer, context), asked: before)
  }

  /// The same behind a request that got no answer either: the proxy that passed it on ended both together.
  func isBehind(_ outer: Self) -> Bool { isLeft && !outer.isLeft && isTogether(with: outer) }

  /// The same behind a request that its client gave up: the proxy that passed it on gave it up then, too.
  func isLeft(with outer: Self) -> Bool {
    isLeft && outer.isLeft && outer.end.number < end.number && isTogether(with: outer)
  }

  private func isTogether(with outer: Self) -> Bool {
    key.method == outer.key.method && key.tail == outer.key.tail
      && outer.asked.number < asked.number && asked.number < outer.end.number
      && end.time.apart(from: outer.end.time) <= ProxyCut.together && isPassedOn(by: outer.hop, asked: outer.asked)
  }

  private func isPassedOn(by outer: Hop, asked before: PacketRef) -> Bool {
    hop.isBehind(outer)
      || hop.context.client.address != outer.context.client.address
        && asked.time.since(before.time) <= UnansweredUpstreams.prompt && hop.isSameAgent(as: outer)
  }
}
