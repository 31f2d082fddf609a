import Citation

/// How long exchanges of one kind took at an endpoint. All of it adds up over captures.
package struct EndpointFigures: Sendable {
  package let kind: ExchangeKind
  /// From a request's complete head to the first byte of the final response.
  package private(set) var waits = ExponentialHistogram()
  /// From there to the first byte of its body.
  package private(set) var firstBodies = ExponentialHistogram()
  /// From the first byte of a request to the last of the exchange; not of WebSockets, which last as long as they are wanted.
  package private(set) var totals = ExponentialHistogram()
  /// Between the events, lines or chunks of a stream.
  package private(set) var gaps = ExponentialHistogram()
  @Rare package private(set) var sockets: BothDirections<SocketFigures>?

  /// What one side of WebSockets sent.
  package struct SocketFigures: Sendable {
    /// Between the ends of messages.
    package var gaps = ExponentialHistogram()
    /// Payload of a message.
    package var sizes = ExponentialHistogram()
    /// From a ping to the pong of the other side.
    package var pings = ExponentialHistogram()
  }

  init(_ kind: ExchangeKind) {
    self.kind = kind
  }

  mutating func add(_ exchange: ExchangeRecord) {
    if let wait = exchange.wait { waits.add(wait) }
    if let first = exchange.timeToFirstBody { firstBodies.add(first) }
    if kind != .websocket, let total = exchange.total { totals.add(total) }
    if let stream = exchange.stream { gaps.add(stream.items > 0 ? stream.itemGaps : stream.gaps) }
  }

  mutating func add(_ socket: WebSocketRecord) {
    _sockets.make(BothDirections(repeating: SocketFigures()))
    for direction in Direction.allCases {
      _sockets.value[direction].gaps.add(socket.sides[direction].gaps)
      _sockets.value[direction].sizes.add(socket.sides[direction].sizes)
      _sockets.value[direction].pings.add(socket.pingRoundTrips[direction])
    }
  }

  /// What documents call each of them, and of whose messages it is; without those that hold nothing.
  package var all: [(measure: String, direction: Direction?, values: ExponentialHistogram)] {
    var all: [(measure: String, direction: Direction?, values: ExponentialHistogram)] = [
      ("waitNs", nil, waits), ("firstBodyNs", nil, firstBodies), ("totalNs", nil, totals), ("gapNs", nil, gaps),
    ]
    if let sockets {
      for direction in Direction.allCases {
        let side = sockets[direction]
        all += [
          ("gapNs", direction, side.gaps), ("messageBytes", direction, side.sizes), ("pingNs", direction, side.pings),
        ]
      }
    }
    return all.filter { $0.values.count > 0 }
  }
}
