import Citation
import Events

/// Follows what is told of a run, and says at its end which assertions held.
///
/// A sample is taken as soon as it is known whether it counts. Without `where` that is at once. Of what `where` asks about
/// an exchange, pieces of its streams wait for its end, and of what it asks about a connection everything on it; all that
/// waits is bounded, and beyond the bound the assertion is inconclusive.
package struct AssertionRun {
  struct Limits {
    /// Samples of all percentiles together that are kept.
    var samples = 1 << 21
    /// Samples that wait, and exchanges that are kept for them.
    var waiting = 1 << 17
    var held = 1_000
  }

  struct Watch {
    let assertion: Assertion
    let series: AssertionSeries
    var tally: SampleTally
    var condition: Condition? { assertion.figure.condition }
  }

  private struct Waiting {
    var watch: Int
    var sample: Sample
    /// It counts only where nobody reads what the chunks say.
    var needsPlainChunks = false
    /// There is no value, as there was no answer.
    var isOwed = false
  }

  private struct Lane: Hashable {
    var exchange: Int
    var direction: Direction
    var kind: Item.Kind
  }

  /// What is known of a connection that is not over.
  private struct Open {
    var ends: [Lane: Timestamp] = [:]
    /// By exchange.
    var waiting: [Int: [Waiting]] = [:]
    var held: [Int: ExchangeRecord] = [:]
    var hurt: Set<Int> = []
    var isHurt = false
  }

  private let limits: Limits
  private var watches: [Watch] = []
  private var open: [Int: Open] = [:]
  private var waiting = 0
  private var held = 0
  private var origin = Timestamp.zero
  private let asksHurt: Bool
  private let hasPieces: Bool
  private let asksOfSockets: Bool

  package init(_ assertions: [Assertion]) { self.init(assertions, Limits()) }

  init(_ assertions: [Assertion], _ limits: Limits) {
    self.limits = limits
    let percentiles = assertions.count { if case .percentile = $0.figure.aggregate { true } else { false } }
    let limit = limits.samples / max(1, percentiles)
    for assertion in assertions {
      guard let series = AssertionSeries(rawValue: assertion.figure.series.id) else { continue }
      let tally = SampleTally(assertion.figure.aggregate, limit: limit)
      watches.append(Watch(assertion: assertion, series: series, tally: tally))
    }
    asksHurt = watches.contains { $0.condition?.fields.contains(SubjectField.hurt.rawValue) == true }
    hasPieces = watches.contains { $0.series.subject == .piece }
    asksOfSockets = watches.contains { ($0.series == .wsGap || $0.series == .wsMessages) && $0.condition != nil }
  }

  /// Pieces have to be told.
  package var needsPieces: Bool { hasPieces }

  /// The time of the first packet, before any item.
  package mutating func begin(at origin: Timestamp) { self.origin = origin }

  package mutating func take(_ item: ReportItem) {
    guard !watches.isEmpty else { return }
    switch item {
    case .piece(let piece): if hasPieces { take(piece.value) }
    case .exchange(let exchange): take(exchange)
    case .connection(let record): take(record)
    case .finding(let finding): take(finding)
    case .loss, .stall: break
    }
  }

  // MARK: Pieces

  private mutating func take(_ piece: Item) {
    let connection = piece.key.connection
    // A text and a binary message are both messages.
    let kind = piece.kind == .binary ? .text : piece.kind
    let lane = Lane(exchange: piece.key.number, direction: piece.direction, kind: kind)
    let end = piece.completed.time
    let gap = open[connection, default: Open()].ends.updateValue(end, forKey: lane).map { max(0, end.since($0)) }
    for at in watches.indices where watches[at].series.subject == .piece {
      guard let value = watches[at].series.value(of: piece, gap: gap) else { continue }
      var sample = Sample(value: value, packet: piece.completed.number, exchange: piece.key.number)
      sample.direction = piece.direction
      sample.bytes = piece.bytes
      sample.label = piece.label
      sample.isBinary = piece.kind == .binary
      var waiting = Waiting(watch: at, sample: sample)
      waiting.needsPlainChunks = watches[at].series == .streamGap && piece.kind == .chunk
      let exchange = open[connection]?.held[piece.key.number]
      if !decide(waiting, connection, exchange, nil) { wait(waiting, connection) }
    }
  }

  // MARK: Exchanges

  private mutating func take(_ exchange: ExchangeRecord) {
    let connection = exchange.key.connection
    for at in watches.indices where watches[at].series.subject == .exchange {
      let series = watches[at].series
      var waiting = Waiting(watch: at, sample: Sample(packet: exchange.first.number, exchange: exchange.number))
      if let sample = series.sample(of: exchange) {
        waiting.sample = sample
      } else if series.isOwed(by: exchange) {
        waiting.isOwed = true
      } else {
        continue
      }
      if !decide(waiting, connection, exchange, nil) { wait(waiting, connection) }
    }
    let goesOn = exchange.opensWebSocket
    let isAsked = goesOn && asksOfSockets
    guard isAsked || open[connection] != nil else { return }
    settle(exchange.number, connection, exchange, nil)
    if isAsked || open[connection]?.waiting[exchange.number] != nil {
      if held < limits.held {
        held += 1
        open[connection, default: Open()].held[exchange.number] = exchange
      } else {
        giveUp(exchange.number, connection)
      }
    }
    if !goesOn, let lanes = open[connection]?.ends.keys.filter({ $0.exchange == exchange.number }) {
      for lane in lanes { open[connection]?.ends[lane] = nil }
    }
  }

  // MARK: Connections

  private mutating func take(_ record: ConnectionRecord) {
    let number = record.number
    for exchange in (open[number]?.waiting.keys).map(Array.init)?.sorted() ?? [] {
      settle(exchange, number, open[number]?.held[exchange], record)
    }
    for at in watches.indices where watches[at].series.subject == .connection {
      guard let sample = watches[at].series.sample(of: record) else { continue }
      let place = AssertionResult.Place(packet: sample.packet, connection: number, exchange: nil)
      if let condition = watches[at].condition {
        let subject = subject(number, nil, record)
        guard condition.truth(of: SampleSubject(sample: sample, whole: subject)) == .yes else { continue }
      }
      if watches[at].series == .wsRoundTrip {
        for socket in record.sockets {
          for direction in Direction.allCases { watches[at].tally.add(socket.pingRoundTrips[direction], place) }
        }
      } else {
        watches[at].tally.add(sample.value, place)
      }
    }
    held -= open[number]?.held.count ?? 0
    open[number] = nil
  }

  // MARK: Findings

  private mutating func take(_ finding: Finding) {
    if asksHurt, finding.isDiagnosis, let number = finding.connection {
      if let exchange = finding.exchange {
        open[number, default: Open()].hurt.insert(exchange)
      } else {
        open[number, default: Open()].isHurt = true
      }
    }
    for at in watches.indices where watches[at].series.subject == .finding {
      if let condition = watches[at].condition {
        var subject = SelectionSubject(origin: origin, level: .finding)
        subject.finding = finding
        guard condition.truth(of: subject) == .yes else { continue }
      }
      let place = AssertionResult.Place(
        packet: finding.firstPacket.number, connection: finding.connection, exchange: finding.exchange)
      watches[at].tally.add(1, place)
    }
  }

  // MARK: Deciding

  /// false while it is not known whether the sample counts.
  private mutating func decide(
    _ waiting: Waiting, _ connection: Int, _ exchange: ExchangeRecord?, _ record: ConnectionRecord?
  ) -> Bool {
    if waiting.needsPlainChunks {
      guard let exchange else { return record != nil }
      guard exchange.stream?.kind == .chunked else { return true }
    }
    if let condition = watches[waiting.watch].condition {
      let subject = subject(connection, exchange, record)
      switch condition.truth(of: SampleSubject(sample: waiting.sample, whole: subject)) {
      case .yes: break
      case .no: return true
      case .unknown: return false
      }
    }
    if waiting.isOwed {
      watches[waiting.watch].tally.unanswered += 1
    } else {
      let number = waiting.sample.exchange
      let place = AssertionResult.Place(
        packet: waiting.sample.packet, connection: connection, exchange: number > 0 ? number : nil)
      if let spread = waiting.sample.spread {
        watches[waiting.watch].tally.add(spread, place)
      } else {
        watches[waiting.watch].tally.add(waiting.sample.value, place)
      }
    }
    return true
  }

  private func subject(
    _ connection: Int, _ exchange: ExchangeRecord?, _ record: ConnectionRecord?
  ) -> SelectionSubject {
    var subject = SelectionSubject(origin: origin, level: exchange == nil ? .connection : .exchange)
    subject.exchange = exchange
    subject.record = record
    subject.party = record.map { SelectionParty($0) }
    subject.isLast = record != nil
    if let known = open[connection] {
      subject.isHurt = known.isHurt || exchange.map { known.hurt.contains($0.number) } ?? !known.hurt.isEmpty
    }
    if exchange == nil, record?.isHurt == true { subject.isHurt = true }
    return subject
  }

  private mutating func wait(_ sample: Waiting, _ connection: Int) {
    guard waiting < limits.waiting else {
      watches[sample.watch].tally.undecided += 1
      return
    }
    waiting += 1
    open[connection, default: Open()].waiting[sample.sample.exchange, default: []].append(sample)
  }

  /// Decides what waits for an exchange, as far as it is known by now.
  private mutating func settle(
    _ exchange: Int, _ connection: Int, _ known: ExchangeRecord?, _ record: ConnectionRecord?
  ) {
    guard let samples = open[connection]?.waiting.removeValue(forKey: exchange) else { return }
    let rest = samples.filter { !decide($0, connection, known, record) }
    waiting -= samples.count - rest.count
    if !rest.isEmpty { open[connection]?.waiting[exchange] = rest }
    if record != nil { giveUp(exchange, connection) }
  }

  /// Nothing more will be known of what still waits.
  private mutating func giveUp(_ exchange: Int, _ connection: Int) {
    guard let samples = open[connection]?.waiting.removeValue(forKey: exchange) else { return }
    waiting -= samples.count
    for sample in samples { watches[sample.watch].tally.undecided += 1 }
  }

  // MARK: Results

  /// What became of them, in the order they were given.
  package func results(_ summary: Summary) -> [AssertionResult] {
    var watches = watches
    for known in open.values {
      for samples in known.waiting.values { for sample in samples { watches[sample.watch].tally.undecided += 1 } }
    }
    return watches.map { AssertionJudgement($0, summary).result }
  }
}
