import Citation
import Events
import HTTPSemantics

/// Decides which exchanges, connections and findings are shown, where a condition or a time range was given.
///
/// - An exchange is kept when the condition is true of it.
/// - A connection is kept with its first kept exchange. It is asked itself where the condition names nothing that only
///   exchanges or findings have, or where it has no exchange.
/// - A piece of a stream follows its exchange or, where it is of none, its connection.
/// - A finding follows its exchange or, where it names none, its connection; where the condition names something that only
///   findings have, it is asked itself, and what it names is kept with it. One about the capture is always kept.
/// - In a time range is what overlaps it.
///
/// What can be decided is decided at once. What depends on the end of a connection waits for it, inside `heldLimit` and
/// `findingLimit`: beyond, what is not known is taken for absent. Of connections that are over, a bit or two is kept.
package struct Sieve {
  package enum Verdict { case keep, drop, hold }

  /// So much of all that may wait is for one connection.
  private static let shareOfConnection = 8
  private static let findingLimit = 4_096
  /// Estimated bytes of all pieces that wait.
  private static let pieceLimit = 8 << 20
  private static let connectionLimit = 1 << 25
  private static let exchangeLimit = 1 << 20
  /// Words of all sets of exchanges of connections that are over.
  private static let mixedLimit = 1 << 16

  /// What is known of a connection that is not over.
  private struct Open {
    var told: UInt64 = 0
    var kept: UInt64 = 0
    var leftOut: UInt64 = 0
    var decided = NumberSet(limit: exchangeLimit)
    var keptNumbers = NumberSet(limit: exchangeLimit)
    var held: [ExchangeRecord] = []
    var heldBytes = 0
    var findings: [Finding] = []
    var pieces: [Item] = []
    /// Exchanges that a diagnosis names, and whether one names the connection as a whole.
    var hurt: Set<Int> = []
    var isHurt = false
  }

  /// What the end of a connection brought to light.
  package struct Settled {
    package var pieces: [Item] = []
    package var exchanges: [ExchangeRecord] = []
    package var findings: [Finding] = []
  }

  private let condition: Condition?
  private let level: SubjectField.Level
  private let limits: TimeRange
  /// Estimated, of all exchanges that may wait.
  private let heldLimit: Int
  private var origin = Timestamp.zero
  /// nil keeps nothing.
  private var range: ClosedRange<Timestamp>?
  private var open: [Int: Open] = [:]
  private var heldBytes = 0
  private var heldFindings = 0
  private var heldPieces = 0
  /// Pieces that could not wait until it was known whether they are wanted, and are not shown.
  package private(set) var piecesCut: UInt64 = 0
  private var over = NumberSet(limit: connectionLimit)
  private var keptConnections = NumberSet(limit: connectionLimit)
  /// Kept exchanges of connections that are over and lost some.
  private var mixed: [Int: NumberSet] = [:]
  private var mixedWords = 0
  /// The connection that was settled last, whose record is still to be handed on.
  private var last: (record: ConnectionRecord, isKept: Bool)?
  /// Exchanges that could not wait for the end of their connection.
  package private(set) var hurried: UInt64 = 0
  package private(set) var record = SelectionRecord()

  package init?(_ selection: ItemSelection) {
    guard selection.isSifted else { return nil }
    condition = selection.condition
    level = selection.condition.map { SubjectField.level(of: $0) } ?? .connection
    limits = selection.range
    heldLimit = selection.heldBytes
    record.condition = selection.condition?.text
    record.from = selection.range.from?.text
    record.to = selection.range.to?.text
    range = limits.resolved(from: origin)
  }

  /// The time of the first packet is known; nothing was asked before.
  package mutating func begin(at origin: Timestamp) {
    self.origin = origin
    range = limits.resolved(from: origin)
  }

  private func isInRange(_ first: PacketRef, _ last: PacketRef) -> Bool {
    guard let range else { return false }
    return first.time <= range.upperBound && last.time >= range.lowerBound
  }

  // MARK: Exchanges

  package mutating func take(_ exchange: ExchangeRecord, _ context: FlowContext) -> Verdict {
    let connection = exchange.key.connection
    var state = open.removeValue(forKey: connection) ?? Open()
    defer { open[connection] = state }
    state.told += 1
    let verdict = verdict(on: exchange, context, state)
    if verdict == .hold {
      let weight = exchange.heldBytes
      state.held.append(exchange)
      state.heldBytes += weight
      heldBytes += weight
    } else {
      note(verdict == .keep, exchange, &state)
    }
    return verdict
  }

  private mutating func verdict(
    on exchange: ExchangeRecord, _ context: FlowContext, _ state: Open
  ) -> Verdict {
    guard isInRange(exchange.first, exchange.last) else { return .drop }
    guard let condition else { return .keep }
    var subject = SelectionSubject(origin: origin, level: level)
    subject.party = SelectionParty(context, number: exchange.key.connection)
    subject.exchange = exchange
    switch condition.truth(of: subject) {
    case .yes: return .keep
    case .no: return .drop
    case .unknown: break
    }
    let weight = exchange.heldBytes
    if heldBytes + weight <= heldLimit, state.heldBytes + weight <= heldLimit / Self.shareOfConnection { return .hold }
    hurried += 1
    subject.isHurt = isHurt(exchange, state)
    subject.isLast = true
    return condition.truth(of: subject) == .yes ? .keep : .drop
  }

  private func isHurt(_ exchange: ExchangeRecord, _ state: Open) -> Bool {
    state.isHurt || (level == .connection ? !state.hurt.isEmpty : state.hurt.contains(exchange.number))
  }

  private mutating func note(_ isKept: Bool, _ exchange: ExchangeRecord, _ state: inout Open) {
    state.decided.insert(exchange.number)
    if isKept {
      state.keptNumbers.insert(exchange.number)
      state.kept += 1
      if exchange.isJoined || exchange.request == nil || exchange.end.cut == .captureEnded {
        record.exchangesBeyond += 1
      }
    } else {
      state.leftOut += 1
      record.exchangesLeftOut += 1
    }
  }

  // MARK: Pieces

  package mutating func take(_ piece: Item) -> Verdict {
    guard isInRange(piece.first, piece.completed) else { return .drop }
    guard condition != nil else { return .keep }
    if let state = open[piece.key.connection], state.decided.contains(piece.key.number) {
      return state.keptNumbers.contains(piece.key.number) ? .keep : .drop
    }
    guard heldPieces + piece.heldBytes <= Self.pieceLimit else {
      piecesCut += 1
      return .drop
    }
    heldPieces += piece.heldBytes
    open[piece.key.connection, default: Open()].pieces.append(piece)
    return .hold
  }

  /// The pieces of an exchange that is decided: they wait no longer, whether they are shown or not.
  package mutating func released(_ exchange: ExchangeKey) -> [Item] {
    guard let waiting = open[exchange.connection]?.pieces, !waiting.isEmpty else { return [] }
    open[exchange.connection]?.pieces.removeAll { $0.key == exchange }
    let released = waiting.filter { $0.key == exchange }
    heldPieces -= released.reduce(0) { $0 + $1.heldBytes }
    return released
  }

  // MARK: Findings

  package mutating func take(_ finding: Finding) -> Verdict {
    let verdict = verdict(on: finding)
    if verdict == .drop { record.findingsLeftOut += 1 }
    return verdict
  }

  private mutating func verdict(on finding: Finding) -> Verdict {
    guard let connection = finding.connection, over.knows(connection) else { return .keep }
    if over.contains(connection) { return late(finding, connection) ? .keep : .drop }
    var state = open.removeValue(forKey: connection) ?? Open()
    defer { open[connection] = state }
    if finding.isDiagnosis {
      if let exchange = finding.exchange { state.hurt.insert(exchange) } else { state.isHurt = true }
    }
    guard finding.firstPacket.number == 0 || isInRange(finding.firstPacket, finding.lastPacket) else { return .drop }
    guard condition != nil else { return .keep }
    if let exchange = finding.exchange, state.decided.contains(exchange) {
      return state.keptNumbers.contains(exchange) ? .keep : .drop
    }
    if finding.exchange == nil, level < .finding, state.kept > 0 { return .keep }
    guard heldFindings < Self.findingLimit else { return state.kept > 0 ? .keep : .drop }
    state.findings.append(finding)
    heldFindings += 1
    return .hold
  }

  /// On a finding of a connection that is over.
  private mutating func late(_ finding: Finding, _ connection: Int) -> Bool {
    guard finding.firstPacket.number == 0 || isInRange(finding.firstPacket, finding.lastPacket) else { return false }
    guard let condition else { return true }
    if level == .finding {
      var subject = SelectionSubject(origin: origin, level: level)
      subject.finding = finding
      if let last, last.record.number == connection {
        subject.record = last.record
        subject.party = SelectionParty(last.record)
      }
      let truth = condition.truth(of: subject)
      if truth == .yes, last?.record.number == connection { last?.isKept = true }
      if truth != .unknown { return truth == .yes }
    }
    if let exchange = finding.exchange, let numbers = mixed[connection], numbers.knows(exchange) {
      return numbers.contains(exchange)
    }
    return last?.record.number == connection ? last?.isKept == true : keptConnections.contains(connection)
  }

  // MARK: Connections

  /// The connection is over: decides what waited for that, in the order it came.
  package mutating func settle(_ record: ConnectionRecord) -> Settled {
    var state = open.removeValue(forKey: record.number) ?? Open()
    var settled = Settled()
    heldBytes -= state.heldBytes
    heldFindings -= state.findings.count
    heldPieces -= state.pieces.reduce(0) { $0 + $1.heldBytes }
    let isHurt = record.isHurt || state.isHurt || !state.hurt.isEmpty
    var subject = SelectionSubject(origin: origin, level: level)
    subject.party = SelectionParty(record)
    subject.record = record
    subject.isLast = true
    var waiting: [Int: ExchangeRecord] = [:]
    for exchange in state.held {
      subject.exchange = exchange
      subject.isHurt = level == .connection ? isHurt : self.isHurt(exchange, state)
      let isKept = isTrue(of: subject, orOneOf: state.findings, exchange.number)
      note(isKept, exchange, &state)
      if isKept { settled.exchanges.append(exchange) }
      waiting[exchange.number] = exchange
    }
    subject.exchange = nil
    subject.isHurt = isHurt
    var isKept = state.kept > 0
    if !isKept, isInRange(record.firstPacket, record.lastPacket) {
      let isAsked = level == .connection || state.told == 0
      isKept = condition == nil || isAsked && isTrue(of: subject, orOneOf: [], nil)
    }
    for finding in state.findings {
      if isTrue(finding, subject, state, waiting, ofKept: isKept) {
        settled.findings.append(finding)
        isKept = true
      } else {
        self.record.findingsLeftOut += 1
      }
    }
    settled.pieces = state.pieces.filter {
      state.decided.contains($0.key.number) ? state.keptNumbers.contains($0.key.number) : isKept
    }
    close(record, state, isKept: isKept)
    return settled
  }

  private func isTrue(of subject: SelectionSubject, orOneOf findings: [Finding], _ exchange: Int?) -> Bool {
    guard let condition else { return true }
    if condition.truth(of: subject) == .yes { return true }
    guard level == .finding else { return false }
    return findings.contains { finding in
      guard finding.exchange == nil || finding.exchange == exchange else { return false }
      var subject = subject
      subject.finding = finding
      return condition.truth(of: subject) == .yes
    }
  }

  private func isTrue(
    _ finding: Finding, _ subject: SelectionSubject, _ state: Open, _ waiting: [Int: ExchangeRecord],
    ofKept isKept: Bool
  ) -> Bool {
    guard level == .finding else {
      guard let exchange = finding.exchange, state.decided.contains(exchange) else { return isKept }
      return state.keptNumbers.contains(exchange)
    }
    var subject = subject
    subject.finding = finding
    subject.exchange = finding.exchange.flatMap { waiting[$0] }
    if condition?.truth(of: subject) == .yes { return true }
    // One about the connection as a whole is about each of its exchanges.
    guard finding.exchange == nil else { return false }
    return waiting.values.contains { exchange in
      subject.exchange = exchange
      return condition?.truth(of: subject) == .yes
    }
  }

  private mutating func close(_ record: ConnectionRecord, _ state: Open, isKept: Bool) {
    var record = record
    record.exchangesLeftOut = state.leftOut
    if let range { record.timeline.removeAll { $0.first.time > range.upperBound || $0.last.time < range.lowerBound } }
    over.insert(record.number)
    last = (record, isKept)
    if state.leftOut > 0, state.kept > 0, mixedWords + state.keptNumbers.wordCount <= Self.mixedLimit {
      mixed[record.number] = state.keptNumbers
      mixedWords += state.keptNumbers.wordCount
    }
  }

  /// The record of the connection that was settled last, as it is to be shown; nil where it is not.
  package mutating func closed() -> ConnectionRecord? {
    defer { last = nil }
    guard let last, last.isKept else {
      record.connectionsLeftOut += 1
      return nil
    }
    keptConnections.insert(last.record.number)
    return last.record
  }
}
