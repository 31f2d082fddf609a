import Arguments
import Events

/// `streamscope messages FILE`: what streams said, a line a message.
enum MessagesCommand {
  static let command = Command<AnalyzeOptions>(
    "messages", summary: "the messages of streams, with the time of each", synopsis: ["[OPTION]... FILE..."],
    details: [
      """
      Lists the chunks, server-sent events, JSON lines and WebSocket messages of a capture as they came: when each was \
      complete, how long after the one before it on the same stream, in which packet, and how it begins. Of TLS without \
      keys it lists the records. Beginnings are shown on a terminal, and hidden in files and pipes unless --no-redact.
      """
    ],
    flags: AnalyzeCommand.flags([
      "output", "filter", "keylog", "connection", "where", "from", "to", "time", "no-redact", "series", "frames",
      "jobs",
      "memory",
    ]),
    examples: [
      Example("streamscope messages sse.pcap", "Every event with its time and its gap."),
      Example("streamscope messages --connection 3 -o ndjson ws.pcap | jq .bytes", "For other programs."),
    ])

  static func run(_ arguments: [String], _ console: Console) async throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    options.view = .messages
    options.readsFrames = true
    let files = try command.operands(arguments, into: &options, console) { (options, files) throws(UsageError) in
      try options.check(files)
      for output in options.outputs where output.format != .text && output.format != .ndjson {
        throw UsageError("messages are written as text or ndjson")
      }
    }
    guard let files else { return .success }
    guard !files.isEmpty else { throw Stop("no capture given; see 'streamscope messages --help'") }
    return try await AnalyzeCommand.run(files, options, console)
  }
}
