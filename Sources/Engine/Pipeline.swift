// The engine moves windows of packets through everything below it and hands what comes out to the reporters, in one
// order whatever the number of tasks. It is the only module with tasks; a document is written by several threads at its end.
//
//   Intake      raw packets → decoded segments, dealt to virtual lanes     (one task)
//   Lane        a fixed share of all connections: streams, timelines, rules (lanes work side by side)
//   Merger      the lanes' items in one order, numbered, filtered, counted  (between two windows)
//
// Lanes are virtual: their number, their share of memory and the order of their timers do not depend on --jobs, which
// only limits how many work at once. So the output is the same for any number.
import Capture
import Citation
import Dialogues
import Events
import Platform
import Queries
import Reassembly
import Rules
import Synchronization
import TLSProtection

/// What a run is asked to do.
package struct PipelineOptions: Sendable {
  package var jobs = 1
  /// For connection state, over all lanes.
  package var memory = 192 << 20
  /// Entries kept of each connection's timeline.
  package var timelineLimit = 64
  /// Timelines are wanted only of captures with no more connections than this.
  package var timelineConnections = Int.max
  package var digests = false
  /// Each chunk, event and message, for reports that tell each of them.
  package var pieces = PieceOptions()
  /// Documents show what was left of windows of HTTP/2.
  package var drawsWindows = false
  /// Secrets of TLS connections; those in the capture come to them.
  package var keyLog = KeyLog()
  package var selection = ItemSelection()
  /// What the run cannot do with what it was given; told with the bounds that were reached.
  package var remarks: [String] = []
  /// That there is none is a finding.
  package var expectsStreams = false
  /// Asked of every finding, in order, before it is told: it may change it, and says whether it is told at all.
  package var review: (@Sendable (inout Finding) -> Bool)?
  /// Lint, too, names the endpoint that it is about.
  package var placesLint = false
  /// How often the figures so far are told, of packets as they come.
  package var summaryInterval: Int64?
  /// How often it is told what is going on, of packets as they come.
  package var streamInterval: Int64?
  /// Connections idle for this long are dropped, by the packets' clock and, of packets as they come, by the
  /// clock on the wall; nil where all are kept while there is room.
  package var idleLimit: Int64?
  /// What rules compare with.
  package var thresholds = Thresholds()
  /// Where the run notes what it is reading, for whoever must say where the program failed; nil where nobody asks.
  package var notes: ReadingNotes?
  /// What is left unread because the program failed at it.
  package var faults = ReadingFaults()

  package init() {}

  /// What every connection's dialogue is asked for.
  var dialogues: DialogueOptions {
    var options = DialogueOptions(digests: digests)
    options.pieces = pieces
    options.drawsWindows = drawsWindows
    options.keyLog = keyLog
    return options
  }
}

/// Sent from a signal handler: stop reading, report what there is.
package final class StopFlag: Sendable {
  private let raised = Atomic(false)
  package init() {}
  package func raise() { raised.store(true, ordering: .relaxed) }
  package var isRaised: Bool { raised.load(ordering: .relaxed) }
}

