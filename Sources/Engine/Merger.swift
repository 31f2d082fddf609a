import Citation
import Events
import Platform
import Queries
import Rules

/// Brings the lanes' items into one order, numbers the connections, and counts.
///
/// Between two windows every lane has passed the window's clock, so all items with an earlier key are there: they can
/// be handed on while the capture is still being read, and the order is the same for any number of tasks.
struct Merger {
  let selection: ItemSelection
  /// nil where all that is selected is shown.
  var sieve: Sieve?
  private var pending: [LaneItem] = []
  /// Of `pending`; kept for its memory.
  private var order: [LaneItem.Place] = []
  /// Numbers of the connections that were opened and not yet reported.
  private var numbers: [FlowID: Int] = [:]
  private var opened = 0
  private var clock = Timestamp(nanoseconds: .min)
  /// Every lane has passed the clock; else some may give more items of that time, and none before it.
  private var isWhole = true
  /// The time of the newest item that was handed on.
  var shownUpTo = Timestamp(nanoseconds: .min)
  /// How many have been opened so far, numbered or not.
  private(set) var announced = 0
  private let thresholds: Thresholds
  private let expectsStreams: Bool
  let placesLint: Bool
  let review: (@Sendable (inout Finding) -> Bool)?
  var rules: CaptureRules
  /// The rules of what was found with a cost: a consequence of anything else would be hidden with it.
  var told: Set<RuleID> = []
  var habits = HabitTable()
  var held = HeldFindings()
  var endpoints = EndpointTable()
  private var undecoded = UndecodedTally()
  private var names = NameTable()
  var losses = CaptureLosses()
  var figures = RunFigures()
  private let note: ReadingNote?
  private let faults: ReadingFaults
  private let isWary: Bool

  init(_ options: PipelineOptions) {
    selection = options.selection
    sieve = Sieve(options.selection)
    thresholds = options.thresholds
    expectsStreams = options.expectsStreams
    review = options.review
    placesLint = options.placesLint
    rules = CaptureRules(options.thresholds)
    note = options.notes?[ReadingFaults.mergerNote]
    faults = options.faults
    isWary = !options.faults.isEmpty
  }

  /// All items before this time have been taken, and if it `isWhole`, those of it.
  mutating func advance(to clock: Timestamp, isWhole: Bool) {
    self.clock = clock
    self.isWhole = isWhole
  }

  /// The time of the first packet is known, and no item was handed on.
  mutating func begin(at origin: Timestamp) {
    sieve?.begin(at: origin)
  }

  mutating func take(_ items: [LaneItem]) {
    for item in items {
      if case .opened = item.content { announced += 1 }
      pending.append(item)
    }
  }

  /// What name servers said, in the order of the packets among everything else.
  mutating func take(_ answers: some Sequence<NameAnswer>) {
    for answer in answers {
      let packet = answer.packet
      let item = LaneItem(
        clock: packet.time, packet: packet.number, flow: FlowID(firstPacket: packet.number), .named(answer))
      pending.append(item)
    }
  }

  /// Where packets were lost.
  mutating func take(_ losses: some Sequence<CaptureLoss>) {
    for loss in losses {
      let packet = loss.before
      let item = LaneItem(
        clock: packet.time, packet: packet.number, flow: FlowID(firstPacket: packet.number), .loss(loss))
      pending.append(item)
    }
  }

  /// A host that became silent or was heard again, before what else is told of that packet.
  mutating func take(_ silences: some Sequence<HostSilence>) {
    guard selection.accepts(HostSilent.info.id) else { return }
    for silence in silences {
      let packet = silence.end
      let item = LaneItem(
        clock: packet.time, packet: packet.number, flow: FlowID(firstPacket: 0), .silence(silence))
      pending.append(item)
    }
  }

  /// With the numbers that people know their connections by; those that are not selected are left out.
  func numbered(_ streams: [OpenStream]) -> [OpenStream] {
    streams.compactMap { stream in
      guard let number = numbers[stream.flow] else { return nil }
      guard selection.connection == nil || selection.connection == number else { return nil }
      var stream = stream
      stream.key.connection = number
      return stream
    }.sorted {
      $0.key == $1.key ? $0.direction.rawValue < $1.direction.rawValue : $0.key < $1.key
    }
  }

  mutating func emit(_ emit: (ReportItem) throws(ReportError) -> Void) throws(ReportError) {
    guard !pending.isEmpty else { return try showHeld(at: passed, emit) }
    note?.begin(ReadingFaults.content)
    defer { note?.end() }
    order.removeAll(keepingCapacity: true)
    for ordinal in pending.indices where isWhole || pending[ordinal].clock < clock {
      order.append(LaneItem.Place(pending[ordinal], ordinal))
    }
    order.sort()
    // Numbers first: a connection may open and be reported in the same window.
    for place in order {
      if case .opened = pending[place.ordinal].content {
        opened += 1
        numbers[pending[place.ordinal].flow] = opened
      }
    }
    for place in order {
      try showHeld(at: place.clock, emit)
      note?.read(place.packet)
      if isWary { heed(place) }
      try hand(pending[place.ordinal].taken(), place, emit)
    }
    if isWhole {
      pending.removeAll(keepingCapacity: true)
    } else {
      pending.removeAll { $0.clock < clock }
    }
    try showHeld(at: passed, emit)
  }

  /// After an internal error: what is reported of a connection whose content is not read any more can fail only for another
  /// reason.
  @inline(never)
  private func heed(_ place: LaneItem.Place) {
    note?.read(place.packet, of: faults.contents.contains(place.packet) ? place.flow.firstPacket : 0)
    faults.trial.pass(.report, place.packet)
  }

