import Engine
import Events
import RunSupport
import Support
import Testing

/// Connections that a key log opens, and of which the capture lacks records.
@Suite("TLS with a hole")
struct TLSHoleTests {
  private typealias S = TLSScript

  private static func run(_ marker: String, keyLog: String = TLSKeyed.keyLog) async throws -> CaptureRun {
    let script =
      S.to()
      + S.keyed { keys in
        let asked = S.up(keys.client.seal(S.request("shop.example"))) + S.down(keys.server.seal(S.answer))
        // More records than numbers are tried behind a hole, and some that do not open then.
        let missing = (0..<300).map { _ in S.down(keys.server.seal(S.answer), marker) }.joined()
        let rest = (0..<4).map { _ in S.down(keys.server.seal(S.answer)) }.joined()
        return asked + missing + rest + "> FIN\n< FIN\n"
      }
    return try await CaptureRun(
      ScriptedCapture(WireFile(script).conversations), PipelineOptions(keyLog: keyLog))
  }

  @Test("What is decrypted up to a hole is not without keys; what the key log does not open is.")
  func counted() async throws {
    #expect(try await Self.run("").summary.shutTLS == 0)
    let lost = try await Self.run("!lost")
    let session = try #require(lost.connections.first?.tls)
    guard case .lost = session.opening else {
      Issue.record("it is not lost: \(session.opening)")
      return
    }
    #expect(lost.summary.shutTLS == 0)
    #expect(try await Self.run("", keyLog: "").summary.shutTLS == 1)
  }
}
