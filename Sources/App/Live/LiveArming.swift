import Arguments
import Capture
import Engine
import Events
import Queries
import Reports

/// What a live capture needs before it is read: everything that takes privileges, and giving them up.
///
/// It happens while the program has one thread: privileges are dropped per thread.
package enum LiveArming: Sendable {
  /// Another request, already answered.
  case answered(ExitCode)
  case armed(ArmedCapture)

  /// For the program itself; `arguments` are without its name. nil where it is another command's turn.
  package static func before(_ arguments: [String], _ console: Console) -> Result<LiveArming, Stop>? {
    let (command, rest) = CommandLine.program.select(arguments)
    guard command.name == LiveCommand.command.form.name else { return nil }
    LiveSignals.install()
    do throws(Stop) {
      return .success(try prepare(rest, console, dropping: true))
    } catch {
      return .failure(error)
    }
  }

  static func prepare(
    _ arguments: [String], _ console: Console, dropping isDropping: Bool
  ) throws(Stop) -> LiveArming {
    var options = AnalyzeOptions()
    options.view = .live
    let words = try LiveCommand.command.operands(arguments, into: &options, console) {
      (options, words) throws(UsageError) in
      try options.check([])
      try options.live.check(options.outputs)
      if !words.isEmpty, options.filter != nil { throw UsageError("the filter is given twice: -f, and '\(words[0])'") }
    }
    guard let words else { return .answered(.success) }
    // The screen stands for the lines; the report follows either way.
    if LiveShow.hasScreen(options, console) { options.view = .report }
    if !words.isEmpty { options.filter = words.joined(separator: " ") }
    if options.live.listsDevices { return .answered(try list(options, console)) }
    let privileges = try isDropping ? Privileges(options.live.user, console) : nil
    if options.live.testsPrivileges {
      try privileges?.drop(keeping: OutputFolders.of(options, console))
      return .answered(try PrivilegeTest.run(console))
    }
    try options.readThresholds(console)
    return .armed(try arm(options, console, privileges))
  }

  private static func arm(
    _ options: AnalyzeOptions, _ console: Console, _ privileges: Privileges?
  ) throws(Stop) -> ArmedCapture {
    let selection = try options.itemSelection()
    let assertions = try options.checkedAssertions()
    let keyLog = try options.keylog.map { (path) throws(Stop) in try KeyLogFile(path: path) } ?? KeyLogFile(console)
    let status = DeviceStatus { Interruption.flag.isRaised }
    let device = DeviceOptions(options, name: try deviceName(options))
    let opened: any CaptureSource = device.name == "-" ? try pipe(device, status) : try open(device, status, console)
    try privileges?.drop(keeping: OutputFolders.of(options, console))
    let capture: LiveCapture
    do throws(Stop) {
      capture = try recorded(opened, device.name, options, status)
    } catch {
      throw error.explained(privileges?.user)
    }
    return ArmedCapture(
      options: options, selection: selection, assertions: assertions, keyLog: keyLog, capture: capture,
      user: privileges?.user)
  }

  /// With privileges.
  private static func open(
    _ device: DeviceOptions, _ status: DeviceStatus, _ console: Console
  ) throws(Stop) -> sending CaptureDevice {
    let opened: CaptureDevice
    do throws(CaptureError) {
      opened = try CaptureDevice(device, status)
    } catch {
      throw Stop(named(error, device.name).description)
    }
    if let warning = opened.warning {
      try console.errors.print("streamscope: \(device.name): \(EscapedText.text(warning))\n")
    }
    return opened
  }

  private static func pipe(
    _ device: DeviceOptions, _ status: DeviceStatus
  ) throws(Stop) -> sending any CaptureSource {
    do throws(CaptureError) {
      return try PipedPackets(device, status)
    } catch {
      throw Stop(ofCapture: error.description)
    }
  }

  /// Without privileges.
  private static func recorded(
    _ device: sending any CaptureSource, _ name: String, _ options: AnalyzeOptions, _ status: DeviceStatus
  ) throws(Stop) -> LiveCapture {
    guard let recording = RecordingOptions(options.live) else {
      return LiveCapture(name: name, status: status, source: device)
    }
    do throws(CaptureError) {
      return LiveCapture(name: name, status: status, source: try RecordedSource(device, recording, status))
    } catch {
      throw Stop(error.description)
    }
  }

  /// A missing device is more often mistyped than unplugged.
  private static func named(_ error: CaptureError, _ name: String) -> CaptureError {
    guard let names = try? CaptureDevices.list().map(\.name), !names.contains(name),
      let near = nearestWord(to: name, among: names)
    else { return error }
    var error = error
    error.fix = "did you mean \(near)? " + (error.fix ?? "")
    return error
  }

  private static func deviceName(_ options: AnalyzeOptions) throws(Stop) -> String {
    if let name = options.live.device { return name }
    let first = try devices().first { $0.isUp && $0.isRunning && !$0.isLoopback && $0.name != "any" }
    guard let first else { throw Stop("no device is up; name one with -i, and see 'streamscope live -D'") }
    return first.name
  }

  private static func list(_ options: AnalyzeOptions, _ console: Console) throws(Stop) -> ExitCode {
    let isJSON = options.outputs.contains { $0.format == .json }
    let devices = try devices()
    try console.output.print(isJSON ? DeviceListing.json(devices) : DeviceListing.text(devices))
    return .success
  }

  private static func devices() throws(Stop) -> [CaptureDeviceInfo] {
    do throws(CaptureError) { return try CaptureDevices.list() } catch { throw Stop(error.description) }
  }
}

/// An open device; privileges are already dropped.
package struct ArmedCapture: Sendable {
  let options: AnalyzeOptions
  let selection: ItemSelection
  let assertions: [Assertion]
  let keyLog: KeyLogFile?
  let capture: LiveCapture
  /// The user the program runs as.
  let user: String?

  /// By now everything that could fail to open is open.
  func announce(_ console: Console) throws(Stop) {
    try ReadySignal.tell(options.live)
    guard !options.isQuiet else { return }
    let doing =
      capture.isPipe ? "reading packets from standard input" : "capturing on \(EscapedText.text(capture.name))"
    try console.errors.print("streamscope: \(doing); Ctrl-C ends it\n")
    try console.errors.flushed()
  }
}

extension DeviceOptions {
  fileprivate init(_ options: AnalyzeOptions, name: String) {
    self.init(name: name)
    filter = options.filter
    snapLength = options.live.snapLength
    bufferBytes = options.live.bufferBytes
    isPromiscuous = options.live.isPromiscuous
    packetLimit = options.live.packetLimit
    duration = options.live.duration
  }
}

extension RecordingOptions {
  fileprivate init?(_ live: LiveOptions) {
    guard let path = live.write else { return nil }
    self.init(path: path, application: "streamscope \(App.version)")
    next = live.next
    filesKept = live.filesKept
    fileLimit = live.fileLimit
    byteLimit = live.byteLimit
  }
}

extension Stop {
  /// For a file that root could have written, but the user it switched to cannot.
  func explained(_ user: String?) -> Stop {
    guard let user, let line = message?.split(separator: "\n").first, line.contains("Permission denied") else {
      return self
    }
    var explained = self
    explained.message = "\(line); the program now runs as \(EscapedText.text(user)): write elsewhere, or see -Z\n"
    return explained
  }
}
