import Arguments
import Capture
import Engine
import Events

/// `streamscope live -i IF`: the same analysis while it happens.
enum LiveCommand {
  private static let capture = "Capturing"
  private static let showing = "Showing"
  private static let recording = "Writing packets"

  static let command = Command<AnalyzeOptions>(
    "live", summary: "capture on a device and report as it happens", synopsis: ["[OPTION]... [-i DEVICE] [FILTER]"],
    details: [
      """
      Captures packets and tells each exchange, event, message and finding in a line as soon as it is known; at the end, \
      of Ctrl-C or of -a or -c, the report on all of it. What the words behind the options say, or -f, is a capture filter.
      """,
      """
      Only opening the device takes root, or the capabilities cap_net_raw and cap_net_admin: after that the program \
      becomes the user of -Z, else the one who called sudo, else nobody, and can neither open what that user may not nor \
      make sockets nor run programs. Files are written as that user. Ctrl-C a second time ends at once; SIGUSR1 prints \
      counts.
      """,
    ],
    flags: own
      + AnalyzeCommand.flags([
        "output", "json", "lint", "timeline", "time", "items", "sarif-profile", "digest", "no-redact", "color", "quiet",
        "verbose", "filter", "keylog", "connection", "where", "assert", "select", "only", "ignore", "fail-on", "jobs",
        "memory",
      ]),
    examples: [
      Example("sudo streamscope live -i eth0 tcp port 80", "What happens on port 80, as it happens."),
      Example(
        "sudo streamscope live -i any -w night.pcapng -b filesize:100000 -b files:10",
        "The same, and the last gigabyte in ten files."),
      Example("sudo streamscope live -i lo -a duration:60 -o ndjson | jq .", "A minute, for other programs."),
      Example("streamscope live -D", "The devices there are."),
    ])

  private static let own: [Flag<AnalyzeOptions>] = [
    Flag(
      "interface", "i", "DEVICE", help: "Capture on this device; any is all of them. Else on the first one that is up.",
      group: capture, common: true
    ) { (options, text) throws(UsageError) in options.live.device = text },
    Flag("list-interfaces", "D", help: "List the devices; with --json for programs.", group: capture, common: true) {
      $0.live.listsDevices = true
    },
    Flag(
      "snapshot-length", "s", "BYTES", help: "Take no more of each packet than this; all of it unless told.",
      group: capture
    ) { (options, text) throws(UsageError) in options.live.snapLength = try LiveOptions.snapLength(text) },
    Flag(
      "buffer-size", "B", "SIZE", help: "What the kernel keeps for the program; MiB, or with a unit; 16M unless told.",
      group: capture
    ) { (options, text) throws(UsageError) in options.live.bufferBytes = try LiveOptions.buffer(text) },
    Flag("no-promiscuous-mode", "p", help: "Only what is for this machine.", group: capture) {
      $0.live.isPromiscuous = false
    },
    Flag("packet-count", "c", "N", help: "End after so many packets.", group: capture, common: true) {
      (options, text) throws(UsageError) in
      guard let number = UInt64(text), number > 0 else { throw UsageError("-c needs a positive number, not '\(text)'") }
      options.live.packetLimit = number
    },
    Flag(
      "autostop", "a", "CONDITION",
      help: "End after duration:S seconds or packets:N, or with a file of filesize:KB or files:N files. "
        + "May be repeated.", group: capture, common: true
    ) { (options, text) throws(UsageError) in try options.live.addStop(text) },
    Flag(
      "relinquish-privileges", "Z", "USER", help: "Who to become once the device is open; root to stay root.",
      group: capture
    ) { (options, text) throws(UsageError) in options.live.user = text },
    Flag(
      "top", help: "Show what is going on, on a screen that is kept up to date; lines where there is no terminal.",
      group: showing, common: true
    ) { $0.live.showsScreen = true },
    Flag(
      "stall", nil, "TIME",
      help: "Tell when nothing comes of an open stream for so long, such as 500ms; 5s unless told.",
      group: showing
    ) { (options, text) throws(UsageError) in options.live.stall = try LiveOptions.time(text, "--stall") },
    Flag(
      "idle", nil, "TIME",
      help: "Put connections away that say nothing for so long, such as 600s; 3600s unless told.", group: capture
    ) { (options, text) throws(UsageError) in options.live.idle = try LiveOptions.time(text, "--idle") },
    Flag("ready-fd", nil, "N", help: "Write 'ready' to this descriptor once packets are captured.", group: capture) {
      (options, text) throws(UsageError) in
      guard let number = Int32(text), number > 0 else {
        throw UsageError("--ready-fd needs the number of a descriptor, not '\(text)'")
      }
      options.live.readyDescriptor = number
    },
    Flag(
      "ready-file", nil, "FILE", help: "Make this file once packets are captured.", group: capture, values: .file
    ) { (options, text) throws(UsageError) in options.live.readyFile = text },
    Flag("self-test", help: "Show what the program cannot do once its privileges are dropped.", hidden: true) {
      $0.live.testsPrivileges = true
    },
    Flag(
      "write", "w", "FILE", help: "Write the packets as pcapng, too.", group: recording, values: .file, common: true
    ) { (options, text) throws(UsageError) in options.live.write = text },
    Flag(
      "ring-buffer", "b", "CONDITION",
      help:
        "Begin the next file after duration:S, filesize:KB or packets:N, and keep the last files:N. May be repeated.",
      group: recording
    ) { (options, text) throws(UsageError) in try options.live.addRing(text) },
  ]

  static func run(
    _ arguments: [String], _ console: Console, _ arming: Result<LiveArming, Stop>?
  ) async throws(Stop) -> ExitCode {
    let prepared: LiveArming
    if let arming {
      prepared = try arming.get()
    } else {
      prepared = try LiveArming.prepare(arguments, console, dropping: false)
    }
    switch prepared {
    case .answered(let code): return code
    case .armed(let capture): return try await run(capture, console)
    }
  }

  private static func run(_ armed: ArmedCapture, _ console: Console) async throws(Stop) -> ExitCode {
    var destinations: [Destination]
    do throws(Stop) {
      destinations = try Destination.all(armed.options, console, isSeveral: false)
    } catch {
      throw error.explained(armed.user)
    }
    try armed.announce(console)
    let run = AnalyzeRun(
      files: [], live: armed.capture, options: armed.options, selection: armed.selection, assertions: armed.assertions,
      keyLog: armed.keyLog, console: console)
    let code = try await run.report(to: &destinations, isFirst: true) { _ in }
    for at in destinations.indices { try destinations[at].commit() }
    return try armed.capture.conclude(code, console, isQuiet: armed.options.isQuiet)
  }
}
