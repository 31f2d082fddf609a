import Citation
import Events
import HTTPSemantics

/// Bytes above 0x7F in a field value.
enum ValueNonASCII: MessageRule {
  static let info = RuleInfo(
    id: "http/value-non-ascii", severity: .warning,
    summary: "A field value has bytes outside ASCII.",
    explanation: """
      HTTP gives them no meaning. Some readers take them for UTF-8, some for Latin-1, some refuse or drop the field; \
      file names, user names and cookies come out garbled at one of them, and rarely at the one that is tested.
      """,
    evidence: "The first such line, and whether its bytes are UTF-8. Percent-encoded values do not count.",
    fix: "Sender: percent-encode, or use the form filename*=UTF-8''… where the field has it.",
    specifications: [
      Specification("RFC 9110 §5.5", "https://www.rfc-editor.org/rfc/rfc9110#section-5.5"),
      Specification("RFC 8187 §3.2", "https://www.rfc-editor.org/rfc/rfc8187#section-3.2"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .leniences }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard exchange.isFinal(message), let lenience = message.lenience(.valueNotASCII) else { return }
    let isUTF8 = message.head.flatMap { Self.value(in: $0.block) }.map {
      String(validating: $0, as: UTF8.self) != nil
    }
    let what = isUTF8.map { $0 ? "they are valid UTF-8" : "they are no UTF-8, perhaps Latin-1" }
    let isRefused = exchange.isRequest(message) && exchange.status.code == 400
    var evidence = [Evidence.lenience(lenience, message.direction, what ?? "bytes outside ASCII")]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    var finding = Finding(
      Self.info, confidence: isRefused ? .medium : .high, subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      "\(exchange.title): a field value that \(Wording.sender(message.direction)) sent has bytes outside ASCII\(what.map { "; " + $0 } ?? "").",
      cost: isRefused ? .failed(.exchange) : .none, fix: info.fix, evidence: evidence)
    finding.count = UInt64(max(1, lenience.count))
    report(finding)
  }

  /// The first value with such a byte.
  private static func value(in block: HeaderBlock) -> ArraySlice<UInt8>? {
    for field in block.fields {
      let value = block.bytes[field.value.clamped(to: 0..<block.bytes.count)]
      if value.contains(where: { $0 >= 0x80 }) { return value }
    }
    return nil
  }
}
