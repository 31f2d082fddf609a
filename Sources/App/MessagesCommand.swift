import Arguments
import Events

/// `streamscope messages FILE`: messages of streams, one per line.
enum MessagesCommand {
  static let command = Command<AnalyzeOptions>(
    "messages", summary: "list the messages of streams, with the time of each", synopsis: ["[OPTION]... FILE..."],
    details: [
      """
      Lists the chunks, server-sent events, JSON lines, gRPC and WebSocket messages of a capture in order of arrival: when each was \
      complete, how long after the previous one on the same stream, in which packet, and how it begins. For TLS without \
      keys it lists the records. Previews are shown on a terminal, and hidden in files and pipes unless --no-redact.
      """,
      CaptureFiles.help,
    ],
    flags: AnalyzeCommand.flags([
      "output", "filter", "keylog", "connection", "where", "from", "to", "time", "no-redact", "series", "files-from",
      "salt-file", "config", "isolated", "frames",
      "jobs",
      "memory",
    ]),
    examples: [
      Example("streamscope messages sse.pcap", "Every event with its time and gap."),
      Example("streamscope messages --connection 3 -o ndjson ws.pcap | jq .bytes", "For other programs."),
    ])

  static func run(_ arguments: [String], _ console: Console) async throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    options.view = .messages
    let files = try command.operands(arguments, into: &options, console) { (options, files) throws(UsageError) in
      try options.check(files)
      for output in options.outputs where output.format != .text && output.format != .ndjson {
        throw UsageError("messages are written as text or ndjson")
      }
    }
    guard let files else { return .success }
    return try await AnalyzeCommand.run(try CaptureFiles.all(files, options, "streamscope messages"), options, console)
  }
}
