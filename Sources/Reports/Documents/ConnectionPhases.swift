import Citation

/// Phases of a connection before its first request, from its document; nanoseconds since the first packet.
struct ConnectionPhases {
  /// From the first packet to the last.
  let whole: ClosedRange<Int64>
  /// Both handshakes only where they were seen from their beginning to their end.
  let tcp: ClosedRange<Int64>?
  let tls: ClosedRange<Int64>?

  init(_ connection: DocumentNode) {
    let start = max(0, connection.integer("startNs") ?? 0)
    let end = max(start, connection.integer("endNs") ?? start)
    whole = start...end
    var tcpEnd: Int64?
    if connection["midstream"]?.flag == false, let rtt = connection["rtt"] {
      // The time of the answer counts from the first SYN, whatever their number; it is in the timeline.
      let answer = connection.elements("timeline").first { $0.text("kind") == "synAck" }?.integer("ns")
      let serverEnd = answer ?? rtt.integer("serverNs").map { start &+ $0 }
      if let serverEnd, let client = rtt.integer("clientNs") { tcpEnd = serverEnd &+ client }
    }
    tcp = tcpEnd.flatMap { $0 >= start ? start...min($0, end) : nil }
    let phases = connection["tls"]?["phases"]
    if let hello = phases?.integer("clientHelloNs"), let length = phases?.integer("finishedNs"), length >= 0,
      whole.contains(hello)
    {
      let (finished, overflows) = hello.addingReportingOverflow(length)
      tls = overflows ? nil : hello...min(finished, end)
    } else {
      tls = nil
    }
  }
}

/// Phases of an exchange. Every time is at or after the one before it, whatever the document contains.
struct ExchangePhases {
  /// A connection that was idle for longer was not opened for this request.
  static let idleLimit: Int64 = 100_000_000

  /// Handshakes before the first request, if made for it.
  struct Opening {
    var start: Int64
    /// Both handshakes, TLS and what lay between them included.
    var connect: Int64
    var tls: Int64?
    /// Ready, and nothing sent yet.
    var idle: Int64
  }

  var opening: Opening?
  /// How long before the request the connection was ready, if it was not opened for it.
  var openedAhead: Int64?
  /// First byte of the request, or of the response where no request was seen.
  let start: Int64
  /// The request is sent, or the response begins.
  let sent: Int64
  /// First byte of the response; nil where none came.
  let answered: Int64?
  let end: Int64

  init(_ exchange: DocumentNode, of connection: ConnectionPhases, isSocket: Bool) {
    let request = exchange["request"]
    let response = exchange["response"]
    let whole = connection.whole
    start = max(0, request?.integer("startNs") ?? response?.integer("startNs") ?? whole.lowerBound)
    var sent = max(start, request?.integer("endNs") ?? request?.integer("headNs") ?? start)
    if let response {
      let first = max(start, response.integer("startNs") ?? sent)
      sent = min(sent, first)
      answered = first
      // What is still open, and a socket, lasts as long as its connection.
      let last = isSocket ? whole.upperBound : response.integer("endNs") ?? whole.upperBound
      end = max(first, last)
    } else {
      answered = nil
      end = max(sent, whole.upperBound)
    }
    self.sent = sent
  }

  /// Of all exchanges of a connection. Each handshake belongs to the first request after it.
  static func all(_ exchanges: [DocumentNode], of connection: DocumentNode) -> [ExchangePhases] {
    let phases = ConnectionPhases(connection)
    let socket = connection["websocket"]?.integer("exchange")
    var tcp = phases.tcp
    var tls = phases.tls
    return exchanges.map { exchange in
      let number = exchange.integer("id")
      var own = ExchangePhases(exchange, of: phases, isSocket: socket != nil && number == socket)
      guard exchange["request"]?.integer("startNs") != nil else { return own }
      var done: [ClosedRange<Int64>] = []
      if let range = tcp, number == 1, range.lowerBound <= own.start { done.append(range) }
      tcp = nil
      if let range = tls, range.lowerBound <= own.start {
        done.append(range)
        own.open(done, tls: range)
        tls = nil
      } else {
        own.open(done, tls: nil)
      }
      return own
    }
  }

  private mutating func open(_ handshakes: [ClosedRange<Int64>], tls: ClosedRange<Int64>?) {
    guard let first = handshakes.map(\.lowerBound).min(), let last = handshakes.map(\.upperBound).max() else { return }
    let ready = min(last, start)
    guard start - ready <= Self.idleLimit else {
      openedAhead = start - ready
      return
    }
    opening = Opening(
      start: first, connect: ready - first, tls: tls.map { max(0, min($0.upperBound, ready) - $0.lowerBound) },
      idle: start - ready)
  }
}
