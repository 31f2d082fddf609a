import Citation
import Events
import HTTPSemantics

/// The words for what differs between two captures of an exchange.
struct Verdicts {
  private let pair: ComparedPair
  private let relation: CaptureRelation
  private let thresholds: Thresholds
  private let holds: [HoldMeasure]
  private let content: BothDirections<ContentComparison>
  private(set) var found: [ComparisonVerdict] = []

  init(
    _ pair: ComparedPair, _ relation: CaptureRelation, _ content: BothDirections<ContentComparison>,
    _ holds: [HoldMeasure], _ thresholds: Thresholds
  ) {
    self.pair = pair
    self.relation = relation
    self.content = content
    self.holds = holds
    self.thresholds = thresholds
    if let failed = failure() {
      found = [failed]
      // Two runs that went apart there have nothing more to say of each other.
      if relation.kind == .runs { return }
    }
    for direction in Direction.allCases {
      if let cut = truncation(direction) { found.append(cut) }
      if let late = lateness(direction) { found.append(late) }
    }
    // Of two things that have nothing else in common, how long each took says nothing.
    if relation.kind == .runs, pair.reason != .remaining, let slower = slowness() { found.append(slower) }
    if isAltered { found.append(ComparisonVerdict(.altered)) }
    if pair.differences.contains(where: { $0.reframes && $0.role != .hop }) {
      found.append(ComparisonVerdict(.reframed))
    }
    if found.isEmpty { found = [ComparisonVerdict(.identical)] }
    found.sort { $0.word > $1.word }
  }

  // MARK: Broken

  private func failure() -> ComparisonVerdict? {
    let a = pair.a.record
    let b = pair.b.record
    guard !a.isResponseMissing, !b.isResponseMissing, a.request != nil, b.request != nil else { return nil }
    let fails = BothSides(a: a.isFailed, b: b.isFailed)
    guard fails.a != fails.b else { return nil }
    return ComparisonVerdict(.failed, side: fails.a ? .a : .b, cost: .failed(.exchange))
  }

  private func truncation(_ direction: Direction) -> ComparisonVerdict? {
    let messages = BothSides(a: pair.a.message(direction), b: pair.b.message(direction))
    guard let a = messages.a, let b = messages.b, !a.isMissing, !b.isMissing, a.framing != .tunnel,
      b.framing != .tunnel
    else { return nil }
    if case .shorter(let side, let bytes) = content[direction] {
      // Of two runs that both have an end, one simply said less.
      guard relation.kind == .points || !(messages[side]?.isComplete ?? true) else { return nil }
      return ComparisonVerdict(.truncated, direction, side: side, cost: .lost(bytes: bytes[side.other] - bytes[side]))
    }
    guard a.isComplete != b.isComplete else { return nil }
    let side: CompareSide = a.isComplete ? .b : .a
    guard let cause = messages[side]?.incomplete?.cause, cause == .fin || cause == .reset else { return nil }
    return ComparisonVerdict(.truncated, direction, side: side, cost: .failed(.exchange))
  }

  private var isAltered: Bool {
    Direction.allCases.contains { direction in
      switch content[direction] {
      case .differs, .longer: true
      case .shorter: relation.kind == .runs
      case .same, .unknown: false
      }
    } || pair.differences.contains { $0.altersMeaning && $0.kind != .content && !followsFromBody($0) }
      || pair.differences.contains { $0.part == .webSocket && $0.altersMeaning }
  }

  /// The length of a body that has another length, or another coding, is not one thing more that differs.
  private func followsFromBody(_ difference: Difference) -> Bool {
    guard difference.kind == .fieldValue, difference.name.lowercased() == "content-length" else { return false }
    let body: Difference.Part = difference.part == .request ? .upload : .download
    return pair.differences.contains {
      $0.kind == .content && $0.part == body || $0.kind == .contentCoding && $0.part == difference.part
    }
  }

  // MARK: Late

  /// Later, and in fewer and larger bursts; or only later.
  private func lateness(_ direction: Direction) -> ComparisonVerdict? {
    relation.kind == .points ? heldBack(direction) : gathered(direction)
  }

  private func heldBack(_ direction: Direction) -> ComparisonVerdict? {
    guard let measure = holds.first(where: { $0.direction == direction }), let first = measure.first,
      let longest = measure.longest, let outer = relation.outer ?? pair.passage?.outer
    else { return nil }
    let least = thresholds[.compareDelay]
    let sure = longest.held &- measure.unsure
    guard sure >= least else { return nil }
    let late = direction == .toServer ? outer.other : outer
    let cost = Cost.delay(nanoseconds: longest.held)
    if first.held &- measure.unsure >= least, measure.isGathered {
      return ComparisonVerdict(.buffered, direction, side: late, cost: cost)
    }
    guard exceeds(sure &+ measure.awaited, measure.awaited) else { return nil }
    return ComparisonVerdict(.slower, direction, side: late, cost: cost)
  }

  /// Of two runs: the body of one began later, and came in fewer bursts.
  private func gathered(_ direction: Direction) -> ComparisonVerdict? {
    guard let a = pair.a.trail(direction), let b = pair.b.trail(direction), let one = pair.a.begin(direction),
      let other = pair.b.begin(direction), !a.isThinned, !b.isThinned
    else { return nil }
    let late: CompareSide = one > other ? .a : .b
    guard exceeds(max(one, other), min(one, other)) else { return nil }
    let arrivals = BothSides(a: a.arrivals, b: b.arrivals)
    let bursts = arrivals.map { HoldMeasure.bursts($0).count }
    let gaps = arrivals.map(HoldMeasure.longestGap)
    guard
      HoldMeasure.areGathered((bursts[late.other], bursts[late]), (gaps[late.other], gaps[late]))
    else { return nil }
    return ComparisonVerdict(
      .buffered, direction, side: late, cost: .delay(nanoseconds: max(one, other) - min(one, other)))
  }

  private func slowness() -> ComparisonVerdict? {
    let waits = BothSides(a: pair.a.record.wait, b: pair.b.record.wait)
    guard let a = waits.a, let b = waits.b, found.allSatisfy({ $0.word != .buffered }) else { return nil }
    if exceeds(max(a, b), min(a, b)) { return slower(a, b) }
    // A stream lasts as long as it is wanted.
    guard pair.a.record.kind == .plain, pair.b.record.kind == .plain, let one = pair.a.record.total,
      let other = pair.b.record.total, exceeds(max(one, other), min(one, other))
    else { return nil }
    return slower(one, other)
  }

  private func slower(_ a: Int64, _ b: Int64) -> ComparisonVerdict {
    ComparisonVerdict(.slower, side: a > b ? .a : .b, cost: .delay(nanoseconds: max(a, b) - min(a, b)))
  }

  private func exceeds(_ long: Int64, _ short: Int64) -> Bool { thresholds.isLater(long, than: short) }
}

extension ComparedExchange {
  func message(_ direction: Direction) -> Message? { direction == .toServer ? record.request : record.response }

  /// From the request's head to the body's first byte.
  fileprivate func begin(_ direction: Direction) -> Int64? {
    guard let asked = record.request?.headReleased, let first = message(direction)?.firstBody else { return nil }
    return first.time.since(asked.time)
  }
}
