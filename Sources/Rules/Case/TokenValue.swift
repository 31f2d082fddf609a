import Citation
import Events
import HTTPSemantics

/// A token that is compared without case, in a case that is not usual.
enum TokenValue: MessageRule {
  static let info = RuleInfo(
    id: "case/token-value", severity: .warning, confidence: .low,
    summary: "A value that is compared without case is in an unusual case.",
    explanation: """
      Connection options, `Upgrade: websocket`, `Expect: 100-continue`, content codings and range units may be written \
      in any case, and some peers compare their bytes all the same: they do not upgrade, do not answer 100, deliver \
      compressed bytes as text, or refuse. One client works and another does not, and one letter differs.
      """,
    evidence: """
      The field and, where the request was refused, the answer. That the case caused the refusal is inferred: other \
      reasons are as likely, so compare with a request that worked. `Connection: Upgrade`, as browsers write it, is \
      mentioned only where the upgrade was refused, and never counted as the cause; `Connection: Keep-Alive` is not \
      mentioned at all. The transfer coding is chunked/te-case.
      """,
    fix: "Sender: write the token in lower case. Receiver: compare it without case.",
    specifications: [
      Specification("RFC 9110 §7.6.1", "https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1"),
      Specification("RFC 9110 §7.8", "https://www.rfc-editor.org/rfc/rfc9110#section-7.8"),
      Specification("RFC 9110 §8.4.1", "https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1"),
      Specification("RFC 9110 §10.1.1", "https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1"),
      Specification("RFC 9110 §14.1", "https://www.rfc-editor.org/rfc/rfc9110#section-14.1"),
    ],
    since: "0.1")

  private struct Word {
    var field: HeaderField
    var text: String
    var usual: String
    /// Browsers write it so.
    var isBrowsers: Bool
    var isUpgrade: Bool { usual == "upgrade" }
    var isOfUpgrade: Bool { isUpgrade || usual == "websocket" }

    /// An expectation has an answer of its own.
    func isRefused(by exchange: ExchangeRecord) -> Bool {
      usual == "100-continue" ? exchange.status.code == 417 || exchange.status.code == 400 : exchange.isMisread
    }
  }

  static var needs: ExchangeFacts { .tokens }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let head = message.head else { return }
    let words = Self.words(head.block)
    guard !words.isEmpty else { return }
    let isRequest = exchange.isRequest(message)
    let isUpgradeRefused = isRequest && exchange.isUpgradeRefused
    guard let word = words.first(where: { !$0.isBrowsers }) ?? words.first(where: { $0.isUpgrade && isUpgradeRefused })
    else { return }
    let isRefused = word.isOfUpgrade && isUpgradeRefused || isRequest && word.isRefused(by: exchange)
    let isHurt = isRefused && !word.isBrowsers
    var evidence: [Evidence] = [
      .field(word.field, head, message.direction, "usually \"\(word.usual)\"")
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    var finding = Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      .spelled(
        word.text, head.block.name(word.field), usual: word.usual, exchange, isRefused: isRefused,
        isBrowsers: word.isBrowsers),
      cost: isHurt ? .failed(.exchange) : .none,
      fix: info.fix,
      evidence: evidence)
    finding.count = UInt64(max(1, words.count { !$0.isBrowsers }))
    report(finding)
  }

  // MARK: Words

  /// Of the names below, a bit each.
  private static let lengths: UInt64 = 1 << 2 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 10 | 1 << 13 | 1 << 16

  /// The tokens of a head that are not in lower case. Most fields are passed over by the length of their name.
  private static func words(_ block: HeaderBlock) -> [Word] {
    var words: [Word] = []
    let held = block.bytes
    let bytes = held.span
    for field in block.fields {
      guard Self.lengths &>> UInt64(min(field.name.count, 63)) & 1 == 1,
        block.bytes[field.value].contains(where: { $0 &- 0x41 < 26 })
      else {
        continue
      }
      switch field.name.count {
      case 2 where block.isNamed("te", field):
        find(["trailers"], in: FieldList.elements(bytes, field.value), field, block, &words)
      case 5 where block.isNamed("range", field):
        find(["bytes"], in: [unit(bytes, field.value, before: UInt8(ascii: "="))], field, block, &words)
      case 6 where block.isNamed("expect", field):
        find(["100-continue"], in: [field.value], field, block, &words)
      case 7 where block.isNamed("upgrade", field):
        find(["websocket", "h2c"], in: FieldList.elements(bytes, field.value), field, block, &words)
      case 10 where block.isNamed("connection", field):
        find(
          ["close", "keep-alive", "upgrade"], in: FieldList.elements(bytes, field.value), field, block, &words,
          browsers: ["Keep-Alive", "Upgrade"])
      case 13 where block.isNamed("accept-ranges", field):
        find(["bytes", "none"], in: FieldList.elements(bytes, field.value), field, block, &words)
      case 13 where block.isNamed("content-range", field):
        find(["bytes"], in: [unit(bytes, field.value, before: .space)], field, block, &words)
      case 16 where block.isNamed("content-encoding", field):
        find(
          ["gzip", "x-gzip", "br", "zstd", "deflate", "compress", "identity"],
          in: FieldList.elements(bytes, field.value), field, block, &words)
      default: break
      }
    }
    return words
  }

  private static func unit(_ bytes: Span<UInt8>, _ value: Range<Int>, before end: UInt8) -> Range<Int> {
    value.lowerBound..<(value.first { bytes[$0] == end } ?? value.upperBound)
  }

  private static func find(
    _ tokens: [StaticString], in places: [Range<Int>], _ field: HeaderField, _ block: HeaderBlock,
    _ words: inout [Word],
    browsers: [String] = []
  ) {
    for place in places where place.contains(where: { block.bytes[$0] &- 0x41 < 26 }) {
      guard let usual = tokens.first(where: { block.reads($0, at: place) }) else { continue }
      let text = block.text(of: place)
      words.append(Word(field: field, text: text, usual: "\(usual)", isBrowsers: browsers.contains(text)))
    }
  }
}

extension ExchangeRecord {
  /// The upgrade was refused, and neither for authentication nor for the path.
  fileprivate var isUpgradeRefused: Bool {
    request?.head?.asksForWebSocket == true && (isMisread || status.isSuccess || status.code == 426)
  }
}

extension FindingMessage {
  fileprivate static func spelled(
    _ text: String, _ name: String, usual: String, _ exchange: ExchangeRecord, isRefused: Bool,
    isBrowsers: Bool
  ) -> Self {
    if isBrowsers {
      return """
        \(exchange.title): the upgrade was refused; "\(name): \(text)" is how browsers write it, and a peer that looks for \
        "\(usual)" by bytes would refuse it so.
        """
    }
    return isRefused
      ? "\(exchange.title): the request says \"\(name): \(text)\"; a peer that compares bytes with \"\(usual)\" refuses it."
      : "\(exchange.title): \"\(text)\" in \(name) is legal, and peers that compare bytes expect \"\(usual)\"."
  }
}
