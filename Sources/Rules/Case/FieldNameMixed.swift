import Citation
import Events
import HTTPSemantics

/// Field names in a spelling of no convention, or in two spellings from one side.
struct FieldNameMixed: ConnectionRule {
  static let info = RuleInfo(
    id: "case/field-name-mixed", severity: .warning,
    summary: "Names of fields are spelled oddly, or in more than one way.",
    explanation: """
      Field names are compared without case, so nothing is wrong; but code that looks a name up as bytes finds `Server` \
      and not `SERVER`, and two spellings of one name from one side show that two programs wrote them: an application \
      and a framework, or an origin and a proxy that added or rewrote fields. Where a message works on one path and not \
      on another, it is a difference to look at.
      """,
    evidence: """
      The names, each spelling once on a connection and, for a second spelling, where the first was seen. Lower case \
      throughout, each part or only the first capitalised, and spellings that are registered (ETag, WWW-Authenticate, \
      DNT, TE, Sec-WebSocket-Key) are usual. Capitals that a vendor chose inside a name of its own (CF-RAY, \
      X-AspNet-Version) are not odd.
      """,
    fix: "Sender: use one spelling throughout. Receiver: compare names without case.",
    specifications: [
      Specification("RFC 9110 §5.1", "https://www.rfc-editor.org/rfc/rfc9110#section-5.1")
    ],
    since: "0.1")

  private static let quoted = 4
  /// No name in use is longer.
  private static let nameLimit = 64

  private var memories = BothDirections(repeating: SpellingMemory())
  /// The spelling of the last head of each side in which nothing was found.
  private var settled = BothDirections<Int?>(repeating: nil)

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    // In HTTP/2 names are lower case by rule: see Versions.
    guard exchange.key.stream == nil else { return }
    for message in exchange.messages { judge(message, exchange, in: context, report: report) }
  }

  private mutating func judge(
    _ message: Message, _ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let head = message.head else { return }
    let direction = message.direction
    let block = head.block
    guard settled[direction] != block.spelling else { return }
    settled[direction] = nil
    var evidence: [Evidence] = []
    var spellings: [String] = []
    memories[direction].beginMessage()
    let held = block.bytes
    for field in block.fields where field.name.count <= Self.nameLimit {
      if memories[direction].meetsNext(held.span, field.name) { continue }
      let name = held[field.name.clamped(to: 0..<held.count)]
      let meeting = memories[direction].meet(name, in: block.span(of: field.name).first)
      let note: String
      var written = ""
      switch meeting {
      case .known: continue
      case .new:
        guard FieldSpelling.isOdd(name), !FieldSpelling.isCapitals(block) else { continue }
        note = "an unusual spelling"
      case .otherwise(let earlier):
        let first = memories[direction].spelling(earlier)
        note = "\"\(first)\" in #\(earlier.packet.number)"
        if spellings.count < Self.quoted, !evidence.contains(where: { $0.packet == earlier.packet }) {
          evidence.append(Evidence(.packet(earlier.packet, direction), "spelled otherwise here"))
        }
        written = "\"\(first)\" and "
      }
      if spellings.count < Self.quoted {
        let excerpt = block.excerpt(of: field.name)
        evidence.append(Evidence(.bytes(block.span(of: field.name), direction), excerpt: excerpt, note))
      }
      spellings.append("\(written)\"\(text(of: name))\"")
    }
    guard !spellings.isEmpty else {
      settled[direction] = block.spelling
      return
    }
    var finding = Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: direction,
      .spelled(spellings, Self.quoted, message, exchange), cost: .none,
      fix: Self.info.fix,
      evidence: evidence)
    finding.count = UInt64(spellings.count)
    report(finding)
  }
}

extension FindingMessage {
  fileprivate static func spelled(
    _ spellings: [String], _ quoted: Int, _ message: Message, _ exchange: ExchangeRecord
  ) -> Self {
    let names = spellings.prefix(quoted).joined(separator: ", ")
    let more = spellings.count > quoted ? " and \(spellings.count - quoted) more" : ""
    return """
      \(exchange.title): \(Wording.sender(message.direction)) writes \(names)\(more); code that compares names by bytes \
      misses such fields.
      """
  }
}
