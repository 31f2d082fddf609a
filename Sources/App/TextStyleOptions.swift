import Reports

extension AnalyzeOptions {
  /// The style of text, from the terminal, the environment and the options.
  func textStyle(_ console: Console, isTerminal: Bool) -> TextStyle {
    let environment = console.environment
    var style = TextStyle()
    style.width = isTerminal ? min(max(console.width ?? 80, 60), 100) : 100
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    // Without a locale UTF-8 is the safer guess: pipes and containers have none.
    style.isASCII = locale.map { !$0.uppercased().contains("UTF-8") && !$0.uppercased().contains("UTF8") } ?? false
    let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    switch color {
    case .always: style.isColored = true
    case .never: style.isColored = false
    case .auto: style.isColored = isTerminal && !isPlain
    }
    style.isQuiet = isQuiet
    style.showsLint = isLintShown || isVerbose
    style.timeline = isVerbose && timeline == .short ? .full : timeline
    style.clock = clock
    style.connection = connection
    return style
  }
}
