import Events
import HTTPSemantics
import Trace

// What rules about unreadable chunks share.

extension Message {
  /// The first thing in its chunks that could not be read, where the capture has all that came before.
  var chunkError: FramingError? {
    guard !self.errors.isEmpty, self.head?.framing == .chunked, isWhollyCaptured else { return nil }
    return self.errors.first
  }
}

extension ExchangeRecord {
  /// What unreadable chunks cost: a response that its client cannot read is lost to it; a request only where the server
  /// says so, or says nothing.
  func cost(ofUnreadable message: Message) -> Cost {
    guard isRequest(message) else { return .failed(.exchange) }
    return isMisunderstood || response == nil ? .failed(.exchange) : .none
  }

  /// A response is judged by its framing only where it is known what it answers: one to HEAD has no body at all.
  func confidence(of message: Message, _ context: FlowContext) -> Confidence {
    message.head?.isRequestKnown == true && !context.isMidstream ? .high : .low
  }

  func refusal(of message: Message) -> [Evidence] {
    guard isRequest(message), isMisunderstood, let answer = Evidence.status(response, "the answer") else { return [] }
    return [answer]
  }
}

extension Evidence {
  /// Bytes that may be content: shown where payload is shown.
  static func content(_ error: FramingError, _ direction: Direction, _ note: String) -> Evidence {
    var excerpt = error.excerpt
    excerpt.isPayload = true
    return Evidence(.bytes(error.span, direction), excerpt: excerpt, note)
  }
}

extension Excerpt {
  /// A line that was meant as a number: a sign, hexadecimal digits and what people put between and behind them.
  var looksLikeNumber: Bool {
    let line = bytes.prefix { $0 != .carriageReturn && $0 != .lineFeed }
    guard line.count < bytes.count, !line.isEmpty, line.count <= 24 else { return false }
    var digits = line[...]
    if let first = digits.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    if let last = digits.last, last | 0x20 == UInt8(ascii: "h") { digits = digits.dropLast() }
    if digits.count >= 2, digits.dropFirst().first.map({ $0 | 0x20 }) == UInt8(ascii: "x") { digits = digits.dropFirst(2) }
    return !digits.isEmpty
      && digits.allSatisfy { $0.hexadecimalValue < 16 || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ",") }
  }
}
