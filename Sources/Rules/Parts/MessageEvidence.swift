import Citation
import Events
import HTTPSemantics

// What rules about messages share: how a field, a status or an end is quoted, and what counts as a cost.

extension Evidence {
  /// A field line of a head, as it was received.
  static func field(_ field: HeaderField, _ head: MessageHead, _ direction: Direction, _ note: String) -> Evidence {
    let line = field.name.lowerBound..<max(field.name.upperBound, field.value.upperBound)
    return Evidence(
      .bytes(head.block.span(of: line), direction), excerpt: head.block.excerpt(of: line), note)
  }

  /// The first field of a name, given in lower case, where the message has one.
  static func field(_ lowercaseName: StaticString, of message: Message, _ note: String) -> Evidence? {
    guard let head = message.head, let found = head.block.first(lowercaseName) else { return nil }
    return .field(found, head, message.direction, note)
  }

  /// The start line of a message.
  static func startLine(_ message: Message, _ note: String) -> Evidence? {
    guard let head = message.head else { return nil }
    let end = head.block.bytes.firstIndex { $0 == .carriageReturn || $0 == .lineFeed } ?? head.block.bytes.count
    return Evidence(
      .bytes(head.block.span(of: 0..<end), message.direction), excerpt: head.block.excerpt(of: 0..<end), note)
  }

  /// The status of a response.
  static func status(_ response: Message?, _ note: String) -> Evidence? {
    guard let response, let head = response.head else { return nil }
    return Evidence(.packet(head.span.first, response.direction), "\(head.status.code) \(head.reasonText): \(note)")
  }

  static func lenience(_ lenience: Lenience, _ direction: Direction, _ note: String) -> Evidence {
    Evidence(.bytes(lenience.span, direction), excerpt: lenience.excerpt, note)
  }

  static func error(_ error: FramingError, _ direction: Direction, _ note: String) -> Evidence {
    Evidence(.bytes(error.span, direction), excerpt: error.excerpt, note)
  }
}

extension Message {
  /// The message broke off because its own sender ended the connection, and the capture has all that came before.
  func wasCutBySender(_ context: FlowContext) -> Incomplete? {
    guard let end = self.end, case .incomplete(let incomplete) = end.outcome, end.isCaptured else { return nil }
    guard incomplete.cause == .fin || incomplete.cause == .reset, context.closedBy == self.direction,
      context.endOrigin?.isAhead != true, !context.closing.answersUnseen
    else { return nil }
    return incomplete
  }

  /// Nothing of it is missing from the capture.
  var isWhollyCaptured: Bool { self.end?.isCaptured == true && self.incomplete?.cause != .gap }
}

extension FlowContext {
  /// The packet by which the receiver of a message ended its own direction, after the last of what it got, and before
  /// the sender's reset cut the rest: then the receiver ended it.
  func endOfReceiver(_ message: Message) -> PacketRef? {
    guard message.incomplete?.cause == .reset, closedBy == message.direction, let first = firstEnd,
      let reset = closedAt, first.number < reset.number, first.number > message.last.number
    else { return nil }
    return first
  }

  /// How much is believed of a message that was cut off: with one side captured it is unknown which gave up first.
  var cutSeverity: Severity? { isOneSided ? .warning : nil }
  var cutConfidence: Confidence { isOneSided ? .low : isMidstream ? .medium : .high }

  /// Behind what a side did, where the other side is not in the capture.
  func unheard(_ direction: Direction) -> String {
    isOneSided ? "; what \(Wording.receiver(direction)) did is not in the capture" : ""
  }
}

extension ExchangeRecord {
  /// The answers of servers that did not understand a request; not those of one that did and refuses (401, 404, 429 …),
  /// nor of one that is late, overloaded or without its origin (408, 502, 503).
  static let misunderstood: Set<UInt16> = [400, 405, 411, 417, 500, 501, 505]

  /// The request was answered as if it had not been understood.
  var isMisunderstood: Bool { Self.misunderstood.contains(status.code) }

  /// The same of a request that is legal, and only unusual: a program that failed (500) did so for its own reasons.
  var isMisread: Bool { isMisunderstood && status.code != 500 }

  func isRequest(_ message: Message) -> Bool { message === request }

  /// The request or the response, and no interim response.
  func isFinal(_ message: Message) -> Bool { message === request || message === response }
}
