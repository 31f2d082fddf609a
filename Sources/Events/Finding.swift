import Citation

/// The sentence of a finding, made by its rule's own factory, and the figures in it by name for programs.
package struct FindingMessage: Sendable, ExpressibleByStringInterpolation {
  package var text: String
  /// The last part of `text`: what this connection alone leaves open, and another may settle.
  private var doubt = ""

  package init(stringLiteral value: String) {
    text = value
  }

  package init(_ text: String) {
    self.text = text
  }

  package init(_ text: String, doubt: String) {
    self.text = text + " " + doubt
    self.doubt = doubt
  }

  /// Another finding proves what was in doubt.
  package mutating func settle() {
    guard !doubt.isEmpty, text.hasSuffix(doubt) else { return }
    text.removeLast(doubt.count + 1)
    doubt = ""
  }
}

/// The ends of the connection that a finding is about.
package struct FindingParties: Sendable, Equatable {
  package var client: Endpoint
  package var server: Endpoint

  package init(client: Endpoint, server: Endpoint) {
    self.client = client
    self.server = server
  }
}

/// A statement about one connection, exchange and direction, with its cost and evidence.
///
/// What it says stands behind one reference, and is copied when it is changed while others hold it: a finding is handed
/// from its rule to the reports through a dozen hands.
package struct Finding: Sendable {
  package enum Subject: Sendable, Equatable {
    case connection(FlowID)
    case capture
  }

  /// The number of the connection in reports; set by the merger.
  package var connection: Int?
  private var shared: Shared<Parts>

  private struct Parts: Sendable {
    let rule: RuleID
    var severity: Severity
    var confidence: Confidence
    let subject: Subject
    var exchange: Int?
    var direction: Direction?
    var message: FindingMessage
    var cost: Cost
    var fix: String?
    var causedBy: RuleID?
    var evidence: [Evidence]
    var count: UInt64 = 1
    var firstPacket: PacketRef
    var lastPacket: PacketRef
    var place: EndpointName?
    var isOfEndpoint = false
    var alsoOn: [Int] = []
    var parties: FindingParties?
    var hops: HopJoin?
    var side: CompareSide?
    var habit: Int?
    var thresholds: [Threshold: Int64]
  }

  package init(
    _ info: RuleInfo, severity: Severity? = nil, confidence: Confidence? = nil, subject: Subject, exchange: Int? = nil,
    direction: Direction? = nil, _ message: FindingMessage, cost: Cost, fix: String? = nil, causedBy: RuleID? = nil,
    evidence: [Evidence]
  ) {
    let packets = evidence.lazy.compactMap(\.packet)
    shared = Shared(
      Parts(
        rule: info.id, severity: severity ?? info.severity, confidence: confidence ?? info.confidence,
        subject: subject, exchange: exchange, direction: direction, message: message, cost: cost.felt, fix: fix,
        causedBy: causedBy, evidence: evidence,
        firstPacket: packets.min { $0.number < $1.number } ?? .none,
        lastPacket: packets.max { $0.number < $1.number } ?? .none,
        thresholds: Dictionary(uniqueKeysWithValues: info.thresholds.map { ($0, $0.standard) })))
  }

  package var rule: RuleID { shared.value.rule }

  package var severity: Severity {
    _read { yield shared.value.severity }
    _modify { yield &shared.value.severity }
  }

  package var confidence: Confidence {
    _read { yield shared.value.confidence }
    _modify { yield &shared.value.confidence }
  }

  package var subject: Subject { shared.value.subject }

  /// The number of the exchange on its connection, where it is about one.
  package var exchange: Int? {
    _read { yield shared.value.exchange }
    _modify { yield &shared.value.exchange }
  }

  /// The side the finding is about, which may be the silent one.
  package var direction: Direction? {
    _read { yield shared.value.direction }
    _modify { yield &shared.value.direction }
  }

  package var message: FindingMessage {
    _read { yield shared.value.message }
    _modify { yield &shared.value.message }
  }

  package var cost: Cost {
    _read { yield shared.value.cost }
    _modify { yield &shared.value.cost }
  }

  /// Addressed to the owner of the cause; empty if the evidence does not show what to change.
  package var fix: String? {
    _read { yield shared.value.fix }
    _modify { yield &shared.value.fix }
  }

  package var causedBy: RuleID? {
    _read { yield shared.value.causedBy }
    _modify { yield &shared.value.causedBy }
  }

  /// Never empty.
  package var evidence: [Evidence] {
    _read { yield shared.value.evidence }
    _modify { yield &shared.value.evidence }
  }

  package var count: UInt64 {
    _read { yield shared.value.count }
    _modify { yield &shared.value.count }
  }

  package var firstPacket: PacketRef {
    _read { yield shared.value.firstPacket }
    _modify { yield &shared.value.firstPacket }
  }

  package var lastPacket: PacketRef {
    _read { yield shared.value.lastPacket }
    _modify { yield &shared.value.lastPacket }
  }

  /// The endpoint it is about, if there is one; set by the merger where the rule does not.
  package var place: EndpointName? {
    _read { yield shared.value.place }
    _modify { yield &shared.value.place }
  }

  /// It is about the exchanges of `place`, `count` of them, and names the first.
  package var isOfEndpoint: Bool {
    _read { yield shared.value.isOfEndpoint }
    _modify { yield &shared.value.isOfEndpoint }
  }

  /// The numbers of the other connections it is about. In no order, each once.
  package var alsoOn: [Int] {
    _read { yield shared.value.alsoOn }
    _modify { yield &shared.value.alsoOn }
  }

  /// The two ends of the connection.
  package var parties: FindingParties? {
    _read { yield shared.value.parties }
    _modify { yield &shared.value.parties }
  }

  /// The two hops of the exchange that the finding is about.
  package var hops: HopJoin? {
    _read { yield shared.value.hops }
    _modify { yield &shared.value.hops }
  }

  /// In a comparison: the capture that is worse, to which connection and exchange belong.
  package var side: CompareSide? {
    _read { yield shared.value.side }
    _modify { yield &shared.value.side }
  }

  /// Whose habit it tells, as a hash: where one agent or server has it on connection after connection, the first is
  /// shown, and the others are counted in it.
  package var habit: Int? {
    _read { yield shared.value.habit }
    _modify { yield &shared.value.habit }
  }

  /// The thresholds of the rule.
  package var thresholds: [Threshold: Int64] {
    _read { yield shared.value.thresholds }
    _modify { yield &shared.value.thresholds }
  }

  /// By packets and ids, so that nothing depends on the order in which rules are asked. Those of one rule stay as they
  /// are, as a stable sort leaves them.
  package static func isBefore(_ left: Finding, _ right: Finding) -> Bool {
    left.order < right.order
  }

  /// What decides it, for whoever sorts findings without moving them.
  package var order: (packet: UInt64, rule: RuleID) { (firstPacket.number, rule) }

  package var sortedThresholds: [Threshold] { thresholds.keys.sorted { $0.name < $1.name } }
  package var isDiagnosis: Bool { cost != .none }
  /// Findings without a cost are shown as notes, whatever the rule's severity.
  package var shownSeverity: Severity { isDiagnosis ? severity : .note }
}
