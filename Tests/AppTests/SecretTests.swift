import Foundation
import Testing

@testable import App

/// A capture full of secrets: none of them may stand in any output, in any spelling, unless it is asked for.
@Suite("Secrets")
struct SecretTests {
  /// Each in a place of its own.
  private static let secrets: [(place: String, text: String)] = [
    ("authorization", "Basic-dXNlcjpTM2NyM3RB"), ("proxy-authorization", "S3cr3tB-proxy"), ("cookie", "S3cr3tC-cookie"),
    ("set-cookie", "S3cr3tD-setcookie"), ("query token", "S3cr3tE-query"),
    ("long query value", "f00dfeed0123456789abcdef0042"),
    ("x-api-key", "S3cr3tF-apikey"), ("x-auth-token", "S3cr3tG-token"),
    ("json web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJTM2NyM3RIIn0.c2lnbmF0dXJl"),
    ("userinfo", "S3cr3tI-user"), ("referer query", "S3cr3tJ-referer"), ("location query", "S3cr3tK-location"),
    ("subprotocol", "S3cr3tL-subprotocol"), ("request body", "S3cr3tM-body"), ("event data", "S3cr3tN-event"),
    ("socket message", "S3cr3tO-socket"), ("close reason", "S3cr3tP-close"), ("ping payload", "S3cr3tQ-ping"),
    ("trailer", "S3cr3tR-trailer"), ("chunk data", "S3cr3tS-chunk"), ("json line", "S3cr3tT-line"),
    ("early data", "S3cr3tU-early"), ("event id", "S3cr3tV-id"), ("plain stream", "S3cr3tW-plain"),
    ("well-known key", "sk-S3cr3tX0123456789"),
  ]
  private static func secret(_ place: String) -> String { secrets.first { $0.place == place }?.text ?? "?" }

  /// A frame of a server.
  private static func frame(_ first: UInt8, _ text: String, code: [UInt8] = []) -> String {
    let payload = code + Array(text.utf8)
    return "< x\"" + ([first, UInt8(payload.count)] + payload).map { String(format: "%02x", $0) }.joined() + "\"\n"
  }

  private static let script: String = {
    let secret = { (place: String) in Self.secret(place) }
    let body = #"{\"password\":\""# + secret("request body") + #"\"}"#
    let bodyLength = secret("request body").utf8.count + 15
    let event = "id: \(secret("event id"))\\ndata: \(secret("event data"))\\n\\n"
    let eventLength = secret("event id").utf8.count + secret("event data").utf8.count + 13
    let chunk = secret("chunk data")
    let line = secret("json line")
    return """
      == 192.0.2.1:4001 198.51.100.7:80
      \(Scripts.hello)> "GET http://\(secret("userinfo")):pw@shop.example/a?token=\(secret("query token"))&v=1&x=\(secret("long query value")) HTTP/1.1\\r\\nHost: shop.example\\r\\nAuthorization: \(secret("authorization"))\\r\\nProxy-Authorization: \(secret("proxy-authorization"))\\r\\nCookie: a=\(secret("cookie"))\\r\\nX-Api-Key: \(secret("x-api-key"))\\r\\nX-Auth-Token: \(secret("x-auth-token"))\\r\\nX-Trace: \(secret("json web token"))\\r\\nX-Note: use \(secret("well-known key")) please\\r\\nReferer: http://other.example/p?session=\(secret("referer query"))\\r\\nConnection: close\\r\\n\\r\\n"
      +2s
      < "HTTP/1.1 302 Found\\r\\nSet-Cookie: b=\(secret("set-cookie")); Path=/\\r\\nLocation: /next?code=\(secret("location query"))\\r\\nContent-Type: text/html\\r\\nTransfer-Encoding: Chunked\\r\\nTrailer: X-Secret-Token\\r\\n\\r\\n\(String(chunk.utf8.count, radix: 16))\\r\\n\(chunk)\\r\\n0\\r\\nX-Secret-Token: \(secret("trailer"))\\r\\n\\r\\n"
      < FIN
      > FIN
      < ACK
      == 192.0.2.1:4002 198.51.100.7:80
      \(Scripts.hello)> "POST /login HTTP/1.1\\r\\nHost: shop.example\\r\\nAccept: text/event-stream\\r\\nContent-Type: application/json\\r\\nContent-Length: \(bodyLength)\\r\\n\\r\\n\(body)"
      < "HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\(String(eventLength, radix: 16))\\r\\n\(event)\\r\\n"
      +6s
      < "\(String(eventLength, radix: 16))\\r\\n\(event)\\r\\n0\\r\\n\\r\\n"
      > FIN
      < FIN
      > ACK
      == 192.0.2.1:4003 198.51.100.7:80
      \(Scripts.hello)> "GET /ws HTTP/1.1\\r\\nHost: shop.example\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Key: 35EfAVH57wIdQQtL5QYJcg==\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Protocol: bearer, \(secret("subprotocol"))\\r\\n\\r\\n"
      < "HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: eyhQGxHHp0WPqcOzcwIM1FxNMk8=\\r\\nSec-WebSocket-Protocol: \(secret("subprotocol"))\\r\\n\\r\\n"
      \(frame(0x81, secret("socket message")))\(frame(0x89, secret("ping payload")))\(frame(0x88, secret("close reason"), code: [0x0F, 0xA0]))< FIN
      > FIN
      < ACK
      == 192.0.2.1:4004 198.51.100.7:80
      \(Scripts.hello)> "GET /lines HTTP/1.1\\r\\nHost: shop.example\\r\\n\\r\\n"
      < "HTTP/1.1 200 OK\\r\\nContent-Type: application/x-ndjson\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\(String(line.utf8.count + 1, radix: 16))\\r\\n\(line)\\n\\r\\n\(String(line.utf8.count + 1, radix: 16))\\r\\n\(line)\\n\\r\\n"
      < "\(secret("early data"))"
      < FIN
      > FIN
      < ACK
      == 192.0.2.1:4005 198.51.100.7:9000
      \(Scripts.hello)> "\(secret("plain stream"))"
      +3s
      < "\(secret("plain stream"))"
      > FIN
      < FIN
      > ACK

      """
  }()

