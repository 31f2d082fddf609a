import Citation
import Engine
import Events
import RunSupport
import Support

@testable import Reports

/// Captures whose reports are kept as goldens: each shows something that a report must tell well.
enum SampleRuns {
  static let hello = "> SYN\n+20ms\n< SYN ACK\n> ACK\n"

  static let conversations: [String: [Conversation]] = [
    // A plain exchange with a silence, closed by the client.
    "quiet": [
      Conversation(hello + "> \"GET / HTTP/1.0\\r\\n\\r\\n\"\n+4s\n< len=1400\n< len=300\n> ACK\n> FIN\n< FIN\n> ACK\n")
    ],
    "refused": [Conversation("> SYN\n+19ms\n< RST ack=0\n")],
    "conflict": [
      Conversation(
        hello + "> \"GET /good?token=hunter2\"\n> \"GET /evil?token=hunter3\" @0 ttl=250\n< ACK\n> FIN\n< FIN\n> ACK\n")
    ],
    // Loss, a stale reset, a hole and a snapshot length in one connection.
    "troubled": [
      Conversation(
        hello
          + "> len=500\n< ACK\n< len=1000\n+300ms\n< @0 len=1000\n> ACK\n> RST seq+10000000\n< len=700 !lost\n< len=300\n> ACK\n"
          + "+1s\n< len=100 wire=900\n> ACK win=0\n+2s\n> ACK win=4000\n< RST\n")
    ],
    // Several short stories: refused, unanswered, joined in the middle from one side, and one over IPv6.
    "several": [
      Conversation("> SYN\n< RST ack=0\n", client: "10.0.0.1:40001"),
      Conversation("> SYN\n+1s\n> SYN\n+2s\n> SYN\n", client: "10.0.0.1:40002", server: "10.0.0.3:443"),
      Conversation("< \"late\"\n+1s\n< \"and later\"\n", client: "10.0.0.1:40003", server: "10.0.0.4:443"),
      Conversation(
        hello + "> \"ask\"\n< \"answer\"\n> ACK\n", client: "[2001:db8:1111:2222:3333:4444:5555:6666]:65535",
        server: "[2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff]:443"),
    ],
    "none": [],
    "large": large,
  ]

  /// Sixty connections to five servers; every fifth is refused, some differ, some lose.
  private static var large: [Conversation] {
    let stories = [
      "> SYN\n+2ms\n< RST ack=0\n",
      hello + "> len=300\n+100ms\n< len=120000\n> ACK\n> FIN\n< FIN\n> ACK\n",
      hello + "> len=300\n< len=900\n+250ms\n< @0 len=900\n> ACK\n< FIN\n> FIN\n< ACK\n",
      hello + "> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n< RST\n",
      hello + "> len=300\n< len=900 !lost\n< len=200\n> ACK\n+1s\n< RST seq+9000000\n",
    ]
    return (0..<60).map { index in
      // Long responses are cut into segments by the script's own line.
      let story = stories[index % stories.count].replacing("len=120000", with: "len=60000")
      return Conversation(
        story, client: Endpoint("10.0.\(index / 30).\(index % 30 + 1):\(40_000 + index)"),
        server: Endpoint("192.0.2.\(index % 5 + 10):\(index % 2 == 0 ? 443 : 8080)"),
        start: 1_700_000_000_000_000_000 + Int64(index) * 1_700_000_000)
    }
  }

  static func run(_ name: String, _ options: PipelineOptions = PipelineOptions(), file: String? = nil) async throws
    -> CaptureRun
  {
    let bytes = ScriptedCapture(conversations[name] ?? []).bytes
    return try await CaptureRun(bytes, file: file ?? "\(name).pcap", options)
  }

  static func text(
    _ name: String, file: String? = nil, options: PipelineOptions = PipelineOptions(), isRedacted: Bool = true,
    _ change: (inout TextStyle) -> Void = { _ in }
  ) async throws -> String {
    var style = TextStyle()
    style.width = 80
    change(&style)
    let run = try await run(name, options, file: file)
    return try run.report(TextReporter(style, Redaction(isOn: isRedacted, salt: [1])), file: file ?? "\(name).pcap")
  }
}
