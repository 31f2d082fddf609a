import Citation

/// error: something failed or was lost; warning: it had a cost or will have; note: worth knowing.
package enum Severity: UInt8, Sendable, Comparable, CaseIterable {
  case note, warning, error
  package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }

  package var name: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

package enum Confidence: UInt8, Sendable, Comparable, CaseIterable {
  case low, medium, high
  package static func < (left: Confidence, right: Confidence) -> Bool { left.rawValue < right.rawValue }

  package var name: String {
    switch self {
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    }
  }
}

/// What a finding cost. With a cost it is a diagnosis, without one lint.
package enum Cost: Sendable, Equatable {
  case none
  case delay(nanoseconds: Int64)
  case lost(bytes: UInt64)
  case failed(Failure)

  package enum Failure: String, Sendable { case connection, exchange }

  /// The cost of two occurrences together; all findings of a rule have the same kind of cost.
  package func adding(_ other: Cost) -> Cost {
    switch (self, other) {
    case (.delay(let a), .delay(let b)): .delay(nanoseconds: a &+ b)
    case (.lost(let a), .lost(let b)): .lost(bytes: a &+ b)
    case (.none, let cost): cost
    default: self
    }
  }

  /// Delays shorter than this are nobody's, and no more than a capture's clock is off by.
  private static let shortest: Int64 = 1_000_000

  /// Itself, or none where it is too small to be one.
  fileprivate var felt: Cost {
    switch self {
    case .delay(let nanoseconds) where nanoseconds < Self.shortest: .none
    case .lost(bytes: 0): .none
    default: self
    }
  }

  /// Failures first, then losses, then delays, the larger first; this orders findings in reports.
  package var weight: (UInt8, UInt64) {
    switch self {
    case .failed(.connection): (4, 0)
    case .failed(.exchange): (3, 0)
    case .lost(let bytes): (2, bytes)
    case .delay(let nanoseconds): (1, UInt64(max(0, nanoseconds)))
    case .none: (0, 0)
    }
  }
}

/// A place in the capture, its bytes, and what they show.
package struct Evidence: Sendable {
  package enum Place: Sendable {
    /// Bytes of a stream.
    case bytes(ByteSpan, Direction)
    /// A packet as such: a SYN, a RST, an ICMP error has no stream bytes.
    case packet(PacketRef, Direction?)
    /// No packet shows it, only the file.
    case file(offset: UInt64?)
  }

  package var place: Place
  package var excerpt: Excerpt?
  package var note: String
  /// Which capture it is in, if two are compared.
  package var side: CompareSide?

  package init(_ place: Place, excerpt: Excerpt? = nil, _ note: String) {
    self.place = place
    self.excerpt = excerpt
    self.note = note
  }

  /// The packet to open, the first of several.
  package var packet: PacketRef? {
    switch place {
    case .bytes(let span, _): span.first
    case .packet(let packet, _): packet
    case .file: nil
    }
  }
}

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
package struct Finding: Sendable {
  package enum Subject: Sendable, Equatable {
    case connection(FlowID)
    case capture
  }

  package var rule: RuleID
  package var severity: Severity
  package var confidence: Confidence
  package var subject: Subject
  /// The number of the exchange on its connection, where it is about one.
  package var exchange: Int?
  /// The side the finding is about, which may be the silent one.
  package var direction: Direction?
  package var message: FindingMessage
  package var cost: Cost
  /// Addressed to the owner of the cause; empty if the evidence does not show what to change.
  package var fix: String?
  package var causedBy: RuleID?
  /// Never empty.
  package var evidence: [Evidence]
  package var count: UInt64 = 1
  package var firstPacket: PacketRef
  package var lastPacket: PacketRef
  /// The endpoint it is about, if there is one; set by the merger where the rule does not.
  package var place: EndpointName?
  /// The number of the connection in reports; set by the merger.
  package var connection: Int?
  /// It is about the exchanges of `place`, `count` of them, and names the first.
  package var isOfEndpoint = false
  /// The numbers of the other connections it is about. In no order, each once.
  package var alsoOn: [Int] = []
  /// The two ends of the connection.
  package var parties: FindingParties?
  /// The two hops of the exchange that the finding is about.
  package var hops: HopJoin?
  /// In a comparison: the capture that is worse, to which connection and exchange belong.
  package var side: CompareSide?
  /// Whose habit it tells, as a hash: where one agent or server has it on connection after connection, the first is
  /// shown, and the others are counted in it.
  package var habit: Int?
  /// The thresholds of the rule.
  package var thresholds: [Threshold: Int64]

  package init(
    _ info: RuleInfo, severity: Severity? = nil, confidence: Confidence? = nil, subject: Subject, exchange: Int? = nil,
    direction: Direction? = nil, _ message: FindingMessage, cost: Cost, fix: String? = nil, causedBy: RuleID? = nil,
    evidence: [Evidence]
  ) {
    self.rule = info.id
    self.severity = severity ?? info.severity
    self.confidence = confidence ?? info.confidence
    self.subject = subject
    self.exchange = exchange
    self.direction = direction
    self.message = message
    self.cost = cost.felt
    self.fix = fix
    self.causedBy = causedBy
    self.evidence = evidence
    self.thresholds = Dictionary(uniqueKeysWithValues: info.thresholds.map { ($0, $0.standard) })
    let packets = evidence.compactMap(\.packet)
    self.firstPacket = packets.min { $0.number < $1.number } ?? .none
    self.lastPacket = packets.max { $0.number < $1.number } ?? .none
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
