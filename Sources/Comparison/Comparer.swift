import Citation
import Events
import HTTPSemantics
import Rules

/// Two captures compared with each other.
package struct Comparer {
  private let a: Recording
  private let b: Recording
  private let options: ComparisonOptions

  package init(_ a: Recording, _ b: Recording, _ options: ComparisonOptions) {
    self.a = a
    self.b = b
    self.options = options
  }

  package func compare() -> ComparisonRecord {
    let matcher = ExchangeMatcher(a.exchanges, b.exchanges)
    var pairs = matcher.matches.map { ComparedPair(a.exchanges[$0.a], b.exchanges[$0.b], $0.reason) }
    let bare = BareConnections(a.bare, b.bare)
    var relation = RelationFinder(pairs: pairs, bare: bare.pairs).relation(asked: options.relation)
    var record = ComparisonRecord(BothSides(a: a.summary, b: b.summary), relation)
    if relation.kind == .points {
      let fit = ClockFit(pairs, bare.pairs)
      relation.outer = fit.outer
      record.clock = fit.alignment
    }
    record.relation = relation
    var known: Set<[Int]> = []
    for index in pairs.indices {
      // What differs between two connections is reported with the first exchange on them.
      let legs = [pairs[index].a.leg.connection, pairs[index].b.leg.connection]
      compare(&pairs[index], relation, record.clock, tellsConnection: known.insert(legs).inserted)
    }
    if relation.kind == .runs {
      let pace = UsualPace(pairs)
      for index in pairs.indices { pace.settle(&pairs[index], options.thresholds) }
    }
    record.pairs = pairs
    record.unmatched = BothSides(
      a: matcher.unmatched.a.map { a.exchanges[$0] }, b: matcher.unmatched.b.map { b.exchanges[$0] })
    record.connections = bare.pairs
    record.unmatchedConnections = bare.unmatched
    record.foundAlone = FindingTally.alone(a.findings, b.findings)
    record.limits = a.limits + b.limits
    if matcher.pairedByPlace > 0 {
      let count = Wording.count(UInt64(matcher.pairedByPlace), "exchange")
      record.limits.append("\(count) paired by order alone: too many of them look alike")
    }
    let rules = ComparisonRules(relation, record.clock, options.thresholds)
    for pair in pairs { rules.judge(pair) { record.findings.append($0) } }
    if relation.kind == .runs { KnownFixes(a.findings, b.findings, pairs).add(to: &record.findings) }
    SharedFailures.join(&record.findings, pairs)
    return record
  }

  // MARK: One exchange

  private func compare(
    _ pair: inout ComparedPair, _ relation: CaptureRelation, _ clock: ClockAlignment?, tellsConnection: Bool
  ) {
    var found: [Difference] = []
    if tellsConnection {
      let opens = pair.a.record.opensWebSocket && pair.b.record.opensWebSocket
      found += ConnectionDifferences(pair.a.connection, pair.b.connection, comparesBytes: false).found.filter {
        // Two connections of a proxy end as each likes; how a WebSocket ends is how it worked.
        $0.kind != .end || pair.isSameConnection && relation.kind == .points || opens
      }
    }
    var content = BothDirections(repeating: ContentComparison.unknown)
    for direction in Direction.allCases {
      found += compare(direction, pair, &content)
    }
    if pair.a.record.opensWebSocket || pair.b.record.opensWebSocket {
      found += SocketDifferences(pair.a, pair.b).found
    }
    pair.differences = DifferenceOrder(pair, relation).ordered(found)
    var holds: [HoldMeasure] = []
    if relation.kind == .points {
      let outer = relation.outer ?? .a
      pair.passage = Passage(outer: outer, isSameConnection: pair.isSameConnection, proxy: pair.proxy(outer))
      holds = Direction.allCases.map { HoldMeasure($0, pair, outer: outer, clock) }
      for measure in holds {
        pair.holds[measure.direction] = measure.pieces
        pair.holdsCut[measure.direction] = measure.cut
      }
    }
    if !found.isEmpty || holds.contains(where: { $0.longest.map { $0.held > 0 } ?? false }) {
      for direction in Direction.allCases {
        pair.lanes[direction] = BothSides(a: pair.a.lane(direction), b: pair.b.lane(direction))
      }
    }
    pair.verdicts = Verdicts(pair, relation, content, holds, options.thresholds).found
  }

  /// One message of an exchange: its head and its body.
  private func compare(
    _ direction: Direction, _ pair: ComparedPair, _ content: inout BothDirections<ContentComparison>
  ) -> [Difference] {
    let isRequest = direction == .toServer
    let a = pair.a.message(direction)
    let b = pair.b.message(direction)
    var found: [Difference] = []
    if !isRequest { found += interim(pair) }
    guard let a, let b else {
      if a != nil || b != nil { found.append(missing(isRequest, pair, a, b)) }
      return found
    }
    if let one = a.head, let other = b.head {
      found += HeadDifferences(isRequest ? .request : .response, one, other).found
    }
    let chunks = BothSides(a: pair.a.chunks(direction), b: pair.b.chunks(direction))
    let body = BodyDifferences(isRequest ? .upload : .download, a, b, chunks: chunks)
    content[direction] = body.content
    return found + body.found
  }

  private func missing(_ isRequest: Bool, _ pair: ComparedPair, _ a: Message?, _ b: Message?) -> Difference {
    let words = { (message: Message?, exchange: ExchangeRecord) -> String in
      if let message { return isRequest ? "a request" : message.head?.statusText ?? "the beginning of a response" }
      return !isRequest && !exchange.isResponseMissing ? "no response" : "not captured"
    }
    return Difference(
      isRequest ? .request : .response, .status, a: words(a, pair.a.record), b: words(b, pair.b.record),
      packets: BothSides(a: a?.first ?? pair.a.record.last, b: b?.first ?? pair.b.record.last))
  }

  private func interim(_ pair: ComparedPair) -> [Difference] {
    let words = { (messages: [Message]) -> String? in
      let heads = messages.compactMap { $0.head?.statusText }
      return heads.isEmpty ? nil : heads.joined(separator: ", ")
    }
    let a = words(pair.a.record.interim)
    let b = words(pair.b.record.interim)
    guard a != b else { return [] }
    return [
      Difference(
        .interim, .interim, a: a, b: b,
        packets: BothSides(a: pair.a.record.interim.first?.first, b: pair.b.record.interim.first?.first))
    ]
  }
}

extension ComparedExchange {
  fileprivate func chunks(_ direction: Direction) -> [Item] {
    pieces.filter { $0.direction == direction && $0.kind == .chunk }
  }
}

extension ComparedPair {
  /// What the proxy between the two points calls itself: in the answer that it passed on, where the one that it got says
  /// otherwise.
  fileprivate func proxy(_ outer: CompareSide) -> String? {
    guard !isSameConnection else { return nil }
    let passed = self[outer].record
    let came = self[outer.other].record
    if let server = passed.serverAgent, !server.isEmpty, server != came.serverAgent { return String(server.prefix(48)) }
    guard let via = came.request?.head?.block.value("via"), !via.isEmpty else { return nil }
    return "the proxy that calls itself \"\(via.prefix(48))\""
  }
}
