import Events
import Platform
import Reports
import Synchronization

/// The terminal while `--top` draws on it: the alternate screen without a cursor; the old contents return afterwards.
///
/// It reads no input and changes no mode, so Ctrl-C remains a signal. It may be resized at any time.
struct TopScreen {
  /// Whether the alternate screen is on; signal handlers read it, too.
  private static let isOn = Atomic(false)
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leaving: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  /// Overwrites the old contents: clearing the screen first would flicker.
  func draw(_ lines: [String]) throws(ReportError) {
    if !Self.isOn.exchange(true, ordering: .relaxed) { try console.output.write(Array(Self.entering.utf8)) }
    let text = "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    try console.output.write(Array(text.utf8))
    try console.output.flush()
  }

  /// Also from a signal handler.
  static func leave() {
    guard isOn.exchange(false, ordering: .relaxed) else { return }
    Terminal.write(leaving)
  }

  static var size: (width: Int, height: Int) {
    guard let size = Terminal.size, size.columns > 0, size.rows > 0 else { return (80, 24) }
    return (max(20, size.columns), max(6, size.rows))
  }
}
