import Citation
import Engine
import Events
import Platform
import Reports

/// What a live capture shows in addition to the analysis of a file: stalls while they last, a screen, counts on request.
struct LiveShow {
  /// How often open streams are checked and drawn.
  static let interval: Int64 = 250_000_000

  private let live: LiveCapture
  private let console: Console
  private let redaction: Redaction
  private let began = now
  private var stalls: StallWatch
  private var screen: LiveScreen?
  private var drawn = Timestamp.zero

  init(_ live: LiveCapture, _ options: AnalyzeOptions, _ console: Console, _ redaction: Redaction) {
    self.live = live
    self.console = console
    var redaction = redaction
    redaction.isOn = options.isRedacted
    self.redaction = redaction
    stalls = StallWatch(threshold: options.live.stall)
    if Self.hasScreen(options, console) {
      screen = LiveScreen(options.textStyle(console, isTerminal: true), stall: options.live.stall)
    }
  }

  /// A screen needs text output on a terminal.
  static func hasScreen(_ options: AnalyzeOptions, _ console: Console) -> Bool {
    options.live.showsScreen && console.isOutputTerminal && console.environment["TERM"] != "dumb"
      && options.outputs.allSatisfy { $0.file != nil || $0.format == .text }
  }

  mutating func take(_ item: ReportItem) { screen?.take(item) }

  /// After each window; returns additional items to report.
  mutating func step(_ reached: IntakeProgress) throws(ReportError) -> [ReportItem] {
    live.tellIfAsked(console)
    // The clock of another host may be far from the one here.
    let now = live.isPipe ? reached.now ?? Self.now : Self.now
    var items: [ReportItem] = []
    if let streams = reached.openStreams {
      items = stalls.stalls(among: streams, at: now).map { redaction.withoutSecrets(.stall($0)) }
      screen?.show(streams.map(redaction.withoutSecrets))
    }
    if Self.now.since(drawn) >= Self.interval { try draw(reached, now) }
    return items
  }

  private mutating func draw(_ reached: IntakeProgress, _ now: Timestamp) throws(ReportError) {
    drawn = Self.now
    let counts = live.status.current
    let size = TopScreen.size
    let figures = LiveScreen.Figures(
      device: live.name, elapsed: max(0, drawn.since(began)), packets: counts.captured, bytes: reached.read,
      dropped: counts.dropped &+ counts.droppedByDevice, time: now)
    guard let lines = screen?.lines(figures, width: size.width, height: size.height) else { return }
    try TopScreen(console).draw(lines)
  }

  /// Before the report.
  func end() { TopScreen.leave() }

  private static var now: Timestamp { Timestamp(nanoseconds: SystemClock.sinceEpoch) }
}
