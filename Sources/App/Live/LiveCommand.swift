import Arguments
import Capture
import Engine
import Events
import Platform

/// `streamscope live -i IF`: the same analysis while it happens.
enum LiveCommand {
  private static let capture = "Capturing"
  private static let showing = "Showing"
  private static let recording = "Writing packets"
  private static let logging = "Files of lines (-o ndjson=FILE)"

  private static let confined =
    """
    Only opening the device needs root, or the capabilities cap_net_raw and cap_net_admin. After that the program \
    switches to the user of -Z, or to the user who called sudo, or to nobody. It then cannot open files that this user \
    may not open, create sockets, or run programs. Output files belong to that user.
    """

  private static let unconfined =
    """
    Only opening the device needs root, or read access to /dev/bpf*. After that the program switches to the user of -Z, \
    or to the user who called sudo, or to nobody. macOS has neither seccomp nor Landlock: the permissions of that user \
    are the only limit. Output files belong to that user.
    """

  private static let asked =
    """
    Ctrl-C and SIGTERM end the capture with the report; a second one ends at once. SIGUSR1 prints counts. SIGHUP opens \
    the files of -o ndjson=FILE again after they were moved; without such a file it ends the capture, too.
    """

  static let command = Command<AnalyzeOptions>(
    "live", summary: "capture on a device and report as it happens", synopsis: ["[OPTION]... [-i DEVICE] [FILTER]"],
    details: [
      """
      Captures packets and prints a line for each exchange, event, message and finding as soon as it is known. At the end \
      (Ctrl-C, -a or -c) it prints the report on the whole capture. Words after the options are a capture filter, like -f.
      """,
      Confinement.isOffered ? confined : unconfined,
      asked,
    ],
    flags: own
      + AnalyzeCommand.flags([
        "output", "json", "lint", "timeline", "time", "items", "sarif-profile", "label", "salt-file", "digest",
        "no-redact", "color", "quiet", "verbose", "filter", "keylog", "connection", "where", "assert", "select", "only",
        "ignore", "fail-on", "config", "isolated", "jobs", "memory",
      ]),
    examples: [
      Example("sudo streamscope live -i eth0 tcp port 80", "What happens on port 80, as it happens."),
      Example(
        "sudo streamscope live -i any -w night.pcapng -b filesize:100000 -b files:10",
        "The same, and keep the last gigabyte of packets in ten files."),
      Example(
        "sudo streamscope live -i eth0 -o ndjson=/var/log/streams.ndjson --rotate-size 100M",
        "As a service: a file of lines that grows, and ten earlier ones."),
      Example("sudo streamscope live -i lo -a duration:60 -o ndjson | jq .", "One minute, as lines of JSON."),
      Example("ssh host tcpdump -U -w - | streamscope live -i -", "What another host captures, as it happens."),
      Example("streamscope live -D", "List the devices."),
    ])

