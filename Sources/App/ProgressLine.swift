import Citation
import Engine
import Events
import Platform

/// Progress of reading, on a terminal, after the first second.
struct ProgressLine {
  private static let quiet: Int64 = 1_000_000_000
  private static let interval: Int64 = 250_000_000

  private let console: Console
  private let name: String
  private let start: Int64
  private var last: Int64
  private var isShown = false

  init(_ console: Console, _ name: String) {
    self.console = console
    self.name = name
    start = SystemClock.monotonic
    last = start
  }

  mutating func update(_ position: IntakeProgress) {
    guard console.isErrorTerminal else { return }
    let now = SystemClock.monotonic
    guard now - start > Self.quiet, now - last > Self.interval else { return }
    last = now
    isShown = true
    let share = position.size.map { $0 > 0 ? " \(min(100, position.read * 100 / $0)) %" : "" } ?? ""
    show("\r\u{1B}[Kreading\(share), \(Wording.count(position.packets, "packet"))")
  }

  mutating func clear() {
    if isShown { show("\r\u{1B}[K") }
    isShown = false
  }

  private func show(_ text: String) {
    // If progress cannot be printed, nothing is lost.
    _ = try? console.errors.write(Array(text.utf8))
    _ = try? console.errors.flush()
  }
}
