import Citation
import RunSupport
import Testing

@testable import Events

/// When clients that hold would hand over what arrives.
@Suite("Releases")
struct ReleaseTests {
  private static let begin = """
    > SYN
    < SYN ACK
    > ACK
    > "GET /s HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n"

    """

  /// The packets at which each family has the response.
  private func releases(_ script: String) async throws -> [String: UInt64] {
    let run = try await CaptureRun(Self.begin + script)
    for case .exchange(let exchange) in run.items {
      return Dictionary(uniqueKeysWithValues: exchange.releases.map { ($0.client.title, $0.packet.number) })
    }
    return [:]
  }

  private static let text = String(repeating: "0123456789", count: 8)

  private func dripping(_ type: String) -> String {
    """
    < "HTTP/1.1 200 OK\\r\\n\(type)Content-Length: 1500\\r\\n\\r\\n\(Self.text)"
    +1s
    < len=500
    +1s
    < len=500
    +1s
    < len=420
    """
  }

  @Test("Each family has the response at its own byte.")
  func families() async throws {
    #expect(try await releases(dripping("")) == ["Apple URLSession": 6, "Chromium": 7, "Firefox": 6])
    #expect(
      try await releases(dripping("Content-Type: text/plain\\r\\n"))
        == ["Apple URLSession": 6, "Chromium": 7, "Firefox": 6])
    #expect(try await releases(dripping("Content-Type: text/html\\r\\n")) == ["Apple URLSession": 6])
    #expect(try await releases(dripping("Content-Type: text/xml\\r\\n")) == ["Chromium": 6])
  }

  @Test("Nobody waits who has enough at once, or knows the type.")
  func none() async throws {
    for type in ["application/json", "text/event-stream", "application/octet-stream"] {
      #expect(try await releases(dripping("Content-Type: \(type)\\r\\n")).isEmpty)
    }
    #expect(
      try await releases(dripping("Content-Type: text/html\\r\\nX-Content-Type-Options: nosniff\\r\\n")).isEmpty)
    #expect(try await releases("< \"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhello\"\n+1s\n> ACK\n").isEmpty)
  }

  @Test("A short body is handed over at its end, and one that the client left is not.")
  func ends() async throws {
    let head =
      "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n\"\n"
    #expect(try await releases(head + "+1s\n< \"0\\r\\n\\r\\n\"\n") == ["Apple URLSession": 6])
    #expect(try await releases(head + "+1s\n< FIN\n> FIN\n< ACK\n") == ["Apple URLSession": 6])
    #expect(try await releases(head + "+1s\n> FIN\n< FIN\n> ACK\n").isEmpty)
    #expect(try await releases(head + "+1s\n> ACK\n").isEmpty)
    let untilClose = "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\nhello\"\n"
    #expect(try await releases(untilClose + "+1s\n< FIN\n> FIN\n< ACK\n") == ["Apple URLSession": 6])
  }

  @Test("The table names each family that holds, and its rows are whole.")
  func table() {
    for row in ClientHold.all {
      #expect(!row.client.isEmpty && !row.heldText.isEmpty && !row.source.isEmpty)
      if let bytes = row.bytes {
        #expect(MessageRecord.milestones.contains(bytes), "\(row.client)")
        #expect(!row.family.title.isEmpty)
      }
    }
    #expect(ClientHold.table.rows.allSatisfy { $0.count == ClientHold.table.columns.count })
  }
}
