import Citation
import Events
import HTTPSemantics

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
  /// agrees, or does not answer.
  func cost(ofUnreadable message: Message) -> Cost {
    guard isRequest(message) else { return .failed(.exchange) }
    return isMisunderstood || isUnanswered ? .failed(.exchange) : .none
  }

  /// A response is judged by its framing only where it is known what it answers: one to HEAD has no body at all.
  func confidence(of message: Message, _ context: FlowContext) -> Confidence {
    message.head?.isRequestKnown == true && !context.isMidstream ? .high : .low
  }

  /// What is wrong with a chunk's size, as the end of a sentence.
  func finding(
    _ info: RuleInfo, ofSize what: String, _ message: Message, _ context: FlowContext, _ line: Evidence, cost: Cost
  ) -> Finding {
    Finding(
      info, confidence: confidence(of: message, context), subject: .connection(context.id), exchange: number,
      direction: message.direction, "\(title): in what \(Wording.sender(message.direction)) sent, \(what).", cost: cost,
      fix: info.fix, evidence: [line] + refusal(of: message))
  }

  func refusal(of message: Message) -> [Evidence] {
    guard isRequest(message), isMisunderstood, let answer = Evidence.status(response, "the answer") else { return [] }
    return [answer]
  }
}

extension Lenience {
  /// A size that some readers take for another number.
  var isOddSize: Bool { kind == .chunkSizePrefix || kind == .chunkSizeSign || kind == .chunkSizeHuge }
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
  /// A size, a blank and something short behind it, which is no extension. Words may be hexadecimal digits, too: where
  /// the excerpt shows so much, a line end stands as many bytes later as the size says.
  private func isSizeWithJunk(_ lineLength: Int) -> Bool {
    let digits = bytes.prefix(lineLength).prefix { $0.hexadecimalValue < 16 }
    guard (1...7).contains(digits.count), digits.count < lineLength, bytes[digits.count].isBlank,
      bytes[lineLength...].starts(with: [.carriageReturn, .lineFeed])
    else { return false }
    let end = digits.reduce(0) { $0 << 4 | Int($1.hexadecimalValue) } + lineLength + 2
    if end + 2 <= bytes.count { return bytes[end...].starts(with: [.carriageReturn, .lineFeed]) }
    return digits.contains(where: \.isDigit) && lineLength - digits.count <= 4
  }

  /// A short line that was meant as a number: hexadecimal digits with a sign, a prefix, separators, one foreign byte, or
  /// something short behind a blank.
  var looksLikeNumber: Bool {
    let line = bytes.prefix { $0 != .carriageReturn && $0 != .lineFeed }
    guard line.count < bytes.count, line.count <= 20, line.contains(where: { $0.hexadecimalValue < 16 }) else {
      return false
    }
    if isSizeWithJunk(line.count) { return true }
    let foreign = line.filter { $0.hexadecimalValue > 15 && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: ",") }
    // A word may be one letter away from digits, too; a number begins with one or holds a decimal one.
    return foreign.count <= 1
      && (line.first.map { $0.hexadecimalValue < 16 } == true || line.contains(where: \.isDigit))
  }
}
