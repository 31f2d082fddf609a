import Citation
import Events

/// Judges a connection on which keep-alive probes were sent.
protocol KeepAliveRule: StoryRule where Story == KeepAliveStory {}

/// Follows keep-alive probes, and asks the rules about them.
struct KeepAlives: ConnectionWatcher {
  static var interests: EventKinds { .segment | .connectionClosed }

  private var story = Rare<KeepAliveStory>()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen):
      if seen.kind == .keepAlive { story.make(KeepAliveStory()) }
      if !story.isEmpty { story.value.observe(seen) }
    case .connectionClosed:
      guard let story = story.copy else { return }
      for rule in RuleIndex.keepAliveRules { rule.judge(story, in: context, report: report) }
    default: break
    }
  }
}

/// The keep-alive probes of a connection.
struct KeepAliveStory: Sendable {
  struct Run: Sendable {
    var first = PacketRef.none
    var last = PacketRef.none
    var count: UInt64 = 0
    /// How far both streams were.
    var sent: UInt64 = 0
    var received: UInt64 = 0
    /// Since the last answer.
    var unanswered: UInt64 = 0
    var firstUnanswered = PacketRef.none
  }

  /// By the prober's direction.
  private(set) var runs = BothDirections(repeating: Run())
  private(set) var longest: (run: Run, direction: Direction)?
  /// The last reset of each side that its receiver accepts.
  private(set) var resets = BothDirections<PacketRef?>(repeating: nil)

  mutating func observe(_ seen: TCPObservation) {
    switch seen.kind {
    case .keepAlive: probe(seen)
    case .keepAliveAck: runs[seen.direction.opposite].unanswered = 0
    case .reset: resets[seen.direction] = seen.packet
    default: break
    }
  }

  private mutating func probe(_ seen: TCPObservation) {
    let direction = seen.direction
    var run = runs[direction]
    if run.count == 0 || run.sent != seen.range.lowerBound || run.received != seen.value {
      run = Run(first: seen.packet, sent: seen.range.lowerBound, received: seen.value)
    }
    run.count &+= 1
    run.last = seen.packet
    if run.unanswered == 0 { run.firstUnanswered = seen.packet }
    run.unanswered &+= 1
    runs[direction] = run
    let time = run.last.time.since(run.first.time)
    if let longest, longest.run.last.time.since(longest.run.first.time) >= time { return }
    longest = (run, direction)
  }
}
