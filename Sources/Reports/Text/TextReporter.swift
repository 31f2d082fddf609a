import Citation
import Events

/// The text report: the verdict, then as much of the timeline as fits a screen.
///
/// A capture of a few connections is reported connection by connection; a large one by causes and servers. What is
/// kept is bounded either way: a few records, the first findings of each rule, and figures per server.
package struct TextReporter: Reporter {
  /// Connections that are reported one by one.
  package static let storyLimit = 6
  /// Findings kept in full, per kind and over all.
  private static let findingsPerRule = 20
  private static let findingsInAll = 200
  /// Exchanges kept of one connection; of more, the last ones take the place of those before.
  private static let exchangeLimit = 64

  /// Notes and consequences of a rule do not take the place of what it found itself.
  private struct Kind: Hashable {
    let rule: RuleID
    let isRoot: Bool
  }

  private let style: TextStyle
  private let redaction: Redaction
  /// What a rule is about, in a sentence.
  private let topic: @Sendable (RuleID) -> String?
  private var stories: [ConnectionRecord] = []
  /// Of the connections that may be reported, by number.
  private var exchanges: [Int: [ExchangeRecord]] = [:]
  private var servers = ServerTable()
  private var causes = CauseTable()
  private var findings: [Finding] = []
  /// Diagnoses without a cause of their own, by severity.
  private var roots: [Severity: UInt64] = [:]
  private var findingsOfKind: [Kind: Int] = [:]
  private var ends = EndTally()
  private var left = LeftResponses()
  private var open = OpenTransfers()
  private var run = RunInfo(version: "", features: [], file: "")
  private var isSelected: Bool { run.isSelected }

  package init(
    _ style: TextStyle, _ redaction: Redaction, topic: @escaping @Sendable (RuleID) -> String? = { _ in nil }
  ) {
    self.style = style
    self.redaction = redaction
    self.topic = topic
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {
    self.run = run
  }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    switch item {
    case .exchange(let exchange):
      left.add(exchange)
      open.add(exchange)
      keep(exchange)
    case .piece, .loss, .stall: break
    case .connection(let record):
      ends.add(record)
      servers.add(record)
      keep(record)
    case .finding(let finding):
      causes.add(finding)
      if finding.isDiagnosis, finding.causedBy == nil { roots[finding.severity, default: 0] += 1 }
      let kind = Kind(rule: finding.rule, isRoot: finding.isDiagnosis && finding.causedBy == nil)
      let seen = findingsOfKind[kind, default: 0]
      if seen < Self.findingsPerRule, findings.count < Self.findingsInAll {
        findings.append(finding)
        findingsOfKind[kind] = seen + 1
      }
    }
  }

  /// Keeps the connections with the smallest numbers: they are reported when they end, in any order.
  private mutating func keep(_ record: ConnectionRecord) {
    let at = stories.firstIndex { $0.number > record.number } ?? stories.count
    guard at < Self.storyLimit else { return }
    stories.insert(record, at: at)
    if stories.count > Self.storyLimit { stories.removeLast() }
  }

  private mutating func keep(_ exchange: ExchangeRecord) {
    let connection = exchange.key.connection
    guard connection <= Self.storyLimit || style.connection == connection || isSelected && mayBeTold(connection) else {
      return
    }
    if exchanges[connection, default: []].count < Self.exchangeLimit {
      exchanges[connection, default: []].append(exchange)
    } else {
      exchanges[connection]?.remove(at: Self.exchangeLimit / 2)
      exchanges[connection]?.append(exchange)
    }
  }

  /// If connections are selected, those with the smallest numbers are reported; one whose exchange is reported will be
  /// reported, too.
  private mutating func mayBeTold(_ connection: Int) -> Bool {
    if exchanges[connection] != nil { return true }
    let told = Set(exchanges.keys).union(stories.map(\.number))
    guard told.count >= Self.storyLimit, let most = told.max() else { return true }
    guard connection < most else { return false }
    exchanges[most] = nil
    return true
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    let isSmall = ends.count <= Self.storyLimit
    let origin = summary.capture.firstTime ?? .zero
    var block = TextBlock(style)
    TextHeading(summary: summary, style: style, isSmall: isSmall).write(
      verdict: verdicts(summary, isSmall: isSmall), ends: ends, to: &block)
    TextAssertions(style: style).write(summary.assertions, to: &block)
    if isSmall {
      for record in stories where !style.isQuiet {
        TextStory(
          record: record, exchanges: exchanges[record.number] ?? [], outerHop: summary.hops[record.number],
          cited: cited(on: record.number), style: style, origin: origin, captureEnd: summary.capture.lastTime
        ).write(to: &block)
      }
      for finding in findings where !style.isQuiet && finding.isDiagnosis {
        if let join = finding.hops { TextHops(style: style, origin: origin).write(join, to: &block) }
      }
      TextFindings(style: style, redaction: redaction, isSingle: ends.count == 1, members: summary.capture.members)
        .write(findings, causes, topic: quoted(isSmall: isSmall), to: &block)
    } else {
      TextOverview(style: style, redaction: redaction, run: run).write(summary, causes, servers, findings, to: &block)
    }
    try output.write(block.taken())
  }

  /// What the diagnoses of a connection cite.
  private func cited(on connection: Int) -> Set<UInt64> {
    Set(
      findings.lazy.filter { $0.isDiagnosis && $0.connection == connection }.flatMap(\.evidence)
        .compactMap(\.packet?.number))
  }

  /// That there is none can only be said where every packet was understood.
  static func noConnection(opaque: UInt64) -> String {
    opaque == 0
      ? "No TCP connection in this capture."
      : "No TCP connection in what could be decoded; \(Wording.count(opaque, "packet")) could not be."
  }

  /// The verdict, what was silent at the end, and how many requests failed.
  private func verdicts(_ summary: Summary, isSmall: Bool) -> String? {
    let words = [
      verdict(summary, isSmall: isSmall), open.words(until: summary.capture.lastTime, besides: hurt),
      failures(summary, isSmall: isSmall),
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The connections that a diagnosis is about.
  private var hurt: Set<Int> {
    Set(
      findings.lazy.filter(\.isDiagnosis).flatMap { finding in finding.alsoOn + (finding.connection.map { [$0] } ?? [])
      })
  }

  /// How many requests failed, where the verdict does not say so itself.
  private func failures(_ summary: Summary, isSmall: Bool) -> String? {
    var statuses = StatusCounts()
    for endpoint in summary.endpoints { statuses.add(endpoint.statuses) }
    // What a diagnosis says with its figures is not repeated; of many causes only the figures are one sentence.
    let told = isSmall ? Set(findings.filter(\.isDiagnosis).map(\.rule)) : []
    let failures = statuses.failures.filter { entry in
      !told.contains(entry.code == 0 ? "http/unanswered-request" : "http/server-error")
    }
    let count = failures.reduce(0) { $0 &+ $1.count }
    guard count > 1 || count == 1 && roots.isEmpty else { return nil }
    let words = failures.prefix(4).map { entry in
      entry.code == 0
        ? "\(Wording.number(entry.count)) unanswered"
        : "\(Wording.number(entry.count)) \(style.isASCII ? "x" : "×") \(entry.code)"
    }
    let more = failures.count > 4 ? " and others" : ""
    return "Answered with errors, or not at all: \(words.joined(separator: ", "))\(more)."
  }

  /// Everything in one sentence; nil for a large capture with diagnoses, whose list of causes begins with it.
  private func verdict(_ summary: Summary, isSmall: Bool) -> String? {
    if summary.capture.packets == 0 {
      let isFiltered = run.inputOptions.contains { $0.name == "-f" }
      return isFiltered ? "The capture holds no packet that the filter matches." : "The capture holds no packets."
    }
    if ends.count == 0, summary.connections == 0 { return Self.noConnection(opaque: summary.capture.opaque) }
    guard let worst = worst(isSmall: true) else {
      if ends.count == 0, summary.selection != nil { return "Nothing in this capture is selected." }
      let none =
        summary.selection != nil
        ? "No problem found in what is selected and could be read."
        : Self.noProblem(summary)
      return [none, left.words].compactMap { $0 }.joined(separator: " ")
    }
    guard isSmall else { return nil }
    let errors = roots[.error, default: 0]
    let warnings = roots[.warning, default: 0]
    let notes = roots[.note, default: 0]
    let counts = [(errors, "error"), (warnings, "warning"), (notes, "note")].filter { $0.0 > 0 }
      .map { Wording.count($0.0, $0.1) }.joined(separator: ", ")
    return "\(counts): \(EscapedText.text(worst.message.text))"
  }

  static func noProblem(_ summary: Summary) -> String {
    let all = "No problem found in what could be read"
    guard summary.shutTLS > 0 else { return all + "." }
    let verb = summary.shutTLS == 1 ? "is" : "are"
    let reason =
      summary.incompleteTLS == summary.shutTLS
      ? "that the key log does not open: their hellos were not captured, or some of their secrets are missing"
      : "without keys (set SSLKEYLOGFILE on the client, and pass --keylog FILE)"
    return """
      \(all); \(Wording.number(summary.shutTLS)) of \(Wording.count(summary.connections, "connection")) \(verb) TLS \
      \(reason).
      """
  }

  /// The finding that the verdict quotes.
  private func worst(isSmall: Bool) -> Finding? {
    guard isSmall else { return nil }
    return findings.filter { $0.isDiagnosis && $0.causedBy == nil }.min(by: Finding.isWorse)
  }

  private func quoted(isSmall: Bool) -> (Finding, String)? {
    guard let worst = worst(isSmall: isSmall), let words = topic(worst.rule) else { return nil }
    return (worst, words)
  }
}

extension Finding {
  private var isProvenByHops: Bool { isDiagnosis && hops != nil }
  /// The packets leave no doubt.
  var isProven: Bool { confidence == .high }

  /// Whether `left` comes before `right` for a person: diagnoses first, then severity, then what is proven before what
  /// is inferred, then cost, then the order of the capture.
  static func isWorse(_ left: Finding, _ right: Finding) -> Bool {
    if left.isDiagnosis != right.isDiagnosis { return left.isDiagnosis }
    if left.shownSeverity != right.shownSeverity { return left.shownSeverity > right.shownSeverity }
    // Both hops prove what one alone can only suggest, whatever the difference in cost.
    if left.isProvenByHops != right.isProvenByHops { return left.isProvenByHops }
    if left.isDiagnosis, left.isProven != right.isProven { return left.isProven }
    if left.cost.weight != right.cost.weight { return left.cost.weight > right.cost.weight }
    if left.firstPacket.number != right.firstPacket.number {
      return left.firstPacket.number < right.firstPacket.number
    }
    return left.rule < right.rule
  }
}
