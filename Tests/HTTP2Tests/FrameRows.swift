import HTTP2
import Testing

/// A direction's bytes, and what is reported of them.
struct FrameRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let start: HTTP2Parser.Start
  let bytes: [UInt8]
  let words: [String]

  init(_ what: String, _ bytes: [UInt8], _ words: [String], from start: HTTP2Parser.Start = .frame) {
    testDescription = what
    self.start = start
    self.bytes = bytes
    self.words = words
  }

  private static let long = [UInt8](repeating: 7, count: 16_385)

  static let all: [FrameRow] = [
    // Beginnings.
    FrameRow("nothing", [], []),
    FrameRow(
      "a client's first bytes", HTTP2Probe.preface + frame(4), ["preface 0-24", "SETTINGS 0"], from: .preface),
    FrameRow("another beginning", text("PRI * HTTP/1.1"), ["! prefaceMissing 0/0", "opaque 0"], from: .preface),
    FrameRow("a beginning that is cut", text("PRI * HT"), ["! prefaceMissing 0/0"], from: .preface),
    FrameRow("a server's first frame", frame(4), ["SETTINGS 0"], from: .settings),
    FrameRow("a server's first frame, in a capture that may lack it", frame(4), ["SETTINGS 0"], from: .lateSettings),
    FrameRow(
      "an acknowledgement, before which others are missing", frame(4, 1) + frame(4),
      ["lost 0-0", "SETTINGS 0 ack", "SETTINGS 0"], from: .lateSettings),
    FrameRow(
      "a continuation of what is missing", frame(9, 4, 1, [0x82]), ["lost 0-0", "CONTINUATION 1"], from: .lateSettings),
    FrameRow("the rest of a frame that is missing", text("nothing like a frame"), ["lost 0-9"], from: .lateSettings),
    FrameRow(
      "a server that begins with something else", frame(6, 0, 0, [0, 0, 0, 0, 0, 0, 0, 1]) + frame(4),
      ["! prefaceMissing 0/0", "PING 0 1", "SETTINGS 0"], from: .settings),
    FrameRow(
      "a server that answers in HTTP/1", text("HTTP/1.1 400 Bad Request\r\n\r\n"),
      ["! prefaceMissing 0/0", "opaque 0"], from: .settings),

    // Each type.
    FrameRow("data", frame(0, 0, 1, text("hello")), ["body 1 9-14", "DATA 1 5"]),
    FrameRow("the last data", frame(0, 1, 1, text("hello")), ["body 1 9-14", "DATA 1 end 5"]),
    FrameRow("data without data", frame(0, 1, 1), ["DATA 1 end 0"]),
    FrameRow(
      "padded data", frame(0, 9, 1, [3] + text("hello") + [0, 0, 0]), ["body 1 10-15", "DATA 1 end 5+4"]),
    FrameRow("a block", frame(1, 5, 1, [0x82]), ["HEADERS 1 end", "block 1 end 1"]),
    FrameRow(
      "a block with priority and padding", frame(1, 0x2C, 1, [2, 0, 0, 0, 3, 15, 0x82, 0x86, 0, 0]),
      ["HEADERS 1", "block 1 2"]),
    FrameRow(
      "a block in three frames", frame(1, 1, 1, [0x82]) + frame(9, 0, 1, [0x86]) + frame(9, 4, 1, [0x84, 0x41]),
      ["HEADERS 1 end", "CONTINUATION 1", "CONTINUATION 1", "block 1 end 4"]),
    FrameRow("a priority", frame(2, 0, 5, [0x80, 0, 0, 3, 7]), ["PRIORITY 5 on 3"]),
    FrameRow("a reset", frame(3, 0, 5, [0, 0, 0, 8]), ["RST_STREAM 5 CANCEL"]),
    FrameRow("a reset with a code nobody knows", frame(3, 0, 5, [0, 1, 0, 0]), ["RST_STREAM 5 code 65536"]),
    FrameRow(
      "settings", frame(4, 0, 0, [0, 3, 0, 0, 0, 100, 0, 4, 0, 1, 0, 0, 0, 99, 0, 0, 0, 1]),
      ["SETTINGS 0 MAX_CONCURRENT_STREAMS=100 INITIAL_WINDOW_SIZE=65536 setting 99=1"]),
    FrameRow("an acknowledgement of settings", frame(4, 1), ["SETTINGS 0 ack"]),
    FrameRow(
      "a promise", frame(5, 4, 1, [0, 0, 0, 2, 0x82]), ["PUSH_PROMISE 1 promises 2", "block 1 promises 2 1"]),
    FrameRow(
      "a padded promise", frame(5, 0xC, 1, [1, 0, 0, 0, 2, 0x82, 0]),
      ["PUSH_PROMISE 1 promises 2", "block 1 promises 2 1"]),
    FrameRow("a ping", frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]), ["PING 0 102030405060708"]),
    FrameRow("its answer", frame(6, 1, 0, [1, 2, 3, 4, 5, 6, 7, 8]), ["PING 0 ack 102030405060708"]),
    FrameRow(
      "a farewell", frame(7, 0, 0, [0, 0, 0, 9, 0, 0, 0, 11] + text("calm")),
      ["GOAWAY 0 9 ENHANCE_YOUR_CALM 4 \"calm\""]),
    FrameRow(
      "a long farewell", frame(7, 0, 0, [0, 0, 0, 9, 0, 0, 0, 0] + [UInt8](repeating: 0x61, count: 100)),
      ["GOAWAY 0 9 NO_ERROR 100 \"\(String(repeating: "a", count: 64))\""]),
    FrameRow("credit", frame(8, 0, 3, [0, 0, 1, 0]), ["WINDOW_UPDATE 3 +256"]),
    FrameRow("types that others added", frame(0x10, 0, 0, [0, 0, 0, 1, 0x75]) + frame(0xC), ["type16 0", "type12 0"]),
    FrameRow("a type nobody knows", frame(0x55, 7, 3, [1, 2]), ["! typeUnknown 85/0", "type85 3"]),

    // What cannot be.
    FrameRow(
      "data beyond the limit", frame(0, 0, 1, long),
      ["! frameTooLarge 16385/16384", "body 1 9-16394", "DATA 1 16385"]),
    FrameRow("a short reset", frame(3, 0, 1, [0, 0, 1]), ["! frameSize 3/0", "RST_STREAM 1 malformed 3"]),
    FrameRow("a long ping", frame(6, 0, 0, text("nine byte")), ["! frameSize 9/0", "PING 0 malformed 9"]),
    FrameRow("settings and a half", frame(4, 0, 0, [0, 1, 0]), ["! frameSize 3/0", "SETTINGS 0 malformed 3"]),
    FrameRow(
      "an acknowledgement with settings", frame(4, 1, 0, [0, 1, 0, 0, 0, 1]),
      ["! settingsAckPayload 0/0", "SETTINGS 0 ack HEADER_TABLE_SIZE=1"]),
    FrameRow("data of the connection", frame(0, 0, 0, [1]), ["! frameStream 0/0", "body 0 9-10", "DATA 0 1"]),
    FrameRow("settings of a stream", frame(4, 0, 1), ["! frameStream 0/0", "SETTINGS 1"]),
    FrameRow("no credit", frame(8, 0, 1, [0, 0, 0, 0]), ["! windowUpdateZero 0/0", "WINDOW_UPDATE 1 +0"]),
    FrameRow(
      "nothing but padding, and more", frame(0, 8, 1, [5, 0, 0]), ["! paddingInvalid 5/3", "DATA 1 0+3"]),
    FrameRow("a pad length that is not there", frame(0, 8, 1), ["! frameSize 0/0", "DATA 1 malformed 0"]),
    FrameRow(
      "a continuation of nothing", frame(4) + frame(9, 4, 1, [0x82]),
      ["SETTINGS 0", "! continuationUnexpected 0/0", "CONTINUATION 1"]),
    FrameRow(
      "continuations of what was not captured", frame(9, 0, 1, [0x82]) + frame(9, 4, 1, [0x82]),
      ["CONTINUATION 1", "CONTINUATION 1"]),
    FrameRow(
      "a continuation of another stream", frame(1, 0, 1, [0x82]) + frame(9, 4, 3, [0x82]),
      ["HEADERS 1", "! continuationUnexpected 0/0", "block 1 1 cut", "CONTINUATION 3"]),
    FrameRow(
      "another frame inside a block", frame(1, 0, 1, [0x82]) + frame(1, 4, 3, [0x82]),
      ["HEADERS 1", "! blockInterrupted 0/0", "block 1 1 cut", "HEADERS 3", "block 3 1"]),
    FrameRow("a block without end", frame(1, 0, 1, [0x82]), ["HEADERS 1", "block 1 1 cut"]),
    FrameRow("a frame without end", Array(frame(0, 0, 1, text("hello")).dropLast(2)), ["body 1 9-12"]),
    FrameRow(
      "a block in too many frames",
      frame(1, 0, 1) + Array((1...16).map { _ in frame(9, 0, 1, [0x82]) }.joined()) + frame(9, 4, 1),
      ["HEADERS 1"] + Array(repeating: "CONTINUATION 1", count: 15)
        + ["! continuationFlood 16/16", "CONTINUATION 1", "CONTINUATION 1", "block 1 15 cut"]),
    FrameRow(
      "a block that is too long",
      frame(1, 0, 1, Array(long.dropLast()))
        + Array((1...3).map { _ in frame(9, 0, 1, Array(long.dropLast())) }.joined())
        + frame(9, 4, 1, [1]),
      ["HEADERS 1"] + Array(repeating: "CONTINUATION 1", count: 3)
        + ["! continuationFlood 4/16", "CONTINUATION 1", "block 1 65536 cut"]),
  ]
}
