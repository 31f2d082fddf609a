import Citation
// A rule is tested by rows: conversations on which it fires, with ①②… on exactly the packets its evidence must cite, and
// near misses on which it must stay silent. Every row runs through the whole engine, from the bytes of a capture file, so
// that what is tested is what people get. Each family has its suite; see RuleRowTests.
import Engine
import Events
import Rules
import RunSupport
import Support
import Testing

struct RuleRow: Sendable, CustomTestStringConvertible {
  let rule: RuleID
  /// What happens, and with it why the rule fires or does not.
  let testDescription: String
  let conversations: [Conversation]
  /// What they were written as, where they were.
  var script = ""
  /// Markers of the cited packets in the order of the evidence; nil where the rule must stay silent.
  var fires: [Int]?
  /// Who the finding is about.
  var direction: Direction?
  /// nil for what the rule says of itself.
  var severity: Severity?
  var confidence: Confidence?
  var cost = Cost.none
  var count: UInt64 = 1
  /// A part of the message that carries the figures.
  var says = ""
  /// A part of the finding's own fix.
  var fix = ""
  /// What the capturing host counted as dropped, in a pcapng file.
  var dropped: UInt64?
  /// Bytes taken off the end of the capture file.
  var cut = 0
  /// Bytes put behind it.
  var tail: [UInt8] = []
  /// Secrets of TLS connections.
  var keyLog = ""
  /// What the capture is compared with, where it takes two to see it; markers are those of the capture that is cited.
  var other: [Conversation]?

  /// The script may hold several conversations; see WireFile.
  static func fires(
    _ rule: RuleID, _ what: String, _ script: String, at markers: [Int], _ direction: Direction? = nil,
    severity: Severity? = nil, confidence: Confidence? = nil, cost: Cost = .none, count: UInt64 = 1, says: String = "",
    fix: String = ""
  ) -> RuleRow {
    var row = RuleRow(
      rule: rule, testDescription: what, conversations: WireFile(script).conversations, script: script, fires: markers)
    row.direction = direction
    row.severity = severity
    row.confidence = confidence
    row.cost = cost
    row.count = count
    row.says = says
    row.fix = fix
    return row
  }

  static func silent(_ rule: RuleID, _ what: String, _ script: String) -> RuleRow {
    RuleRow(
      rule: rule, testDescription: what, conversations: WireFile(script).conversations, script: script, fires: nil)
  }

  /// The same rows of two captures.
  func comparedWith(_ script: String) -> RuleRow {
    var row = self
    row.other = WireFile(script).conversations
    return row
  }

  func with(keyLog: String) -> RuleRow {
    var row = self
    row.keyLog = keyLog
    return row
  }

  /// Whether the script, and secrets beside it, are all that it takes to see it.
  var isScript: Bool { !script.isEmpty && dropped == nil && cut == 0 && tail.isEmpty && other == nil }

  var capture: [UInt8] {
    let scripted = ScriptedCapture(conversations)
    return (dropped.map(scripted.counted(dropped:)) ?? scripted.bytes).dropLast(cut) + tail
  }
}

/// The three packets that most rows begin with.
let handshake = "> SYN\n< SYN ACK\n> ACK\n"

extension RuleRow {
  /// The rule fires on the marked packets, or not at all.
  func check() async throws {
    let scripted = ScriptedCapture(conversations)
    #expect(scripted.problems.isEmpty)
    var options = PipelineOptions(keyLog: keyLog)
    options.expectsStreams = rule == NothingToCheck.info.id
    let findings: [Finding]
    var markersOfOther: [Int: UInt64] = [:]
    if let other = other {
      let scriptedOther = ScriptedCapture(other)
      #expect(scriptedOther.problems.isEmpty)
      markersOfOther = scriptedOther.markers
      let record = try await ComparisonRun(capture, scriptedOther.bytes).record
      findings = record.findings.filter { $0.rule == rule }
    } else {
      findings = try await CaptureRun(capture, options).findings(of: rule)
    }
    guard let markers = fires else {
      #expect(findings.isEmpty)
      return
    }
    #expect(findings.count == 1)
    let finding = try #require(findings.first)
    let cited = finding.evidence.compactMap { $0.packet?.number }
    let marked = zip(finding.evidence, markers).map { $0.side == .b ? markersOfOther[$1] : scripted.markers[$1] }
    #expect(cited == marked.compactMap { $0 } && cited.count == markers.count)
    #expect(finding.direction == direction)
    let info = try #require(Registry.info(rule))
    #expect(finding.severity == severity ?? info.severity)
    #expect(finding.confidence == confidence ?? info.confidence)
    #expect(finding.cost == cost)
    #expect(finding.count == count)
    #expect(says.isEmpty || finding.message.text.contains(says))
    #expect(fix.isEmpty || finding.fix?.contains(fix) == true)
    #expect(!finding.evidence.isEmpty)
  }
}
