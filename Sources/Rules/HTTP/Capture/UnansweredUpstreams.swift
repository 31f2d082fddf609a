import Citation
import Events

/// Requests that were never answered, by who asked: an upstream that does not answer explains how its proxy does.
///
/// Bounded: the first `limit`.
struct UnansweredUpstreams: Sendable {
  struct Request: Sendable {
    let host: IPAddress
    let server: Endpoint
    let connection: Int
    let method: Int
    let tail: Int
    let asked: PacketRef
    /// The FIN or reset that ended it, and whether that was the asking side's.
    let end: PacketRef
    let isLeft: Bool

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

  private static let limit = 1_024
  /// A proxy asks soon, and answers as soon as it knows that no answer comes.
  private static let prompt: Int64 = 100_000_000

  private var requests: [Request] = []

  mutating func note(_ exchange: ExchangeRecord, _ context: FlowContext) {
    guard requests.count < Self.limit, let (end, by) = exchange.unansweredEnd,
      let asked = AskedExchange(exchange, context), end.number > asked.request.last.number
    else { return }
    requests.append(
      Request(
        host: context.client.address, server: context.server, connection: context.number, method: asked.key.method,
        tail: asked.key.tail, asked: asked.request.first, end: end, isLeft: by == .toServer))
  }

  /// The last request of a proxy's host for the same thing that was over just before the proxy answered. Over loopback, or
  /// from another address of its own, it must also have followed the client's request at once.
  func request(
    of proxy: IPAddress, method: Int, tail: Int, after asked: PacketRef, before answered: PacketRef
  ) -> Request? {
    requests.last { request in
      request.method == method && request.tail == tail && asked.number < request.asked.number
        && request.asked.number < answered.number && request.end.time.apart(from: answered.time) <= Self.prompt
        && (request.host == proxy || request.asked.time.since(asked.time) <= Self.prompt)
    }
  }
}
