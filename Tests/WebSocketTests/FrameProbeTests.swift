import Citation
import Support
import Testing
import WebSocket

@Suite("Frames in the middle of a connection")
struct FrameProbeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let answer: FrameProbe.Answer

    init(_ what: String, _ bytes: [UInt8], _ answer: FrameProbe.Answer) {
      testDescription = what
      self.bytes = bytes
      self.answer = answer
    }

    static func text(_ text: String, mask: UInt8? = nil) -> [UInt8] {
      let payload = Array(text.utf8)
      guard let mask else { return [0x81, UInt8(payload.count)] + payload }
      return [0x81, 0x80 | UInt8(payload.count), mask, 2, mask, 4]
        + payload.enumerated().map { $1 ^ [mask, 2, mask, 4][$0 & 3] }
    }

    static func binary(_ length: UInt8, _ fill: UInt8) -> [UInt8] {
      [0x82, length] + [UInt8](repeating: fill, count: Int(length))
    }

    private static let words = Array(String(repeating: "four letters are ", count: 4).utf8.prefix(64))

    static let all: [Row] = [
      Row("nothing", [], .unsure),
      Row("three texts", text("{\"id\":1}") + text("{\"id\":2}") + text("{\"id\":3}"), .yes(isMasked: false)),
      Row("two texts", text("{\"id\":1}") + text("{\"id\":2}"), .unsure),
      Row(
        "three texts with masks", text("hello there", mask: 9) + text("a", mask: 8) + text("how are you", mask: 7),
        .yes(isMasked: true)),
      Row("a text that is cut off", text("{\"i\":1}") + text("{\"i\":2}") + [0x81, 0x7E, 1, 0, 0x61], .unsure),
      Row(
        "the same with all that is looked at",
        text("{\"i\":1}") + text("{\"i\":2}") + [0x81, 0x7E, 1, 0] + words,
        .yes(isMasked: false)),
      Row(
        "the same, and what follows is no text",
        text("{\"i\":1}") + text("{\"i\":2}") + [0x81, 0x7E, 1, 0] + words.dropLast(2) + [0xC3, 0x20],
        .no),
      Row("four binary frames", (1...4).flatMap { binary($0, 7) }, .unsure),
      Row("five binary frames", (1...5).flatMap { binary($0, 7) }, .yes(isMasked: false)),
      Row("compressed text", (1...5).flatMap { [0xC1, 0x02, UInt8($0), 0x00] }, .yes(isMasked: false)),
      Row("the same frame over and over", (1...50).flatMap { _ in binary(5, 7) }, .unsure),
      Row(
        "the end of a message in fragments",
        [0x00, 0x01, 0x61, 0x89, 0x00, 0x80, 0x01, 0x62] + text("{\"id\":1}") + text("{\"id\":2}"),
        .yes(isMasked: false)),
      Row("a continuation of nothing", text("{\"id\":1}") + [0x80, 0x01, 0x61], .no),
      Row("a text in an open message", [0x01, 0x01, 0x61] + text("{\"id\":1}"), .no),
      Row("masks come and go", text("{\"id\":1}") + text("{\"id\":2}", mask: 3), .no),
      Row("not text", [0x81, 0x02, 0xC3, 0x28], .no),
      Row("half a character at the end", [0x81, 0x01, 0xC3], .no),
      Row("half a character where it may go on", [0x01, 0x01, 0xC3], .unsure),
      Row("something behind a close", [0x88, 0x02, 0x03, 0xE8, 0x81], .no),
      Row("a code that is none", [0x88, 0x02, 0x00, 0x01], .no),
      Row("RSV2", [0xA1], .no),
      Row("RSV1 on a ping", [0xC9], .no),
      Row("RSV1 on a continuation", [0x40], .no),
      Row("a ping in fragments", [0x09], .no),
      Row("a long ping", [0x89, 0x7E, 0, 126], .no),
      Row("a length that is too long for what it says", [0x82, 0x7E, 0, 125], .no),
      Row("and in eight bytes", [0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .no),
      Row("4 GiB", [0x82, 0x7F, 0, 0, 0, 1, 0, 0, 0, 0], .no),
      Row("zeros", [UInt8](repeating: 0, count: 4096), .no),
      Row("a request", Array("GET /chat HTTP/1.1\r\nHost: a\r\n\r\n".utf8), .no),
      Row("a response", Array("HTTP/1.1 200 OK\r\n\r\n".utf8), .no),
      Row("HTTP/2", Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), .no),
      Row("settings of HTTP/2", [0x00, 0x00, 0x12, 0x04, 0x00, 0x00], .no),
      Row("a hello of TLS", [0x16, 0x03, 0x01, 0x02, 0x00], .no),
      Row("a record of TLS", [0x17, 0x03, 0x03, 0x00, 0x20], .no),
      Row("SSH", Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), .no),
      Row("a method of AMQP", [0x01, 0x00, 0x01, 0x00, 0x00], .no),
      Row("a request of memcached", [0x80, 0x00, 0x00, 0x03, 0x00, 0x00], .no),
      Row("an INTEGER and another", [0x02, 0x01, 0x01, 0x02, 0x01, 0x00], .no),
      Row(
        "a table of a movie",
        [
          0x00, 0x03, 0xE8, 0, 0, 0, 1, 0, 0, 0x1B, 0x58, 0, 0, 0, 1, 0, 0, 0x0B, 0xB8, 0, 0, 0, 2, 0, 0, 0x1B, 0x58, 0,
          0, 0, 1, 0, 0, 0x0B, 0xB8, 0, 0, 0, 3,
        ], .unsure),
      Row("names of a certificate", (1...40).flatMap { [0x82, 0x0E] + Array("\($0 + 10).example.com".utf8) }, .unsure),
      Row("text of any kind", Array("A long line of text that begins with a capital letter.\r\nBut".utf8), .no),
    ]
  }

  @Test("What the first bytes of a direction are.", arguments: Row.all)
  func answers(_ row: Row) {
    #expect(FrameProbe.look(at: row.bytes.span) == row.answer)
  }

  @Test(
    "More bytes never take a verdict back, and no beginning of frames is taken for something else.", arguments: Row.all)
  func prefixes(_ row: Row) {
    var last = FrameProbe.Answer.unsure
    for count in 0...row.bytes.count {
      let answer = FrameProbe.look(at: row.bytes.span.extracting(0..<count))
      if last != .unsure { #expect(answer == last) }
      last = answer
    }
    #expect(last == row.answer)
  }

  @Test("Of a million places in random bytes none is taken for frames.")
  func random() {
    var random = SplitMix64(seed: 59)
    let bytes = random.bytes(1_004_096)
    var wrong = 0
    for start in 0..<1_000_000 where isCertain(bytes.span.extracting(start..<start + 4096)) { wrong += 1 }
    #expect(wrong == 0)
  }

  @Test("Nor of any two bytes that are repeated.")
  func repetition() {
    var wrong: [[UInt8]] = []
    for first in UInt8.min...UInt8.max where FrameProbe.look(at: [first].span) != .no {
      for second in UInt8.min...UInt8.max {
        let pair = [first, second]
        let bytes = Array(repeatElement(pair, count: 600).joined())
        if isCertain(bytes.span) { wrong.append(pair) }
      }
    }
    #expect(wrong == [])
  }

  private func isCertain(_ bytes: Span<UInt8>) -> Bool {
    if case .yes = FrameProbe.look(at: bytes) { true } else { false }
  }

  @Test("The client is who masks, where nothing speaks against it.")
  func client() {
    let masked = Row.text("hello there", mask: 9) + Row.text("a", mask: 8) + Row.text("how are you", mask: 7)
    let plain = Row.text("{\"id\":1}") + Row.text("{\"id\":2}") + Row.text("{\"id\":3}")
    let request = Array("GET / HTTP/1.1\r\n".utf8)
    let few: [UInt8] = [0x89, 0x00]
    let cases: [([UInt8], [UInt8], Direction?)] = [
      (masked, plain, .toServer), (plain, masked, .toClient), (masked, [], .toServer), ([], masked, .toClient),
      (plain, [], .toClient), (few, masked, .toClient), (masked, few, .toServer), (few, plain, nil), (few, [], nil),
      (plain, plain, nil), (masked, masked, nil), (masked, request, nil), ([], [], nil),
    ]
    for (up, down, expected) in cases {
      #expect(FrameProbe.client(toServer: up.span, toClient: down.span) == expected)
    }
  }
}
