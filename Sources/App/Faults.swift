import Engine
import Events
import Platform
import Reports
import Synchronization

/// What becomes of a run in which this program itself fails: a trap, memory that is not there, a stack that is used up.
///
/// Nothing can go on in the process, but a run over files can be made once more. The handler says which packet was being
/// read, removes what is left of output files, and starts the program again with one more entry in STREAMSCOPE_FAULTS (see
/// `ReadingFaults`): that connection is left unread then, and the others are reported. The last of these runs ends with
/// exit code 2. Where packets or other input cannot be read again, or standard output has a part of the report, the run ends
/// with the line and exit code 2.
enum Faults {
  static let variable = "STREAMSCOPE_FAULTS"
  /// Its value where a fault is to end the process by its signal: so checks see one that a run after it would hide.
  private static let off = "off"
  /// More than this, and it is not a mistake in one connection.
  private static let limit = 8
  /// How long a handler waits for what is being written.
  private static let patience = 5_000
  private static let isInstalled = Atomic(false)
  private static let state = FaultState(room: limit * 48)

  /// For the process itself; a test has handlers of its own. While there is one thread.
  static func install(_ console: Console) {
    guard console.environment[variable] != off else { return }
    state.isErrorTerminal.store(console.isErrorTerminal, ordering: .relaxed)
    state.runs.store(console.environment[variable]?.utf8.count { $0 == UInt8(ascii: ",") } ?? 0, ordering: .relaxed)
    // Here, because to make it takes memory.
    _ = Interruption.flag
    isInstalled.store(true, ordering: .relaxed)
    Fault.handle { _ in Faults.end() }
  }

  /// Where a run notes what it reads; nil where nobody asks.
  static var notes: ReadingNotes? { isInstalled.load(ordering: .relaxed) ? state.notes : nil }

  /// What earlier runs of the same command failed at, in the capture that is read as number `turn`.
  static func known(_ console: Console, turn: Int) -> ReadingFaults {
    var faults = ReadingFaults(console.environment[variable] ?? "", turn: turn)
    faults.trial = FaultTrial(console.environment[FaultTrial.variable] ?? "")
    return faults
  }

  /// Earlier runs of the same command failed, and this one leaves something unread.
  static func haveOccurred(_ console: Console) -> Bool {
    console.environment[variable].map { $0 != off } ?? false
  }

  /// A capture is about to be read; nothing else is at the moment.
  static func reading(_ name: String, _ files: [String], turn: Int, isEndless: Bool) {
    guard isInstalled.load(ordering: .relaxed) else { return }
    state.name.replace(with: EscapedText.text(name))
    state.turn.store(turn, ordering: .relaxed)
    if isEndless { isReadOnce() }
    for file in files { check(file) }
  }

  /// Something else is read that the next run needs as well.
  static func check(_ file: String) {
    guard isInstalled.load(ordering: .relaxed) else { return }
    if FileStatus(of: file)?.kind != .file { isReadOnce() }
  }

  private static func isReadOnce() { state.isRepeatable.store(false, ordering: .relaxed) }

  /// Runs what writes: a handler waits for it, so that whole lines are written, and nothing is after that.
  static func writing(
    to descriptor: Descriptor? = nil, _ body: () throws(SystemError) -> Void
  ) throws(SystemError) {
    guard isInstalled.load(ordering: .relaxed) else { return try body() }
    try passing { () throws(SystemError) in
      if let descriptor, descriptor != .errors { isReadOnce() }
      try body()
    }
  }

  /// A file that is not to be left when the program fails, until its `end`.
  static func begin(_ temporary: String) { passing { state.temporaries.add(temporary) } }

  static func end(_ temporary: String) { passing { state.temporaries.remove(temporary) } }

  /// Runs what a handler may not find half done, but where no handler is.
  private static func passing<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    guard isInstalled.load(ordering: .relaxed) else { return }
    if state.gate.wrappingAdd(1, ordering: .acquiring).oldValue >= FaultState.closed {
      state.gate.wrappingSubtract(1, ordering: .relaxed)
      wait()
    }
    defer { state.gate.wrappingSubtract(1, ordering: .releasing) }
    try body()
  }

  // MARK: In the handler

  private static func end() -> Never {
    // The first one ends the process.
    if state.gate.bitwiseOr(FaultState.closed, ordering: .acquiringAndReleasing).oldValue >= FaultState.closed {
      wait()
    }
    for _ in 0..<patience where state.gate.load(ordering: .acquiring) != FaultState.closed {
      SystemClock.pause(microseconds: 1_000)
    }
    TopScreen.leave()
    let note = state.notes.current
    state.say(note)
    state.temporaries.removeFiles()
    if let note, !Interruption.flag.isRaised, state.runs.load(ordering: .relaxed) < limit { state.restart(note) }
    Program.exitAtOnce(ExitCode.failure.rawValue)
  }

  private static func wait() -> Never {
    while true { SystemClock.pause(microseconds: 1_000_000) }
  }
}

/// All that the handler needs, made before it can be called.
private final class FaultState: Sendable {
  /// No thread begins to write any more; below it, how many do.
  static let closed = 1 << 32

  let notes = ReadingNotes(count: ReadingFaults.noteCount)
  /// Of the capture, as it may be printed.
  let name = FixedText(capacity: 1 << 12)
  private let line = FixedText(capacity: 1 << 13)
  private let entry = FixedText(capacity: 48)
  private let again: Restart
  let temporaries = TemporaryFiles()
  let gate = Atomic(0)
  /// Of the capture that is being read, among those of the run.
  let turn = Atomic(-1)
  let runs = Atomic(0)
  let isRepeatable = Atomic(true)
  let isErrorTerminal = Atomic(false)

  init(room: Int) {
    again = Restart(variable: Faults.variable, value: Program.variable(Faults.variable) ?? "", room: room)
  }

  func say(_ note: ReadingNote?) {
    line.clear()
    if isErrorTerminal.load(ordering: .relaxed) { line.append("\r\u{1B}[K") }
    line.append("streamscope: internal error")
    let packet = note?.packet ?? 0
    if packet > 0 {
      line.append(" while reading packet ")
      line.append(packet)
      line.append(" of ")
    } else if name.count > 0 {
      line.append(" while reading ")
    }
    line.append(name)
    line.append("; please report it\n")
    line.write(to: .errors)
  }

  /// Comes back where another run would not do better.
  func restart(_ note: ReadingNote) {
    let turn = turn.load(ordering: .relaxed)
    guard isRepeatable.load(ordering: .relaxed), turn >= 0, note.packet > 0 else { return }
    entry.clear()
    entry.append(UInt64(turn))
    entry.append(note.connection > 0 ? ReadingFaults.connection : note.kind)
    entry.append(note.connection > 0 ? note.connection : note.packet)
    entry.append(UInt8(ascii: ","))
    guard !again.variable.contains(entry) else { return }
    again.variable.append(entry)
    again.run()
  }
}

/// Names of files that are not to be left.
///
/// `@unchecked Sendable`, because nothing of it is changed but behind the gate, and a handler has closed that.
private final class TemporaryFiles: @unchecked Sendable {
  private var names: [FixedText] = []

  func add(_ name: String) {
    let text = FixedText(capacity: name.utf8.count)
    text.replace(with: name)
    names.append(text)
  }

  func remove(_ name: String) { names.removeAll { $0.isEqual(name) } }

  func removeFiles() { for name in names { FileSystem.remove(name) } }
}
