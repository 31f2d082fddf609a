import Testing

/// A stream, and what is reported of it.
struct FrameRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let words: [String]

  init(_ what: String, _ bytes: [UInt8], _ words: [String]) {
    testDescription = what
    self.bytes = bytes
    self.words = words
  }

  private static let hello = Array("Hello".utf8)
  private static let maskedHello: [UInt8] = [0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]

  static let all: [FrameRow] = [
    // RFC 6455 §5.7.
    FrameRow(
      "a text without mask", [0x81, 0x05] + hello, ["start text 5", "payload 2-7 @0", "end text 5"]),
    FrameRow(
      "a text with mask", [0x81, 0x85] + maskedHello,
      ["start text key 37fa213d 5", "payload 6-11 @0", "end text key 37fa213d 5"]),
    FrameRow(
      "a text in fragments", [0x01, 0x03] + hello[..<3] + [0x80, 0x02] + hello[3...],
      [
        "start text more 3", "payload 2-5 @0", "end text more 3", "start continuation 2", "payload 7-9 @0",
        "end continuation 2",
      ]),
    FrameRow(
      "a ping and its pong", [0x89, 0x05] + hello + [0x8A, 0x85] + maskedHello,
      [
        "start ping 5", "end ping 5 \"Hello\"", "start pong key 37fa213d 5", "end pong key 37fa213d 5 \"Hello\"",
      ]),
    FrameRow(
      "256 bytes", [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256),
      ["start binary 16 256", "payload 4-260 @0", "end binary 16 256"]),
    FrameRow(
      "65,536 bytes announced, and two there", [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0, 7, 7],
      ["start binary 64 65536", "payload 10-12 @0", "end binary 64 2/65536"]),

    FrameRow("nothing", [], []),
    FrameRow("an empty text", [0x81, 0x00], ["start text 0", "end text 0"]),
    FrameRow(
      "an empty text with mask", [0x81, 0x80, 1, 2, 3, 4], ["start text key 1020304 0", "end text key 1020304 0"]),
    FrameRow(
      "a close with code and reason", [0x88, 0x04, 0x03, 0xE8, 0x62, 0x79],
      ["start close 4", "end close 4 \"\u{3}\u{FFFD}by\""]),
    FrameRow(
      "reserved bits", [0xF1, 0x00, 0xC2, 0x00],
      [
        "start text r7 0", "end text r7 0", "start binary r4 0", "end binary r4 0",
      ]),
    FrameRow(
      "an opcode that nobody has defined", [0x83, 0x01, 0x61, 0x8B, 0x01, 0x61],
      [
        "start opcode 3 1", "payload 2-3 @0", "end opcode 3 1", "start opcode 11 1", "end opcode 11 1 \"a\"",
      ]),
    FrameRow(
      "a length in more bytes than it needs", [0x81, 0x7E, 0, 1, 0x61, 0x81, 0x7F, 0, 0, 0, 0, 0, 0, 0, 1, 0x61],
      [
        "start text 16 1", "payload 4-5 @0", "end text 16 1", "start text 64 1", "payload 15-16 @0", "end text 64 1",
      ]),
    FrameRow(
      "2^40 is one open frame, whatever stands in it",
      [0x82, 0x7F, 0, 0, 1, 0, 0, 0, 0, 0, 0x81, 0x00, 0x81, 0x00],
      ["start binary 64 1099511627776", "payload 10-14 @0", "end binary 64 4/1099511627776"]),
    FrameRow(
      "2^63 and more", [0x82, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x81],
      ["start binary 64 \(UInt64.max)", "payload 10-11 @0", "end binary 64 1/\(UInt64.max)"]),
    FrameRow(
      "2^63 with nothing behind it", [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0],
      ["start binary 64 \(UInt64(1) << 63)", "end binary 64 0/\(UInt64(1) << 63)"]),
    FrameRow(
      "a ping of 126 bytes: the first 125 are kept", [0x89, 0x7E, 0, 126] + [UInt8](repeating: 0x61, count: 126),
      ["start ping 16 126", "end ping 16 126 \"\(String(repeating: "a", count: 125))\""]),
    FrameRow(
      "a ping between fragments", [0x01, 0x01, 0x61, 0x89, 0x00, 0x80, 0x01, 0x62],
      [
        "start text more 1", "payload 2-3 @0", "end text more 1", "start ping 0", "end ping 0",
        "start continuation 1", "payload 7-8 @0", "end continuation 1",
      ]),

    // What breaks off.
    FrameRow("one byte says what it says", [0x41], ["end text more r4 header 1"]),
    FrameRow("a mask without its key", [0x89, 0x85, 0xAB, 0xCD], ["end ping key abcd0000 header 4 of 5"]),
    FrameRow("half a length", [0x82, 0xFE, 0x01], ["end binary key 0 16 header 3"]),
    FrameRow(
      "a text that breaks off", [0x81, 0x05, 0x48, 0x65], ["start text 5", "payload 2-4 @0", "end text 2/5"]),
    FrameRow("a ping that breaks off", [0x89, 0x05, 0x48, 0x65], ["start ping 5", "end ping 2/5 \"He\""]),
  ]
}
