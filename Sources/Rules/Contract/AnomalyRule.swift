import Citation
import Events
import HTTPSemantics

/// A rule that restates one anomaly of a parser: all it has to say is a row.
///
/// A request with it that was answered as if it had not been understood has failed by it; that the anomaly was the
/// reason is inferred, and the answer is quoted. Without such an answer, and in a response, it is lint. What every
/// chunk repeats is one finding that quotes the first and counts the rest.
protocol AnomalyRule: MessageRule {
  static var row: AnomalyRow { get }
}

struct AnomalyRow: Sendable {
  let kinds: Set<Lenience.Kind>
  /// Where in a message it must stand; nil for anywhere.
  let places: Set<Lenience.Place>?
  /// What is wrong, as the end of a sentence: `whitespace stands between a chunk's size and its line end`.
  let what: String
  /// Only in what a server sent.
  let isOfResponses: Bool
  /// The answers that it may explain.
  let fitting: Set<UInt16>

  init(
    _ kinds: Set<Lenience.Kind>, in places: Set<Lenience.Place>? = nil, _ what: String, isOfResponses: Bool = false,
    fitting: Set<UInt16> = ExchangeRecord.misunderstood
  ) {
    self.kinds = kinds
    self.places = places
    self.what = what
    self.isOfResponses = isOfResponses
    self.fitting = fitting
  }

  fileprivate func matches(_ lenience: Lenience) -> Bool {
    kinds.contains(lenience.kind) && (places?.contains(lenience.place) ?? true)
  }
}

extension AnomalyRule {
  static var needs: ExchangeFacts { .leniences }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    let row = row
    let isRequest = exchange.isRequest(message)
    if row.isOfResponses, isRequest { return }
    var first: Lenience?
    var count = 0
    for lenience in message.leniences where row.matches(lenience) {
      first = first ?? lenience
      count += lenience.count
    }
    guard let first else { return }
    let isHurt = isRequest && row.fitting.contains(exchange.status.code)
    var evidence = [Evidence.lenience(first, message.direction, row.what)]
    if isHurt, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    var finding = Finding(
      info, confidence: isHurt ? min(info.confidence, .medium) : info.confidence, subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      "\(exchange.title): in what \(Wording.sender(message.direction)) sent, \(row.what).",
      cost: isHurt ? .failed(.exchange) : .none, fix: info.fix, evidence: evidence)
    finding.count = UInt64(max(1, count))
    report(finding)
  }
}
