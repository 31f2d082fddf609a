import Citation
import Events
import HTTPSemantics

/// Bytes behind the end of a chunked message that begin no other one.
///
/// They are kept until the connection is over, because only then it is known whether the receiver failed on them. One
/// of each direction: after a second search the parser reads no further.
struct BytesAfterTerminator: ConnectionWatcher {
  static var interests: EventKinds { .stray | .directionEnded | .connectionClosed }

  private struct Found: Sendable {
    var error: FramingError
    var exchange: Int
  }

  private var found = BothDirections<Found?>(repeating: nil)
  /// The end that the bytes stand behind.
  private var terminators = BothDirections<ByteSpan?>(repeating: nil)
  /// The FIN or RST of each side.
  private var ends = BothDirections<PacketRef?>(repeating: nil)
  /// An error that answers no request: what a server makes of garbage.
  private var complaint: (status: UInt16, packet: PacketRef, exchange: Int)?

  private mutating func note(_ error: FramingError, _ direction: Direction, exchange: Int) {
    guard error.framing == .chunked, error.kind == .unexpectedBytes || error.kind == .chunkAfterLastChunk,
      found[direction] == nil
    else { return }
    found[direction] = Found(error: error, exchange: exchange)
  }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    for message in exchange.messages where message.isChunked {
      guard let end = message.chunks?.terminator else { continue }
      if let found = found[message.direction], end.range.lowerBound > found.error.span.range.lowerBound { continue }
      terminators[message.direction] = end
    }
    // The bytes themselves are reported later, once enough of them are there to quote.
    guard complaint == nil, exchange.request == nil, exchange.status.isError, let response = exchange.response else {
      return
    }
    complaint = (exchange.status.code, response.first, exchange.number)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .stray(.error(let error), let direction, let key): note(error, direction, exchange: key.number)
    case .directionEnded(let end, let direction, let packet):
      guard end == .fin || end == .reset else { return }
      ends[direction] = ends[direction] ?? packet
    case .connectionClosed:
      for direction in Direction.allCases {
        guard let found = found[direction] else { continue }
        let story = story(found, direction, context)
        for rule in RuleIndex.surplusChunkRules { rule.judge(story, in: context, report: report) }
      }
    default: break
    }
  }

  private func story(_ found: Found, _ direction: Direction, _ context: FlowContext) -> Story {
    let error = found.error
    let receiver = direction.opposite
    var story = Story(error: error, direction: direction, exchange: found.exchange)
    if let end = terminators[direction], end.range.upperBound <= error.span.range.lowerBound {
      story.terminator = Evidence(.bytes(end, direction), "the last chunk, which ends the body")
      let pause = error.span.first.time.since(end.last.time)
      if pause > 0 { story.later = " \(Wording.duration(pause)) later" }
    }
    if direction == .toServer, let complaint, complaint.packet.number > error.span.first.number {
      // The complaint counts as an exchange; the bytes belong behind the one before.
      story.exchange = min(story.exchange, complaint.exchange - 1)
      story.harm = Evidence(.packet(complaint.packet, .toClient), "\(complaint.status), to no request")
      story.stumbled = "; the server answered them with \(complaint.status)"
    } else if context.closedBy == receiver, let end = ends[receiver], ends[direction] == end,
      end.number > error.span.first.number
    {
      story.harm = Evidence(.packet(end, receiver), "a reset")
      story.stumbled =
        "; \(Wording.sender(receiver)) reset the connection \(Wording.duration(end.time.since(error.span.first.time))) later"
    }
    return story
  }
}

/// Judges bytes behind the end of a chunked message, when the connection is over.
protocol SurplusChunkRule: StoryRule where Story == BytesAfterTerminator.Story {}

extension BytesAfterTerminator {
  struct Story: Sendable {
    let error: FramingError
    let direction: Direction
    var exchange: Int
    var terminator: Evidence?
    /// ` 2.000 s later`, where they came later than the end.
    var later = ""
    /// What the receiver made of them.
    var harm: Evidence?
    /// The same, as the end of a sentence.
    var stumbled = ""

    init(error: FramingError, direction: Direction, exchange: Int) {
      self.error = error
      self.direction = direction
      self.exchange = exchange
    }

    /// They are another chunk.
    var isChunk: Bool { error.kind == .chunkAfterLastChunk }
    /// At the beginning of a sentence.
    var sender: String { Wording.sender(direction).atSentenceStart }

    func finding(
      _ info: RuleInfo, _ message: FindingMessage, _ note: String, cost: Cost, in context: FlowContext
    ) -> Finding {
      Finding(
        info, confidence: context.isMidstream ? .medium : .high, subject: .connection(context.id),
        exchange: exchange > 0 ? exchange : nil, direction: direction, message, cost: cost, fix: info.fix,
        evidence: [terminator, .content(error, direction, note), harm].compactMap { $0 })
    }
  }
}
