import Citation
import Events
import HTTPSemantics

/// A rule that restates one kind of what the reader of multipart bodies had to forgive: all it has to say is a row.
protocol MultipartAnomalyRule: MultipartBodyRule {
  static var row: MultipartAnomalyRow { get }
}

struct MultipartAnomalyRow: Sendable {
  /// In which parts it counts.
  enum Parts { case all, first, later }

  let kinds: [(MultipartLenience.Kind, Parts)]
  /// What is wrong, as the end of a sentence.
  let what: String
  /// The answers that it may explain.
  let answers: Set<UInt16>

  init(
    _ kinds: [(MultipartLenience.Kind, Parts)], _ what: String,
    answers: Set<UInt16> = MultipartHarm.fitting
  ) {
    self.answers = answers
    self.kinds = kinds
    self.what = what
  }

  init(
    _ kind: MultipartLenience.Kind, _ what: String, answers: Set<UInt16> = MultipartHarm.fitting
  ) {
    self.init([(kind, .all)], what, answers: answers)
  }

  func matches(_ lenience: MultipartLenience) -> Bool {
    kinds.contains { kind, parts in
      guard kind == lenience.kind else { return false }
      return parts == .all || (parts == .later) == (lenience.part > 1)
    }
  }
}

extension MultipartAnomalyRule {
  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard let leniences = body.record?.leniences, !leniences.isEmpty else { return }
    let row = row
    let found = leniences.filter(row.matches)
    guard let first = found.first else { return }
    let (message, exchange) = (body.message, body.exchange)
    let harm = MultipartHarm(message, exchange, in: context, answers: row.answers)
    let count = found.reduce(0) { $0 + $1.count }
    let note = first.part > 0 ? "in part \(first.part): \(row.what)" : row.what
    var finding = Finding(
      info, confidence: min(info.confidence, harm.confidence), subject: .connection(context.id),
      exchange: exchange.number, direction: message.direction,
      "\(exchange.title): \(note)\(count > 1 ? ", \(Wording.number(UInt64(count))) times" : "").",
      cost: harm.cost, fix: info.fix,
      evidence: [Evidence(.bytes(first.span, message.direction), excerpt: first.excerpt, row.what)] + harm.evidence)
    finding.count = UInt64(max(1, count))
    report(finding)
  }
}
