import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Reports

/// Streams of one connection, as the text report draws them.
@Suite("Lanes of streams")
struct StreamLanesTests {
  private typealias S = HTTP2Script

  static func asked(_ stream: UInt32, _ path: String) -> [UInt8] {
    S.request(stream, [(":method", "GET"), (":scheme", "http"), (":path", path), (":authority", "h.example")])
  }

  static func credit(_ stream: UInt32, _ bytes: UInt32) -> [UInt8] { S.frame(8, 0, stream, S.word(bytes)) }

  /// Three at a time: the first waits for its own credit, the second is answered meanwhile, the third is reset.
  static let stalled =
    S.opened(S.setting(4, 10)) + S.up(asked(1, "/export") + asked(3, "/status") + asked(5, "/events"))
    + S.down(S.response(1) + S.data(1, "0123456789")) + "+100ms\n" + S.down(S.response(3) + S.data(3, "ok", ends: true))
    + S.down(S.response(5) + S.data(5, "tick")) + "> ACK\n+2s\n" + S.up(credit(1, 100))
    + S.down(S.data(1, "rest", ends: true))
    + "+200ms\n" + S.down(S.frame(3, 0, 5, S.word(2))) + S.end

  private static func text(_ script: String, _ change: (inout TextStyle) -> Void = { _ in }) async throws -> String {
    let run = try await CaptureRun(ScriptedCapture(script).bytes, file: "lanes.pcap")
    var style = TextStyle()
    style.width = 80
    change(&style)
    return try run.report(TextReporter(style, Redaction(isOn: true, salt: [1])), file: "lanes.pcap")
  }

  private static func lane(_ number: Int, in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("    \(number) ") && $0.contains(" → ") }.map(String.init)
  }

  @Test("A stall is drawn in the lane of the stream that waited, and told with its packets and its window.")
  func stall() async throws {
    let text = try await Self.text(Self.stalled)
    let waits = try #require(Self.lane(1, in: text))
    #expect(waits.contains("SSSSSSSS") && waits.contains("GET /export → 200"))
    for other in [2, 3] { #expect(try #require(Self.lane(other, in: text)).contains("S") == false) }
    #expect(text.contains("S no credit for the stream from the client 2."))
    #expect(text.contains("window at most ") && text.contains("3 streams, at most 3 at a time"))
    #expect(text.contains("reset by the server: INTERNAL_ERROR (#"))
  }

  @Test("All lanes have one scale: what began and ended later stands further to the right.")
  func scale() async throws {
    let text = try await Self.text(Self.stalled) { $0.isASCII = true }
    let lanes = text.split(separator: "\n").filter { $0.contains(" -> 200 ") }.map(String.init)
    #expect(lanes.count == 3 && lanes[2].contains("x"))
    let end = { (lane: String) in
      lane.lastIndex { "S#x".contains($0) }.map { lane.distance(from: lane.startIndex, to: $0) }
    }
    #expect(try #require(end(lanes[1])) < #require(end(lanes[0])))
    #expect(try #require(end(lanes[0])) < #require(end(lanes[2])))
  }

  @Test("The connection's credit is told once, and drawn where streams waited for it.")
  func connection() async throws {
    let filler = S.down(S.frame(0, 0, 1, [UInt8](repeating: 7, count: 16_384)))
    let script =
      S.opened(S.setting(4, 100_000)) + S.up(Self.asked(1, "/a") + Self.asked(3, "/b"))
      + S.down(S.response(1) + S.response(3)) + filler + filler + filler
      + S.down(S.frame(0, 0, 1, [UInt8](repeating: 7, count: 16_383))) + "+3s\n" + S.up(Self.credit(0, 65_535))
      + S.down(S.data(3, "late", ends: true) + S.data(1, "late", ends: true)) + S.end
    let text = try await Self.text(script)
    for number in [1, 2] { #expect(try #require(Self.lane(number, in: text)).contains("WWWWWWWW")) }
    #expect(text.components(of: "no credit for the connection").count == 4, "verdict, caption and timeline")
    #expect(text.contains("W no credit for the connection from the client 3."))
  }

  @Test("Streams one behind the other are told as exchanges are, with one open at a time.")
  func behindEachOther() async throws {
    let script =
      S.open + S.up(Self.asked(1, "/a")) + S.down(S.response(1) + S.data(1, "one", ends: true))
      + S.up(Self.asked(3, "/b"))
      + S.down(S.response(3) + S.data(3, "two", ends: true)) + S.end
    let text = try await Self.text(script)
    #expect(text.contains("    1 GET /a → 200 in ") && text.contains("    2 GET /b → 200 in "))
    #expect(!text.contains("at a time"))
  }

  @Test("Of many streams those that something happened to are drawn, and the others counted.")
  func many() async throws {
    let numbers = stride(from: UInt32(1), through: 39, by: 2)
    let script =
      S.open + S.up(numbers.flatMap { Self.asked($0, "/\($0)") }) + "+50ms\n"
      + S.down(numbers.dropLast().flatMap { S.response($0) + S.data($0, "x", ends: true) }) + "+50ms\n"
      + S.down(S.frame(3, 0, 39, S.word(2))) + S.end
    let text = try await Self.text(script)
    #expect(text.contains("⋮ 12 more streams   [--json]"))
    #expect(text.contains("GET /39 → none") && text.contains("GET /13 → 200") && !text.contains("GET /15 → 200"))
    // The timeline says once what several streams did in one packet.
    #expect(text.contains("19 × 200, 19 × body 1 B") && text.contains("GET /9, 15 more"))
  }

  @Test("The lanes as reviewed.", arguments: [80, 100])
  func golden(_ width: Int) async throws {
    expectGolden(try await Self.text(Self.stalled) { $0.width = width }, "Text/lanes.\(width).txt")
  }

  @Test("Nothing but ASCII, and no line too long.", arguments: [60, 80, 100, 140])
  func widths(_ width: Int) async throws {
    let text = try await Self.text(Self.stalled) {
      $0.isASCII = true
      $0.width = width
    }
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    for line in text.split(separator: "\n") {
      #expect(line.count <= width || line.split(separator: " ").count <= 4, "\(line)")
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> [Substring] {
    split(separator: part, omittingEmptySubsequences: false)
  }
}
