import Reports

extension TextStyle {
  /// As the terminal and the flags want it.
  init(_ options: AnalyzeOptions, _ console: Console, isTerminal: Bool) {
    self.init()
    let environment = console.environment
    width = isTerminal ? min(max(console.width ?? 80, 60), 100) : 100
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    // Without a word on the locale UTF-8 is the safer guess: pipes and containers have none.
    isASCII = locale.map { !$0.uppercased().contains("UTF-8") && !$0.uppercased().contains("UTF8") } ?? false
    let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    switch options.color {
    case .always: isColored = true
    case .never: isColored = false
    case .auto: isColored = isTerminal && !isPlain
    }
    isQuiet = options.isQuiet
    showsLint = options.isLintShown || options.isVerbose
    timeline = options.isVerbose && options.timeline == .short ? .full : options.timeline
    clock = options.clock
    connection = options.connection
  }
}
