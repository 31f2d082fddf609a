import Events
import HTTPSemantics
import Trace

/// An exchange as it was seen on one connection.
struct Hop: Sendable {
  let exchange: ExchangeRecord
  let context: FlowContext

  var leg: HopJoin.Leg { HopJoin.Leg(connection: context.number, exchange: exchange.number) }
}

/// The same exchange towards the client and towards the origin.
struct HopPair: Sendable {
  let outer: Hop
  let inner: Hop
}

/// Finds pairs of connections that carry the same exchange: the proxy's host is the server of one and the client of the
/// other, what is asked for is the same, and one lies inside the other in time.
///
/// Bounded: the last `limit` shapes of requests, `perShape` exchanges of each. What is in doubt, because two fit, is not
/// joined.
struct HopMatcher: Sendable {
  private static let limit = 96
  private static let perShape = 4

  private struct Key: Hashable, Sendable {
    var method: Int
    var target: Int
  }

  private var waiting = BoundedTable<Key, [Hop]>(limit: limit)

  /// Takes the next exchange, and answers the pair that it completes.
  mutating func take(_ exchange: ExchangeRecord, _ key: RequestKey, in context: FlowContext) -> [HopPair] {
    guard exchange.response?.head != nil else { return [] }
    let hop = Hop(exchange: exchange, context: context)
    var found: [HopPair] = []
    waiting.update(Key(method: key.method, target: key.target), orMake: []) { others in
      // The hop behind the proxy is usually over first, but a client may leave before.
      let inner = others.indices.filter { Self.isPair(outer: hop, inner: others[$0]) }
      let outer = others.indices.filter { Self.isPair(outer: others[$0], inner: hop) }
      if inner.count == 1, outer.isEmpty {
        found.append(HopPair(outer: hop, inner: others.remove(at: inner[0])))
      } else if outer.count == 1, inner.isEmpty {
        found.append(HopPair(outer: others.remove(at: outer[0]), inner: hop))
      } else {
        others.append(hop)
        if others.count > Self.perShape { others.removeFirst() }
      }
    }
    return found
  }

  private static func isPair(outer: Hop, inner: Hop) -> Bool {
    guard outer.context.server != inner.context.server, outer.context.id != inner.context.id,
      outer.context.server.address == inner.context.client.address,
      let asked = outer.exchange.request, let passed = inner.exchange.request,
      let answered = outer.exchange.response, let came = inner.exchange.response
    else { return false }
    return passed.first.number > asked.first.number && passed.first.number < answered.first.number
      && came.first.number < answered.first.number && inner.exchange.status == outer.exchange.status
      && isSameBody(answered, came)
  }

  /// As many bytes, content decoded; where one of them broke off, no more than there should be.
  private static func isSameBody(_ outer: Message, _ inner: Message) -> Bool {
    guard let passed = length(outer), let came = length(inner) else { return true }
    return outer.isComplete && inner.isComplete ? passed == came : passed <= came
  }

  private static func length(_ message: Message) -> UInt64? {
    guard message.end?.missingBytes == 0 else { return nil }
    guard let content = message.content else { return message.bodyBytes }
    return content.outcome == .decoded ? content.bytes : nil
  }
}
