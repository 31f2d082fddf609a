import Reports
import RunSupport
import Support
import Testing

/// What the first line says of responses that no rule can judge.
@Suite("Responses that were left")
struct LeftResponsesTests {
  private static func run(_ type: String, _ end: String) async throws -> String {
    let head = "HTTP/1.1 200 OK\\r\\nDate: Tue, 14 Nov 2023 22:13:20 GMT\\r\\nContent-Type: \(type)\\r\\n"
    let script =
      "> SYN\n< SYN ACK\n> ACK\n> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
      + "< \"\(head)Transfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n\"\n> ACK\n" + end
    var style = TextStyle()
    style.width = 200
    return try await CaptureRun(script).report(TextReporter(style, Redaction(isOn: true, salt: [1])))
  }

  @Test("A client that leaves a silent response is mentioned, and nobody is accused.")
  func left() async throws {
    let text = try await Self.run("application/json", "+9s\n> FIN\n< FIN\n> ACK\n")
    #expect(
      text.contains("No problem found in what could be read. 1 response was unfinished when its client left, after 9.0")
    )
  }

  @Test(
    "Not a client that leaves at once, nor one that leaves a stream of events, nor a server that closes.",
    arguments: [
      ("application/json", "+1s\n> FIN\n< FIN\n> ACK\n"), ("text/event-stream", "+9s\n> FIN\n< FIN\n> ACK\n"),
      ("application/json", "+9s\n< FIN\n> FIN\n< ACK\n"),
    ])
  func ordinary(_ type: String, _ end: String) async throws {
    #expect(!(try await Self.run(type, end).contains("unfinished when")))
  }
}