  /// Spellings in which a secret could slip through.
  private static func spellings(_ secret: String) -> [String] {
    let bytes = Data(secret.utf8)
    // The middle of its base64, whatever stands before it, comes out at one of three offsets.
    let base64 = (0..<3).map { shift in
      String((Data(repeating: 0x20, count: shift) + bytes).base64EncodedString().dropFirst(4).dropLast(6))
    }
    let hex = bytes.map { String(format: "%02x", $0) }
    return [secret, hex.joined(), hex.joined(separator: " ")] + base64.filter { $0.count >= 8 }
  }

  @Test(
    "No output holds any of them.",
    arguments: [
      ["-v"], ["--lint"], ["--json", "--timeline", "full", "--digest"], ["-o", "ndjson"], ["-o", "har"],
      ["-o", "html"],
      ["-o", "sarif"], ["-o", "junit"], ["-o", "github"], ["-o", "openmetrics"], ["-o", "prometheus"], ["-o", "trace"],
      ["-o", "otlp"],
      ["messages"],
      ["messages", "-o", "ndjson"],
    ])
  func hidden(_ arguments: [String]) async throws {
    let scratch = try Scratch()
    let capture = try scratch.captures(Self.script)
    let run = await ProgramRun(arguments + [capture])
    #expect(run.code == .success && run.errors == "")
    for (place, secret) in Self.secrets {
      for spelling in Self.spellings(secret) {
        #expect(!run.output.contains(spelling), "\(place) as \(spelling)")
      }
    }
  }

  @Test("On a terminal payload is shown, and secrets by name are not.")
  func terminal() async throws {
    let scratch = try Scratch()
    let capture = try scratch.captures(Self.script)
    let run = await ProgramRun(["messages", capture], isTerminal: true)
    #expect(run.output.contains(Self.secret("event data").prefix(6)))
    let report = await ProgramRun(["-v", capture], isTerminal: true)
    for place in ["authorization", "cookie", "set-cookie", "query token", "x-api-key", "subprotocol", "userinfo"] {
      #expect(!report.output.contains(Self.secret(place)), "\(place)")
    }
  }

  @Test("Asked for, they are there: the capture does hold them.")
  func shown() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["--json", "--no-redact", try scratch.captures(Self.script)])
    let unread = ["request body", "early data", "plain stream", "ping payload", "event id"]
    for (place, secret) in Self.secrets where !unread.contains(place) {
      #expect(run.output.contains(secret), "\(place)")
    }
  }

  @Test("Names, lengths and hashes stay, and equal secrets have equal hashes.")
  func equality() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["--json", try scratch.captures(Self.script)])
    #expect(run.output.contains("\"Authorization\"") && run.output.contains("token=["))
    let hash = { (text: Substring) in text.firstRange(of: "sha256:").map { text[$0.lowerBound...].prefix(19) } }
    let previews = run.output.split(separator: "\n").filter {
      $0.contains("[\(Self.secret("event data").utf8.count) B sha256:")
    }
    // The event came twice.
    #expect(Dictionary(grouping: previews.compactMap(hash)) { $0 }.values.contains { $0.count == 2 })
  }
}