  private static let own: [Flag<AnalyzeOptions>] = [
    Flag(
      "interface", "i", "DEVICE",
      help: "Capture on this device; any is all of them, - what another program writes to standard input. Default is "
        + "the first one that is up.",
      group: capture, common: true
    ) { (options, text) throws(UsageError) in options.live.device = text },
    Flag("list-interfaces", "D", help: "List the devices; with --json for programs.", group: capture, common: true) {
      $0.live.listsDevices = true
    },
    Flag(
      "snapshot-length", "s", "BYTES", help: "Capture at most this many bytes of each packet; default all.",
      group: capture
    ) { (options, text) throws(UsageError) in options.live.snapLength = try LiveOptions.snapLength(text) },
    Flag(
      "buffer-size", "B", "SIZE", help: "Size of the kernel's capture buffer, in MiB or with a unit; default 16M.",
      group: capture
    ) { (options, text) throws(UsageError) in options.live.bufferBytes = try LiveOptions.buffer(text) },
    Flag("no-promiscuous-mode", "p", help: "Do not use promiscuous mode: only packets for this host.", group: capture) {
      $0.live.isPromiscuous = false
    },
    Flag("packet-count", "c", "N", help: "Stop after N packets.", group: capture, common: true) {
      (options, text) throws(UsageError) in
      guard let number = UInt64(text), number > 0 else { throw UsageError("-c needs a positive number, not '\(text)'") }
      options.live.packetLimit = number
    },
    Flag(
      "autostop", "a", "CONDITION",
      help: "Stop after duration:S seconds or packets:N, or once a file reaches filesize:KB, or after files:N "
        + "files. May be repeated.", group: capture, common: true
    ) { (options, text) throws(UsageError) in try options.live.addStop(text) },
    Flag(
      "relinquish-privileges", "Z", "USER", help: "User to run as once the device is open; root stays root.",
      group: capture
    ) { (options, text) throws(UsageError) in options.live.user = text },
    Flag(
      "top", help: "Show open streams on a full screen, updated all the time; without a terminal, lines.",
      group: showing, common: true
    ) { $0.live.showsScreen = true },
    Flag(
      "stall", nil, "TIME",
      help: "Report an open stream that is silent this long, such as 500ms; default 5s.",
      group: showing
    ) { (options, text) throws(UsageError) in options.live.stall = try LiveOptions.time(text, "--stall") },
    Flag(
      "idle", nil, "TIME",
      help: "Drop connections that are idle this long, such as 600s; default 3600s.", group: capture
    ) { (options, text) throws(UsageError) in options.live.idle = try LiveOptions.time(text, "--idle") },
    Flag(
      "ready-fd", nil, "N", help: "Write 'ready' to this file descriptor once capturing has started.", group: capture
    ) {
      (options, text) throws(UsageError) in
      guard let number = Int32(text), number > 0 else {
        throw UsageError("--ready-fd needs the number of a descriptor, not '\(text)'")
      }
      options.live.readyDescriptor = number
    },
    Flag(
      "ready-file", nil, "FILE", help: "Create this file once capturing has started.", group: capture, values: .file
    ) { (options, text) throws(UsageError) in options.live.readyFile = text },
    Flag("self-test", help: "Show what the program cannot do once its privileges are dropped.", hidden: true) {
      $0.live.testsPrivileges = true
    },
    Flag(
      "write", "w", "FILE", help: "Also write the packets to this pcapng file.", group: recording, values: .file,
      common: true
    ) { (options, text) throws(UsageError) in options.live.write = text },
    Flag(
      "ring-buffer", "b", "CONDITION",
      help:
        "Start a new file after duration:S, filesize:KB or packets:N, and keep the last files:N. May be repeated.",
      group: recording
    ) { (options, text) throws(UsageError) in try options.live.addRing(text) },
    Flag(
      "rotate-size", nil, "SIZE", help: "Start a new file before one is larger than this, such as 100M.", group: logging
    ) { (options, text) throws(UsageError) in options.live.rotation.bytes = try LiveOptions.rotationSize(text) },
    Flag(
      "rotate-age", nil, "TIME", help: "Start a new file when one is this old, such as 3600s.", group: logging
    ) { (options, text) throws(UsageError) in options.live.rotation.age = try LiveOptions.time(text, "--rotate-age") },
    Flag(
      "rotate-keep", nil, "N", help: "Keep the last N files, as FILE.1 (the newest) to FILE.N; default 10.",
      group: logging
    ) { (options, text) throws(UsageError) in try options.live.keepRotated(text) },
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
      destinations = try Destination.all(
        armed.options, console, isSeveral: false, rotation: armed.options.live.rotation)
    } catch {
      throw error.explained(armed.user)
    }
    if armed.options.outputs.contains(where: \.isLog) { ReopenRequest.offer() }
    try armed.announce(console)
    let run = AnalyzeRun(
      files: [], live: armed.capture, options: armed.options, selection: armed.selection, assertions: armed.assertions,
      keyLog: armed.keyLog, console: console)
    let code = try await run.report(to: &destinations) { _ in }
    for at in destinations.indices { try destinations[at].commit() }
    return try armed.capture.conclude(code, console, isQuiet: armed.options.isQuiet)
  }
}
