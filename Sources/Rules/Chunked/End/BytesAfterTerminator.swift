import Citation
import Events
import HTTPSemantics

/// Bytes behind the end of a chunked message that begin no other one.
///
/// They are kept until the connection is over, because only then it is known whether somebody stumbled over them. One of
/// each direction: after a second search the parser reads no further.
struct BytesAfterTerminator: Sendable {
  static let earlyTerminator = RuleInfo(
    id: "chunked/early-terminator", severity: .error,
    summary: "More chunks follow the chunk that ended the body.",
    explanation: """
      A chunk of size zero is the end, whatever the sender meant. An application that writes an empty buffer (a \
      heartbeat, an empty message) through code that frames every write sends exactly that, and some boxes on the way \
      insert it when a request stays open. The receiver takes the message for complete; everything after it is garbage \
      to it: lost in a response, answered with 400 in a request, where another message is expected.
      """,
    evidence: "The first bytes behind the end, which are the size line of another chunk, with nothing between.",
    fix: """
      Sender: skip empty writes where chunks are framed; a heartbeat needs content. If the sender never wrote the empty \
      chunk, capture on both sides of each proxy to find who inserts it.
      """,
    specifications: [.chunkedCoding], since: "0.1")

  static let data = RuleInfo(
    id: "chunked/data-after-terminator", severity: .error,
    summary: "Bytes follow the end of a chunked message, and begin no other one.",
    explanation: """
      On a connection that stays open, what follows a message must be the next one. Stray bytes are taken for its first \
      line: a server answers 400 to a request nobody sent, a client drops the connection or reports a protocol error on \
      the next request, and a proxy may hand the rest to the wrong client. An extra line end, a debug print or a body \
      that goes on past its terminator are the usual sources.
      """,
    evidence: """
      The bytes behind the end. A cost is stated only where the receiver reset the connection or answered an error that \
      no request asked for. After a body with Content-Length this is not raised.
      """,
    fix: "Sender: write nothing behind 0 CRLF CRLF; close the connection where the body's end is not certain.",
    specifications: [.bodyLength, .chunkedCoding], since: "0.1")

  private struct Found: Sendable {
    var error: FramingError
    var exchange: Int
  }

  private var found = BothDirections<Found?>(repeating: nil)
  /// The end that the bytes stand behind.
  private var terminators = BothDirections<ByteSpan?>(repeating: nil)
  /// An error that answers no request: what a server makes of garbage.
  private var complaint: (status: UInt16, packet: PacketRef, exchange: Int)?

  mutating func note(_ error: FramingError, _ direction: Direction, exchange: Int) {
    guard error.framing == .chunked, error.kind == .unexpectedBytes || error.kind == .chunkAfterLastChunk,
      found[direction] == nil
    else { return }
    found[direction] = Found(error: error, exchange: exchange)
  }

  mutating func note(_ exchange: ExchangeRecord) {
    for message in [exchange.request, exchange.response].compactMap({ $0 }) {
      guard let end = message.chunks?.terminator else { continue }
      if let found = found[message.direction], end.range.lowerBound > found.error.span.range.lowerBound { continue }
      terminators[message.direction] = end
    }
    // The bytes themselves are told later, once enough of them are there to quote.
    guard complaint == nil, exchange.request == nil, exchange.status.isError, let response = exchange.response else {
      return
    }
    complaint = (exchange.status.code, response.first, exchange.number)
  }

  func close(_ ends: ConnectionEnds, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      if let found = found[direction] { report(finding(found, direction, ends, context)) }
    }
  }

  private func finding(
    _ found: Found, _ direction: Direction, _ ends: ConnectionEnds, _ context: FlowContext
  ) -> Finding {
    let error = found.error
    let isChunk = error.kind == .chunkAfterLastChunk
    let receiver = direction.opposite
    var evidence: [Evidence] = []
    var later = ""
    if let end = terminators[direction], end.range.upperBound <= error.span.range.lowerBound {
      evidence.append(Evidence(.bytes(end, direction), "the last chunk, which ends the body"))
      let pause = error.span.first.time.since(end.last.time)
      if pause > 0 { later = " \(Wording.duration(pause)) later" }
    }
    evidence.append(
      .content(error, direction, isChunk ? "another chunk behind it" : "behind the end, and no start line"))
    var stumbled = ""
    var exchange = found.exchange
    if direction == .toServer, let complaint, complaint.packet.number > error.span.first.number {
      // The complaint counts as an exchange; the bytes belong behind the one before.
      exchange = min(exchange, complaint.exchange - 1)
      evidence.append(Evidence(.packet(complaint.packet, .toClient), "\(complaint.status), which no request asked for"))
      stumbled = "; the server answered them with \(complaint.status)"
    } else if context.closedBy == receiver, let end = ends[receiver], ends[direction] == end,
      end.number > error.span.first.number
    {
      evidence.append(Evidence(.packet(end, receiver), "a reset"))
      stumbled =
        "; \(Wording.sender(receiver)) reset the connection \(Wording.duration(end.time.since(error.span.first.time))) later"
    }
    return Finding(
      isChunk ? Self.earlyTerminator : Self.data, confidence: context.isMidstream ? .medium : .high,
      subject: .connection(context.id), exchange: exchange > 0 ? exchange : nil, direction: direction,
      isChunk
        ? "\(Wording.sender(direction, isFirst: true)) ended its chunked body with a chunk of size 0 and sent more chunks\(later), which belong to no message\(stumbled)."
        : "\(Wording.sender(direction, isFirst: true)) sent bytes behind the end of a chunked message\(later), and they begin no other one\(stumbled).",
      cost: isChunk ? .failed(.exchange) : stumbled.isEmpty ? .none : .failed(.connection),
      fix: isChunk
        ? "Sender: never write an empty chunk before the end; skip empty buffers."
        : "Sender: write nothing behind 0 CRLF CRLF.",
      evidence: evidence)
  }
}

extension Wording {
  /// `The server`, at the beginning of a sentence.
  fileprivate static func sender(_ direction: Direction, isFirst: Bool) -> String {
    direction == .toServer ? "The client" : "The server"
  }
}
