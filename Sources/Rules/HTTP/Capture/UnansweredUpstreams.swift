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

    private var server: Endpoint { hop.context.server }
    private var connection: Int { hop.context.number }
    private var waited: Int64 { end.time.since(asked.time) }

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
  private static let prompt: Int64 = 100_000_000

  private var requests: [Request] = []

  mutating func note(_ exchange: ExchangeRecord, _ context: FlowContext) {
    guard requests.count < Self.limit, let (end, by) = exchange.unansweredEnd,
      let asked = AskedExchange(exchange, context), end.number > asked.request.last.number
    else { return }
    requests.append(
      Request(
        hop: Hop(asked, context), key: asked.key, asked: asked.request.first, end: end, isLeft: by == .toServer))
  }

  /// The last request for the same thing behind an exchange that was over just before it was answered. A proxy that asks
  /// from another address and does not say for whom passes the request of the same agent on at once.
  func request(behind outer: AskedExchange, _ context: FlowContext) -> Request? {
    guard let answered = outer.exchange.response?.first else { return nil }
    let asked = outer.request.first
    let hop = Hop(outer, context)
    return requests.last { request in
      let other = request.hop.context.client.address
      return request.key.method == outer.key.method && request.key.tail == outer.key.tail
        && asked.number < request.asked.number && request.asked.number < answered.number
        && request.end.time.apart(from: answered.time) <= Self.prompt
        && (request.hop.isBehind(hop)
          || other != context.client.address && request.asked.time.since(asked.time) <= Self.prompt
            && request.hop.isSameAgent(as: hop))
    }
  }
}
