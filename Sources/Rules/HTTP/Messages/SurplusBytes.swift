import Citation
import Events
import HTTPSemantics

/// Bytes behind the end of a message that begin no other one: which message they follow decides whose finding it is.
///
/// They are reported late, when enough of them came to quote, and often after the exchange they belong to: the ends of
/// the last messages of both directions are kept, and the judgement waits for the end of the connection, when it is
/// known whether the next exchange came through.
struct SurplusBytes: ConnectionWatcher {
  static var interests: EventKinds { .stray | .gap | .connectionClosed }

  /// Surpluses, and requests that frame no body, kept of one connection.
  private static let limit = 8

  /// What is remembered of a message.
  struct Owner: Sendable {
    var exchange: Int
    var framing: Framing
    var reason: FramingReason
    var method: Method
    var status: Status
    var length: UInt64
    var end: UInt64
    var head: PacketRef
    /// The whole body, where it is short.
    var body: [UInt8]
  }

  struct Surplus: Sendable {
    var span: ByteSpan
    var excerpt: Excerpt
    var direction: Direction
    /// Only line ends, which many readers skip.
    var isBlank: Bool
    var owner: Owner?
    /// The first later request of the connection that got no readable answer.
    var unanswered: (exchange: Int, packet: PacketRef)?

    /// As much as was quoted: a search that went on longer found more.
    var isCounted: Bool { isBlank || span.count < UInt64(FramingError.excerptLength) }
    var size: String { isCounted ? Wording.bytes(span.count) : "\(Wording.bytes(span.count)) or more" }
  }

  private var owners = BothDirections<Owner?>(repeating: nil)
  private var found: [Surplus] = []
  /// Bytes behind such a head, reported late, make it certain.
  private var unframed: [UnframedRequest] = []
  /// A hole may have swallowed a request, and with it the reason for how a response is framed.
  private var hasHole = false

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    note(exchange)
    guard let request = UnframedRequest(exchange) else { return }
    if unframed.count < Self.limit { unframed.append(request) } else { judge(request, in: context, report: report) }
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .stray(let stray, let direction, _): note(stray, direction)
    case .gap: hasHole = true
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func note(_ exchange: ExchangeRecord) {
    for message in exchange.messages {
      guard let owner = Owner(message, of: exchange) else { continue }
      owners[message.direction] = owner
      for index in found.indices where found[index].owner == nil && found[index].direction == message.direction {
        if owner.ends(before: found[index].span) { found[index].owner = owner }
      }
    }
    guard let request = exchange.request, exchange.response?.headReleased == nil else { return }
    for index in found.indices where found[index].unanswered == nil {
      guard let owner = found[index].owner, owner.exchange < exchange.number else { continue }
      found[index].unanswered = (exchange.number, request.first)
    }
  }

  private mutating func note(_ stray: Stray, _ direction: Direction) {
    guard !hasHole, found.count < Self.limit else { return }
    switch stray {
    case .error(let error):
      guard error.kind == .unexpectedBytes, error.framing == .length || error.framing == Framing.none else { return }
      add(error.span, error.excerpt, direction, isBlank: false)
    case .lenience(let lenience):
      // Before a request line empty lines are to be skipped (RFC 9112 §2.2).
      guard lenience.kind == .leadingEmptyLines, direction == .toClient, let owner = owners[direction],
        owner.framing == .length || owner.framing == Framing.none, owner.ends(before: lenience.span)
      else { return }
      add(lenience.span, lenience.excerpt, direction, isBlank: true)
    }
  }

  private mutating func add(_ span: ByteSpan, _ excerpt: Excerpt, _ direction: Direction, isBlank: Bool) {
    var surplus = Surplus(span: span, excerpt: excerpt, direction: direction, isBlank: isBlank)
    surplus.excerpt.isPayload = true
    if let owner = owners[direction], owner.ends(before: span) { surplus.owner = owner }
    found.append(surplus)
  }

  private mutating func close(in context: FlowContext, report: (Finding) -> Void) {
    for surplus in found where surplus.owner != nil && !hasHole {
      for rule in RuleIndex.surplusRules { rule.judge(surplus, in: context, report: report) }
      guard surplus.direction == .toServer,
        let at = unframed.firstIndex(where: { $0.exchange.number == surplus.owner?.exchange })
      else { continue }
      unframed[at].surpluses.append(surplus)
    }
    for request in unframed { judge(request, in: context, report: report) }
    found.removeAll()
    unframed.removeAll()
  }

  private func judge(_ request: UnframedRequest, in context: FlowContext, report: (Finding) -> Void) {
    for rule in RuleIndex.unframedRequestRules { rule.judge(request, in: context, report: report) }
  }
}

/// Judges bytes behind the end of a message that begin no other one, when the connection is over.
protocol SurplusRule: StoryRule where Story == SurplusBytes.Surplus {}

extension SurplusBytes.Owner {
  /// nil for a message whose end is not certain.
  init?(_ message: Message, of exchange: ExchangeRecord) {
    guard let head = message.head, head.isRequestKnown, let end = message.end, end.isComplete, end.isCaptured
    else { return nil }
    self.init(
      exchange: exchange.number, framing: head.framing, reason: head.reason,
      method: exchange.request?.head?.method ?? .other, status: head.status, length: head.contentLength,
      end: end.offset, head: head.span.first,
      body: head.framing == .length && message.bodyBytes == UInt64(message.opening.count) ? message.opening : [])
  }

  /// The surplus follows at once, or after line ends that were skipped.
  func ends(before span: ByteSpan) -> Bool {
    end <= span.range.lowerBound && span.range.lowerBound - end < UInt64(Excerpt.limit)
  }
}
