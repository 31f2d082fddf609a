import Citation

/// What two captures have in common, and what differs.
package struct ComparisonRecord: Sendable {
  package var captures: BothSides<Summary>
  package var relation: CaptureRelation
  /// Where both show the same traffic.
  package var clock: ClockAlignment?
  /// In the order of A.
  package var pairs: [ComparedPair] = []
  /// Exchanges without a partner.
  package var unmatched = BothSides<[ComparedExchange]>(a: [], b: [])
  /// Connections without exchanges, matched by their ends.
  package var connections: [ComparedConnection] = []
  package var unmatchedConnections = BothSides<[ConnectionRecord]>(a: [], b: [])
  /// What the comparison found.
  package var findings: [Finding] = []
  /// Rules that found something in one capture only, and how often.
  package var foundAlone = BothSides<[RuleCount]>(a: [], b: [])
  /// Bounds that were reached.
  package var limits: [String] = []

  package struct RuleCount: Sendable, Equatable {
    package var rule: RuleID
    package var severity: Severity
    package var count: UInt64

    package init(rule: RuleID, severity: Severity, count: UInt64) {
      self.rule = rule
      self.severity = severity
      self.count = count
    }
  }

  package init(_ captures: BothSides<Summary>, _ relation: CaptureRelation) {
    self.captures = captures
    self.relation = relation
  }

  package var identical: Int { pairs.count(where: \.isIdentical) }
  /// Nothing differs except times.
  package var isIdentical: Bool {
    identical == pairs.count && unmatched.a.isEmpty && unmatched.b.isEmpty
      && connections.allSatisfy { $0.differences.isEmpty } && unmatchedConnections.a.isEmpty
      && unmatchedConnections.b.isEmpty
  }
}

/// How the two captures relate.
package struct CaptureRelation: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The same traffic, captured at two points.
    case points
    /// Two runs of the same thing: at two times, or of two clients.
    case runs
  }

  package var kind: Kind
  /// The reason.
  package var reason: String
  /// Of two points: which is nearer to the client; nil where that is not known, or they are one.
  package var outer: CompareSide?
  /// The two captures were made between the same hops.
  package var isSameConnection = false

  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

/// The clock of B relative to that of A.
package struct ClockAlignment: Sendable, Equatable {
  /// How far B is ahead of A, at `at` of A's clock.
  package var offset: Int64
  /// Bounds of the offset, from matched bytes.
  package var least: Int64
  package var most: Int64
  /// Nanoseconds per second; nil if the captures are too short, 0 if none was measured.
  package var drift: Int64?
  package var driftUncertainty: Int64
  /// Number of matched moments.
  package var samples: Int
  package var at: Timestamp

  package init(
    offset: Int64, least: Int64, most: Int64, drift: Int64?, driftUncertainty: Int64, samples: Int, at: Timestamp
  ) {
    self.offset = offset
    self.least = least
    self.most = most
    self.drift = drift
    self.driftUncertainty = driftUncertainty
    self.samples = samples
    self.at = at
  }

  /// The uncertainty.
  package var uncertainty: Int64 { max(most.apart(from: offset), least.apart(from: offset)) }

  /// It is halfway between two bounds, because nothing shows which of them is nearer.
  package var isMiddle: Bool { offset != 0 && least < offset && offset < most }

  /// A time of B on the clock of A.
  package func onA(_ time: Timestamp) -> Timestamp {
    let moved = time.advanced(by: 0 &- offset)
    guard let drift, drift != 0 else { return moved }
    // Exact enough: a capture has few seconds.
    let correction = Double(moved.since(at)) * Double(drift) / 1e9
    return correction.magnitude < 1e18 ? moved.advanced(by: 0 &- Int64(correction)) : moved
  }
}

/// A connection without HTTP exchanges, in both captures.
package struct ComparedConnection: Sendable {
  package var a: ConnectionRecord
  package var b: ConnectionRecord
  package var differences: [Difference]

  package init(_ a: ConnectionRecord, _ b: ConnectionRecord, _ differences: [Difference]) {
    self.a = a
    self.b = b
    self.differences = differences
  }
}
