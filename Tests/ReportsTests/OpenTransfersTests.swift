import Reports
import RunSupport
import Support
import Testing

/// What the first line says of bodies that had been silent for long when the capture ended.
@Suite("Transfers that are silent at the end")
struct OpenTransfersTests {
  private static func asked(_ head: String, _ body: String) -> String {
    "== 10.0.0.1:40001 10.0.0.2:80\n> SYN\n< SYN ACK\n> ACK\n> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
      + "< \"HTTP/1.1 200 OK\\r\\nDate: Tue, 14 Nov 2023 22:13:20 GMT\\r\\n\(head)\\r\\n\\r\\n\"\n" + body
  }

  private static func events(_ pauses: [String]) -> String {
    asked(
      "Content-Type: text/event-stream\\r\\nTransfer-Encoding: chunked",
      pauses.map { "+\($0)\n< \"9\\r\\ndata: a\\n\\n\\r\\n\"\n> ACK\n" }.joined())
  }

  private static let download = asked("Content-Length: 4000", "< len=900\n> ACK\n")

  /// `other` is a connection of the rest of the capture.
  private static func run(_ script: String, other: String) async throws -> String {
    let rest = "== 10.0.0.1:40002 10.0.0.3:80 +\(other)\n> SYN\n< SYN ACK\n> ACK\n"
    var style = TextStyle()
    style.width = 200
    let run = try await CaptureRun(ScriptedCapture(WireFile(script + rest).conversations))
    return try run.report(TextReporter(style, Redaction(isOn: true, salt: [1])))
  }

  @Test("A download without its rest, and a stream that has lost its beat, are mentioned, and nobody is accused.")
  func stopped() async throws {
    let download = try await Self.run(Self.download, other: "31s")
    #expect(
      download.contains(
        "No problem found in what could be read. 1 unfinished transfer had been silent for 30.997 s when the capture ended."
      ),
      "\(download)")
    #expect(download.contains("still open when the capture ends, 30.996 s after its last packet"))
    let stream = try await Self.run(Self.events(["1s", "1s", "1s", "1s", "1s", "1s"]), other: "36s")
    #expect(stream.contains("1 unfinished transfer had been silent for 29.98"), "\(stream)")
  }

  @Test(
    "Not for nine seconds, nor a stream with few events, without a beat, or with a slow one, nor one that ended.",
    arguments: [
      (download, "9s"), (events(["1s", "1s", "1s", "1s"]), "30s"),
      (events(["1s", "1s", "50ms", "3s", "1s", "7s"]), "60s"),
      (events(["4s", "4s", "4s", "4s", "4s", "4s"]), "60s"),
      (download + "+1s\n> FIN\n< FIN\n> ACK\n", "60s"),
      // The server's retransmissions are a finding already.
      (
        download + "< len=900\n+300ms\n< len=900 @900\n+600ms\n< len=900 @900\n+1200ms\n< len=900 @900\n"
          + "+2400ms\n< len=900 @900\n+4800ms\n< len=900 @900\n+9600ms\n< len=900 @900\n", "60s"
      ),
    ])
  func ordinary(_ script: String, _ other: String) async throws {
    #expect(!(try await Self.run(script, other: other).contains("had been silent")))
  }
}