  /// Every lane has given all of this time.
  private var passed: Timestamp { isWhole ? clock : clock.advanced(by: -1) }

  private mutating func hand(
    _ content: consuming LaneItem.Content, _ place: LaneItem.Place, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    switch consume content {
    case .nothing: break
    case .opened(let parties): held.begin(parties, at: place.clock)
    case .named(let answer):
      names.add(answer)
      try judge(.named(answer), nil, emit)
    case .streamBegan(let first, let context):
      try judge(.streamBegan(first), context.numbered(number(of: place.flow)), emit)
    case .finding(var finding):
      finding.connection = number(of: place.flow)
      let cause = finding.causedBy
      rules.review(&finding)
      if cause == nil { showCause(of: &finding) }
      // A consequence alone would be hidden, and with it all that was asked for.
      if let cause = finding.causedBy, !selection.accepts(cause) { finding.causedBy = nil }
      try hand(finding, emit)
    case .exchange(var exchange, let context, let endpoint):
      let number = number(of: place.flow)
      exchange.key.connection = number
      figures.count(exchange)
      undecoded.add(exchange)
      let isWanted = selection.connection == nil || selection.connection == number
      if sieve != nil {
        if isWanted { try sift(exchange, context, endpoint, emit) }
      } else {
        if let endpoint { endpoints.add(exchange, to: endpoint) }
        if isWanted { try emit(.exchange(exchange)) }
      }
      try judge(exchange, context.numbered(number), emit)
    case .loss(let loss):
      losses.add(loss)
      try emit(.loss(loss))
    case .silence(let silence): held.note(silence)
    case .unanswered(let flow): held.note(flow, on: place.flow, number(of: place.flow))
    case .piece(var piece):
      let number = number(of: place.flow)
      guard selection.connection == nil || selection.connection == number else { return }
      piece.value.key.connection = number
      if sieve != nil, sieve?.take(piece.value) != .keep { return }
      try emit(.piece(piece))
    case .connection(var record):
      let number = numbers.removeValue(forKey: place.flow) ?? 0
      record.number = number
      names.name(&record)
      let isWanted = selection.connection == nil || selection.connection == number
      if isWanted { try settle(record, emit) }
      endpoints.add(record.sockets, of: number)
      endpoints.close(number)
      held.close(record)
      figures.count(record)
      let context = FlowContext(record, thresholds)
      for socket in record.sockets { try judge(.socketClosed(socket), context, emit) }
      if !record.$tls.isEmpty { try judge(.tlsClosed(record.$tls.value), context, emit) }
      if let http2 = record.http2 { try judge(.http2Closed(http2), context, emit) }
      try judge(.connectionClosed(record.end), context, emit)
      guard isWanted else { break }
      if sieve == nil {
        try emit(.connection(consume record))
      } else if let kept = sieve?.closed() {
        try emit(.connection(kept))
      }
    }
  }

  private func number(of flow: FlowID) -> Int { numbers[flow] ?? 0 }

  /// Shows an exchange now, later or never. The endpoints are those of what is shown.
  private mutating func sift(
    _ exchange: ExchangeRecord, _ context: FlowContext, _ endpoint: EndpointName?,
    _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    let verdict = sieve?.take(exchange, context)
    if verdict != .hold {
      let pieces = sieve?.released(exchange.key) ?? []
      if verdict == .keep { for piece in pieces { try emit(.piece(Shared(piece))) } }
    }
    guard verdict != .drop else { return }
    if let endpoint { endpoints.remember(exchange, endpoint) }
    guard verdict == .keep else { return }
    try show(exchange, endpoint, emit)
  }

  private mutating func show(
    _ exchange: ExchangeRecord, _ endpoint: EndpointName?,
    _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    if let endpoint { endpoints.count(exchange, endpoint) }
    try emit(.exchange(exchange))
  }

  /// Shows what waited for the end of a connection.
  private mutating func settle(
    _ record: ConnectionRecord, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    guard let settled = sieve?.settle(record) else { return }
    for piece in settled.pieces { try emit(.piece(Shared(piece))) }
    for exchange in settled.exchanges { try show(exchange, exchange.endpoint, emit) }
    for finding in settled.findings { try show(finding, emit) }
  }

  var vantage: Vantage? { figures.vantage }

  /// The figures so far.
  func summary(of capture: CaptureRecord) -> Summary {
    var summary = figures.summary(of: capture)
    summary.selection = sieve?.record
    summary.endpoints = endpoints.worstFirst
    summary.endpointsCut = endpoints.cut
    return summary
  }

  mutating func finish(
    _ capture: CaptureRecord, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) -> Summary {
    var capture = capture
    capture.limits += undecoded.words
    for finding in held.due(at: nil, rules, selection) { try release(finding, emit) }
    for finding in habits.taken() { try tell(finding, emit) }
    try judge(.captureEnded(capture), nil, emit)
    if expectsStreams, let finding = NothingToCheck.finding(figures.summary, packets: capture.packets),
      selection.accepts(finding.rule)
    {
      try hand(finding, emit)
    }
    if let hurried = sieve?.hurried, hurried > 0 {
      capture.limits.append(
        "\(Wording.count(hurried, "exchange")) selected before the connection ended, to stay within the memory limit"
      )
    }
    if let cut = sieve?.piecesCut, cut > 0 {
      capture.limits.append(
        "\(Wording.count(cut, "message")) of streams left out: they were selected after their messages had been discarded"
      )
    }
    var summary = summary(of: capture)
    summary.pairs = rules.pairs
    return summary
  }
}