package struct Pipeline: Sendable {
  /// One connection may hold half of all, while the others hold no more than the rest.
  private static let connectionShare = 2
  /// What may wait behind a hole of one direction: a window of 4 MiB where an eighth of all allows it, and two thirds of
  /// the share of a lane where that is more.
  private static let (heldShare, heldPart, usualWindow) = (48, 8, 4 << 20)
  /// Connections that are reported at a time at the end.
  private static let finishedTogether = 128

  private let options: PipelineOptions
  private let intake: Intake
  private let lanes: [LaneBox]
  private var merger: Merger
  /// Packets of the next slice.
  private var slicePackets = 32
  private static let sliceBytes = 1 << 20
  private static let leastSlice = 1
  /// What the lanes hold.
  private var heldBytes = 0
  /// Off once there are more connections than anybody will print the story of.
  private var keepsTimelines = true
  /// When streams were looked at last, and figures told.
  private var lookedAt = Timestamp.zero
  private var summedAt = Timestamp.zero

  package init(_ source: sending any CaptureSource, file: String, _ options: PipelineOptions) {
    self.options = options
    intake = Intake(source, file: file, options)
    var limits = ReassemblyLimits()
    limits.laneBytes = max(1 << 18, options.memory / Lane.count)
    limits.heldBytes = max(
      1 << 20, min(Self.usualWindow, options.memory / Self.heldPart), options.memory / Self.heldShare)
    limits.heldSegments = limits.heldBytes >> 10
    limits.slackBytes = max(1 << 18, options.memory / Self.connectionShare)
    // A fixed sequence of seeds would let a capture be crafted against it.
    let each = options
    lanes = (0..<Lane.count).map { LaneBox(Lane($0, limits, each, seed: Hasher.processSeed(1 + $0))) }
    merger = Merger(options)
  }

  /// Reads the source to its end. `begin` is called once, with the time of the first packet, before `emit` gets any item
  /// in order; `progress` is told after each window, when all that was known by then has been emitted.
  package mutating func run(
    stop: StopFlag, progress: (IntakeProgress) throws(ReportError) -> Void,
    begin: (Timestamp?) throws(ReportError) -> Void, emit: (ReportItem) throws(ReportError) -> Void
  ) async throws(PipelineError) -> Summary {
    var hasBegun = false
    var figures: Summary?
    // Two windows take turns: while the lanes work on one, the next is read, and what they gave before is handed on.
    let slots = [WindowSlot(), WindowSlot()]
    var turn = 0
    var progressed = try Self.opened(await intake.fill(slots[turn]))
    while let reached = progressed, !stop.isRaised {
      let next = slots[1 - turn]
      async let following = intake.fill(next)
      if !hasBegun, reached.firstTime != nil {
        hasBegun = true
        if let first = reached.firstTime { merger.begin(at: first) }
        try Self.reporting { () throws(ReportError) in try begin(reached.firstTime) }
      }
      try await process(slots[turn], emit)
      // Of a pipe nobody knows when there is more: what is known is handed on at once.
      if reached.size == nil { try Self.reporting { () throws(ReportError) in try merger.emit(emit) } }
      var told = reached
      told.now = slots[turn].contents.now
      told.openStreams = openStreams(told.now)
      told.summary = figures
      figures = nil
      try Self.reporting { () throws(ReportError) in try progress(told) }
      progressed = try Self.opened(await following)
      // Not while the next window is filled: it would have to wait for it.
      if isSummaryDue(slots[turn].contents.now) { figures = merger.summary(of: await intake.record) }
      turn = 1 - turn
    }
    try Self.reporting { () throws(ReportError) in try merger.emit(emit) }
    if !hasBegun { try Self.reporting { () throws(ReportError) in try begin(nil) } }
    try await finish(emit)
    return try await summarize(isStopped: stop.isRaised, emit)
  }

  /// Ends what is open, in the order in which it is reported, a few connections at a time: their records are many times
  /// as large as what was kept of them.
  private mutating func finish(_ emit: (ReportItem) throws(ReportError) -> Void) async throws(PipelineError) {
    let last = await intake.lastPacket
    merger.take(await intake.silences)
    var open: [Lane.OpenFlow] = []
    // In one piece, and sorted in its place: of a flood there are more than of anything else.
    open.reserveCapacity(lanes.reduce(0) { sum, box in sum + box.lane.withLock(\.openCount) })
    for box in lanes { box.lane.withLock { $0.addOpenFlows(to: &open) } }
    open.sort()
    for start in stride(from: 0, to: open.count, by: Self.finishedTogether) {
      var shares = [[Lane.OpenFlow]](repeating: [], count: Lane.count)
      for flow in open[start..<min(start + Self.finishedTogether, open.count)] { shares[flow.lane].append(flow) }
      let dealt = shares
      // Meanwhile, those before them.
      try await Self.each(lanes, options) { box, note in
        box.lane.withLock { lane in
          lane.note = note
          lane.finish(dealt[lane.index], at: last)
        }
      } meanwhile: { () throws(ReportError) in
        try merger.emit(emit)
      }
      collect()
    }
    try Self.reporting { () throws(ReportError) in try merger.emit(emit) }
  }

  private mutating func isSummaryDue(_ now: Timestamp?) -> Bool {
    guard let interval = options.summaryInterval, let now, now.since(summedAt) >= interval else { return false }
    summedAt = now
    return true
  }

  /// What is going on, where a display asks for it and it is time to.
  private mutating func openStreams(_ now: Timestamp?) -> [OpenStream]? {
    guard let interval = options.streamInterval, let now, now.since(lookedAt) >= interval else { return nil }
    lookedAt = now
    var streams: [OpenStream] = []
    for box in lanes { box.lane.withLock { $0.openStreams(at: now, into: &streams) } }
    return merger.numbered(streams)
  }

  private mutating func stopTimelines() {
    keepsTimelines = false
    for box in lanes { box.lane.withLock { $0.stopTimelines() } }
  }

  private static func opened(
    _ progress: Result<IntakeProgress?, CaptureError>
  ) throws(PipelineError) -> IntakeProgress? {
    switch progress {
    case .success(let progress): return progress
    case .failure(let error): throw .capture(error)
    }
  }

  /// Lets the lanes take a window, and hands on what they gave before: a slice at a time, so large that memory grows by
  /// `sliceBytes` at the rate of the slice before. A lane that gives much more stops in its slice.
  private mutating func process(
    _ slot: WindowSlot, _ emit: (ReportItem) throws(ReportError) -> Void
  ) async throws(PipelineError) {
    let window = slot.contents
    let (lanes, options) = (lanes, options)
    var start = 0
    repeat {
      let slice = WindowSlice(window, from: start, count: slicePackets)
      let earlier = start == 0 ? 0 : window.raw.packets[start - 1].number
      var grown = 0
      var stop: Timestamp?
      repeat {
        let isResumed = stop != nil
        try await Self.each(lanes, options) { box, note in
          if isResumed { box.resume(window, slice, note) } else { box.process(window, slice, note) }
        } meanwhile: { () throws(ReportError) in
          try merger.emit(emit)
        }
        if !isResumed {
          merger.take(window.answers.lazy.filter { $0.packet.number > earlier && $0.packet.number <= slice.through })
          merger.take(window.losses.lazy.filter { $0.before.number > earlier && $0.before.number <= slice.through })
          merger.take(window.silences.lazy.filter { $0.end.number > earlier && $0.end.number <= slice.through })
        }
        grown += collect()
        if keepsTimelines, merger.announced > options.timelineConnections { stopTimelines() }
        stop = lanes.compactMap { box in box.lane.withLock(\.stoppedAt) }.min()
        merger.advance(to: stop ?? slice.clock, isWhole: stop == nil)
      } while stop != nil
      let rate = grown / max(1, slice.packets.count)
      slicePackets = min(max(Self.sliceBytes / max(1, rate), Self.leastSlice), slicePackets * 8, 1 << 20)
      start = slice.packets.upperBound
    } while start < window.raw.packets.count
  }

  /// Lets every lane do its share. A lane is taken by whoever is free, so one that carries a large download does not hold
  /// up the others. This task does what is to be done `meanwhile`, and takes lanes after that: with a task more for them
  /// there would be one more to wake and to wait for, twice a millisecond. With one job the lanes are one other task's.
  private static func each(
    _ lanes: [LaneBox], _ options: PipelineOptions, _ work: @Sendable @escaping (LaneBox, ReadingNote?) -> Void,
    meanwhile: () throws(ReportError) -> Void
  ) async throws(PipelineError) {
    let turns = Turns(lanes.count)
    let notes = options.notes
    let take = { @Sendable (job: Int) in
      let note = notes?[ReadingFaults.firstLaneNote + job]
      note?.begin(ReadingFaults.content)
      while let index = turns.next() { work(lanes[index], note) }
      note?.end()
    }
    let jobs = min(max(1, options.jobs), Lane.count)
    let others = max(1, jobs - 1)
    let done = await withTaskGroup(of: Void.self) { group in
      for job in 0..<others { group.addTask { take(job) } }
      let done = Result { () throws(PipelineError) in try reporting(meanwhile) }
      if jobs > others, case .success = done { take(others) }
      return done
    }
    try done.get()
  }

  /// Takes what the lanes gave, and answers by how much more is held in memory, there and in the lanes.
  @discardableResult
  private mutating func collect() -> Int {
    var (used, pending) = (0, 0)
    for box in lanes {
      box.lane.withLock { lane in
        merger.take(lane.items)
        pending += lane.pendingBytes
        used += lane.usedBytes
        lane.clearItems()
      }
    }
    let grown = pending + max(0, used - heldBytes)
    heldBytes = used
    let room = (options.memory - used) / Lane.count
    for box in lanes { box.lane.withLock { $0.allow(room) } }
    return grown
  }

  /// Runs something that writes, and says what kind of failure it was.
  private static func reporting<Result>(
    _ body: () throws(ReportError) -> Result
  ) throws(PipelineError) -> Result {
    do throws(ReportError) {
      return try body()
    } catch {
      throw .report(error)
    }
  }

  private mutating func summarize(
    isStopped: Bool, _ emit: (ReportItem) throws(ReportError) -> Void
  ) async throws(PipelineError) -> Summary {
    var capture = await intake.record
    if isStopped {
      capture.isComplete = false
      capture.problems.append("interrupted; the report covers what was read until then")
    }
    let evicted = lanes.reduce(0) { sum, box in sum &+ box.lane.withLock { $0.evicted } }
    if evicted > 0 {
      capture.limits.append(
        "\(Wording.count(evicted, "connection")) evicted early to stay within the memory limit (raise --memory)")
    }
    capture.unread = lanes.reduce(0) { sum, box in sum &+ box.lane.withLock { $0.unread } }
    if capture.unread > 0 {
      capture.limits.append(
        "\(Wording.count(capture.unread, "packet")) not read after that, of connections that were evicted or began before the capture"
      )
    }
    let early = lanes.reduce(0) { sum, box in sum &+ box.lane.withLock { $0.toldEarly } }
    if early > 0 {
      capture.limits.append(
        "\(Wording.count(early, "exchange")) reported before they were over, because too many were open on one connection"
      )
    }
    let dropped = lanes.reduce(0) { sum, box in sum &+ box.lane.withLock { $0.droppedContent } }
    if dropped > 0 {
      capture.limits.append(
        "compressed content not read on \(Wording.count(dropped, "time")) to stay within the memory limit (raise --memory)"
      )
    }
    let idled = lanes.reduce(0) { sum, box in sum &+ box.lane.withLock { $0.idled } }
    if idled > 0, let limit = options.idleLimit {
      capture.limits.append(
        "\(Wording.count(idled, "connection")) dropped after \(Wording.duration(limit)) without a packet")
    }
    let full = lanes.reduce(0) { sum, box in sum &+ box.lane.withLock { $0.holdLimitReached } }
    if full > 0 {
      capture.limits.append("\(Wording.count(full, "hole")) given up because too many bytes were buffered behind it")
    }
    capture.limits += options.faults.remarks + options.remarks
    capture.vantage = merger.vantage
    return try Self.reporting { () throws(ReportError) in try merger.finish(capture, emit) }
  }
}

/// A lane that one task at a time works in.
final class LaneBox: Sendable {
  let lane: Mutex<Lane>

  init(_ lane: sending Lane) {
    self.lane = Mutex(lane)
  }

  func process(_ window: Window, _ slice: WindowSlice, _ note: ReadingNote?) {
    lane.withLock { lane in
      lane.note = note
      lane.process(window, slice)
    }
  }

  func resume(_ window: Window, _ slice: WindowSlice, _ note: ReadingNote?) {
    lane.withLock { lane in
      lane.note = note
      lane.resume(window, slice)
    }
  }
}

package enum PipelineError: Error {
  case capture(CaptureError)
  case report(ReportError)
}

/// How far reading is.
package struct IntakeProgress: Sendable {
  package var read: UInt64 = 0
  package var size: UInt64?
  package var packets: UInt64 = 0
  /// Of the first packet, once there is one.
  package var firstTime: Timestamp?
  /// By the clock of packets as they come.
  package var now: Timestamp?
  /// What is going on, now and then: see `PipelineOptions.streamInterval`.
  package var openStreams: [OpenStream]?
  /// The figures so far, now and then: see `PipelineOptions.summaryInterval`. What is open is not in them.
  package var summary: Summary?
}
