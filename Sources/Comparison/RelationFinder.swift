import Citation
import Events
import HTTPSemantics

/// Whether two captures show the same traffic: the same connection, the same handshake of a WebSocket, or the same
/// exchanges at the same time of day.
struct RelationFinder {
  /// Clocks of two hosts that are kept right are no further apart. More would take two runs in a row for one.
  private static let clockSlack: Int64 = 50_000_000

  let pairs: [ComparedPair]
  /// Connections without exchanges.
  let bare: [ComparedConnection]

  func relation(asked: CaptureRelation.Kind?) -> CaptureRelation {
    if let asked {
      var relation = CaptureRelation(asked, "as given by --as")
      relation.isSameConnection = asked == .points && !pairs.isEmpty && pairs.allSatisfy(\.isSameConnection)
      return relation
    }
    // Pairs that were matched only because nothing else was left prove nothing.
    let pairs = pairs.filter(\.isSurelyAlike)
    guard !pairs.isEmpty else { return self.pairs.isEmpty ? relationOfBare : CaptureRelation(.runs, "other exchanges") }
    let same = pairs.filter(\.isSameConnection)
    // What a client sends does not change between two points of one connection.
    if same.count == pairs.count {
      guard same.allSatisfy(\.sendsTheSame) else {
        return CaptureRelation(.runs, "connections between the same endpoints, with other requests")
      }
      var relation = CaptureRelation(.points, "the same connections")
      relation.isSameConnection = true
      return relation
    }
    if pairs.contains(where: { $0.reason == .socketKey }) {
      return CaptureRelation(.points, "the same WebSocket keys")
    }
    let together = pairs.count(where: isAtOneTime)
    if together * 2 > pairs.count { return CaptureRelation(.points, "the same exchanges at the same time") }
    return CaptureRelation(.runs, "exchanges of different times")
  }

  /// If nothing can be parsed, the bytes decide: no two TLS connections have the same.
  private var relationOfBare: CaptureRelation {
    guard !bare.isEmpty else { return CaptureRelation(.runs, "nothing in common") }
    guard bare.contains(where: \.hasSameBytes) else { return CaptureRelation(.runs, "other connections") }
    var relation = CaptureRelation(.points, "the same connections")
    relation.isSameConnection = true
    return relation
  }

  /// Either began while the other went on, as far as clocks can be trusted.
  private func isAtOneTime(_ pair: ComparedPair) -> Bool {
    let a = pair.a.record
    let b = pair.b.record
    return begins(b, inside: a) || begins(a, inside: b)
  }

  private func begins(_ inner: ExchangeRecord, inside outer: ExchangeRecord) -> Bool {
    let begin = outer.first.time.advanced(by: -Self.clockSlack)
    let end = outer.last.time.advanced(by: Self.clockSlack)
    return inner.first.time >= begin && inner.first.time <= end
  }
}

extension ComparedPair {
  /// The same was asked for, or the same was sent.
  var isSurelyAlike: Bool {
    switch reason {
    case .socketKey, .target, .content: true
    case .path, .remaining: false
    }
  }

  /// The same endpoints: no proxy between the two points.
  var isSameConnection: Bool { a.connection.hasSameEnds(as: b.connection) }

  /// As far as both are there.
  fileprivate var sendsTheSame: Bool {
    guard let one = a.record.request?.head?.block.bytes, let other = b.record.request?.head?.block.bytes else {
      return true
    }
    return one == other
  }
}

extension ComparedConnection {
  /// Of one side at least.
  fileprivate var hasSameBytes: Bool {
    a.hasSameEnds(as: b)
      && Direction.allCases.contains { direction in
        a.sides[direction].bytes > 0 && a.sides[direction].sha256 == b.sides[direction].sha256
      }
  }
}
