import Events
import HTTPSemantics

/// A field section of a message of HTTP/2.
struct FieldSection {
  let block: HeaderBlock
  let isRequest: Bool
  let isTrailer: Bool

  var what: String { isRequest ? "a request" : "a response" }

  func name(_ field: HeaderField) -> String { block.name(field) }

  /// An entry of a table that was filled before the capture began.
  func isUnknown(_ field: HeaderField) -> Bool { begins(field.name) }
  func isValueUnknown(_ field: HeaderField) -> Bool { begins(field.value) }

  private func begins(_ range: Range<Int>) -> Bool {
    // For nearly all, one byte decides.
    guard range.lowerBound < range.upperBound, block.bytes[range.lowerBound] == UInt8(ascii: "(") else { return false }
    return block.bytes[range].starts(with: Self.unknown)
  }
  private static let unknown = Array("(unknown entry ".utf8)

  /// All of its fields are known. A block that could not be read at all has none.
  var isKnown: Bool { !block.fields.isEmpty && !block.fields.contains { isUnknown($0) } }
}

/// What makes a message malformed.
struct HeadFlaw {
  let field: HeaderField?
  let words: String

  init(_ field: HeaderField?, _ words: String) {
    self.field = field
    self.words = words
  }
}

/// Judges the field sections of a message of HTTP/2, head and trailers, each by itself.
///
/// A malformed message hurts where the receiver resets its stream or answers 400; some receivers pass it over.
/// Asked of sections that are not plain: a rule that looks for something else adds it there.
protocol HeadRule: MessageRule {
  static func flaw(in section: FieldSection) -> HeadFlaw?
}

extension HeadRule {
  static var needs: ExchangeFacts { .oddSection }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let head = message.head else { return }
    let isRequest = exchange.isRequest(message)
    var section = FieldSection(block: head.block, isRequest: isRequest, isTrailer: false)
    var flaw = flaw(in: section)
    if flaw == nil, let trailers = message.trailers {
      section = FieldSection(block: trailers, isRequest: isRequest, isTrailer: true)
      flaw = self.flaw(in: section)
    }
    guard let flaw else { return }
    let place: Evidence.Place =
      flaw.field.map { .bytes(section.block.span(of: $0.name.lowerBound..<$0.value.upperBound), message.direction) }
      ?? .bytes(head.span, message.direction)
    var evidence = [
      Evidence(place, excerpt: flaw.field.map { section.block.excerpt(of: $0.name) }, flaw.words)
    ]
    let isHurt = isRefused(exchange, message)
    if isHurt, let answer = exchange.end.closing?.at ?? exchange.response?.first {
      evidence.append(Evidence(.packet(answer, message.direction.opposite), "the answer"))
    }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): in \(section.what), \(flaw.words).", cost: isHurt ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: evidence))
  }

  private static func isRefused(_ exchange: ExchangeRecord, _ message: Message) -> Bool {
    if exchange.isRequest(message), exchange.status.code == 400 { return true }
    guard let code = exchange.end.resetCode, code != 0 else { return false }
    return exchange.end.closing?.by == message.direction.opposite
  }
}
