import Capture
import Events
import Synchronization

/// A started capture, to be handed to the run that reads it.
struct LiveCapture: Sendable {
  /// Of the device; "-" for what another program captures.
  let name: String
  let status: DeviceStatus
  /// Salt of redaction: random, because the beginning of the capture is not known yet.
  let salt = CaptureSalt.random
  private let source: SourceBox

  init(name: String, status: DeviceStatus, source: sending any CaptureSource) {
    self.name = name
    self.status = status
    self.source = SourceBox(source)
  }

  var isPipe: Bool { name == "-" }

  /// For the one that reads it.
  func open() throws(CaptureError) -> sending any CaptureSource {
    guard let source = source.take() else { throw CaptureError(name, "is being read already") }
    return source
  }

  /// What SIGUSR1 asks for.
  func tellIfAsked(_ console: Console) {
    guard CountRequest.take() else { return }
    // If it cannot be printed, nothing is lost.
    _ = try? console.errors.print(line)
    _ = try? console.errors.flush()
  }

  /// The counts and, if reading ended with an error, the error.
  func conclude(_ code: ExitCode, _ console: Console, isQuiet: Bool) throws(Stop) -> ExitCode {
    if !isQuiet { try console.errors.print(line) }
    try console.errors.flushed()
    if let failure = status.failure { throw Stop(failure.description) }
    return code
  }

  private var line: String {
    let counts = status.current
    var parts = ["\(Wording.count(counts.captured, "packet")) captured"]
    if let received = counts.received { parts.append("\(Wording.number(received)) received") }
    parts.append("\(Wording.number(counts.dropped)) dropped")
    if counts.droppedByDevice > 0 { parts.append("\(Wording.number(counts.droppedByDevice)) dropped by the device") }
    return "streamscope: \(name): \(parts.joined(separator: ", "))\n"
  }
}

/// Holds a source until it is taken.
private final class SourceBox: Sendable {
  private let source: Mutex<(any CaptureSource)?>

  init(_ source: sending any CaptureSource) {
    self.source = Mutex(source)
  }

  func take() -> sending (any CaptureSource)? {
    source.withLock { held in
      let taken = held
      held = nil
      return taken
    }
  }
}
