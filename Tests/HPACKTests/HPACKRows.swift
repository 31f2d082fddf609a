import HPACK
import Testing

/// Blocks of one direction, and what they say.
struct HPACKRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let blocks: [[UInt8]]
  /// For each block its fields, and `! fault value/limit` for what is wrong with it.
  let words: [[String]]
  var isMidstream = false
  /// Limits set before blocks, by their index.
  var limits: [Int: UInt32] = [:]
  /// A limit that is set behind each of them, before the same block.
  var raised: UInt32?

  init(
    _ what: String, _ blocks: [String], _ words: [[String]], isMidstream: Bool = false, limits: [Int: UInt32] = [:],
    raised: UInt32? = nil
  ) {
    testDescription = what
    self.blocks = blocks.map(bytes)
    self.words = words
    self.isMidstream = isMidstream
    self.limits = limits
    self.raised = raised
  }

  private static let requests: [[String]] = [
    [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"],
    [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com", "cache-control: no-cache"],
    [
      ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
      "custom-key: custom-value",
    ],
  ]
  private static let date1 = "date: Mon, 21 Oct 2013 20:13:21 GMT"
  private static let date2 = "date: Mon, 21 Oct 2013 20:13:22 GMT"
  private static let place = "location: https://www.example.com"
  private static let responses: [[String]] = [
    [":status: 302", "cache-control: private", date1, place],
    [":status: 307", "cache-control: private", date1, place],
    [
      ":status: 200", "cache-control: private", date2, place, "content-encoding: gzip",
      "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
    ],
  ]
  /// The examples' table of 256 bytes, set at the beginning of the first block.
  private static let small = "3fe101"

  static let all: [HPACKRow] = [
    // RFC 7541 appendix C.
    HPACKRow("C.1.1, the number 10 in five bits", ["2a"], [["! sizeUpdateTooLarge 10/9"]], limits: [0: 9]),
    HPACKRow(
      "C.1.2, the number 1337 in five bits", ["3f9a0a"], [["! sizeUpdateTooLarge 1337/1336"]], limits: [0: 1_336]),
    HPACKRow(
      "C.2.1, a literal that is inserted", ["400a637573746f6d2d6b65790d637573746f6d2d686561646572", "be"],
      [["custom-key: custom-header"], ["custom-key: custom-header"]]),
    HPACKRow(
      "C.2.2, a literal that is not", ["040c2f73616d706c652f70617468", "be"],
      [[":path: /sample/path"], ["(unknown entry 62): (unknown entry 62)", "! indexTooLarge 62/61"]]),
    HPACKRow("C.2.3, one that never is", ["100870617373776f726406736563726574"], [["password: secret"]]),
    HPACKRow("C.2.4, an index", ["82"], [[":method: GET"]]),
    HPACKRow(
      "C.3, requests",
      [
        "828684410f7777772e6578616d706c652e636f6d", "828684be58086e6f2d6361636865",
        "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
      ], requests),
    HPACKRow(
      "C.4, requests in Huffman's code",
      [
        "828684418cf1e3c2e5f23a6ba0ab90f4ff", "828684be5886a8eb10649cbf",
        "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
      ], requests),
    HPACKRow(
      "C.5, responses, with eviction",
      [
        small + "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d54"
          + "6e1768747470733a2f2f7777772e6578616d706c652e636f6d",
        "4803333037c1c0bf",
        "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b4851"
          + "4b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
      ], responses),
    HPACKRow(
      "C.6, the same in Huffman's code",
      [
        small + "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff"
          + "6e919d29ad171863c78f0b97c8e9ae82ae43d3",
        "4883640effc1c0bf",
        "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27"
          + "087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
      ], responses),

    // Sizes.
    HPACKRow("nothing", [""], [[]]),
    HPACKRow("an update to the limit itself", ["3fe11f82"], [[":method: GET"]]),
    HPACKRow("two updates", ["203fe11f82"], [[":method: GET"]]),
    HPACKRow("an update beyond the limit", ["3fe21f82"], [[":method: GET", "! sizeUpdateTooLarge 4097/4096"]]),
    HPACKRow("a limit that was raised", ["3fe23f82"], [[":method: GET"]], limits: [0: 8_193]),
    HPACKRow("an update behind a field", ["8220"], [[":method: GET", "! sizeUpdateLate 0/4096"]]),
    HPACKRow(
      "a lower limit that is passed over", ["82", "82"],
      [[":method: GET"], [":method: GET", "! sizeUpdateMissing 4096/100"]],
      limits: [1: 100]),
    HPACKRow(
      "a lower limit that is followed", ["82", "3f4582"], [[":method: GET"], [":method: GET"]], limits: [1: 100]),
    HPACKRow(
      "a lower limit that was raised again: the lowest is told first", ["82", "203fe11f82"],
      [[":method: GET"], [":method: GET"]], limits: [1: 0], raised: 4_096),
    HPACKRow(
      "a lower limit that was raised again, and the lowest is not told", ["82", "3fe11f82"],
      [[":method: GET"], [":method: GET", "! sizeUpdateMissing 4096/0"]], limits: [1: 0], raised: 4_096),
    HPACKRow(
      "an update to 0 empties the table", ["400161016220", "20be"],
      [
        ["a: b", "! sizeUpdateLate 0/4096"],
        ["(unknown entry 62): (unknown entry 62)", "! indexTooLarge 62/61"],
      ]),
    HPACKRow(
      "an entry larger than the table empties it", ["3f054001610162", "400163056363636363", "be"],
      [["a: b"], ["c: ccccc"], ["(unknown entry 62): (unknown entry 62)", "! indexTooLarge 62/61"]]),

    // What cannot be.
    HPACKRow("index 0", ["8082"], [["! indexZero 0/61"]]),
    HPACKRow(
      "an index beyond the table, and what is read behind it", ["bf82", "bf"],
      [
        ["(unknown entry 63): (unknown entry 63)", ":method: GET", "! indexTooLarge 63/61"],
        ["(unknown entry 63): (unknown entry 63)"],
      ]),
    HPACKRow(
      "the name of an entry beyond the table", ["7e0162"], [["(unknown entry 62): b", "! indexTooLarge 62/61"]]),
    HPACKRow("an integer that does not end", ["ff"], [["! truncated 0/0"]]),
    HPACKRow(
      "an integer of six octets", ["ff8080808000"],
      [["(unknown entry 127): (unknown entry 127)", "! indexTooLarge 127/61"]]),
    HPACKRow("an integer of seven octets", ["ff808080808000"], [["! integerTooLarge 127/4294967295"]]),
    HPACKRow(
      "the largest integer", ["ff80ffffff0f"],
      [["(unknown entry 4294967295): (unknown entry 4294967295)", "! indexTooLarge 4294967295/61"]]),
    HPACKRow("one more", ["ff81ffffff0f"], [["! integerTooLarge 4294967296/4294967295"]]),
    HPACKRow("an integer far beyond 32 bits", ["ffffffffff7f"], [["! integerTooLarge 34359738494/4294967295"]]),
    HPACKRow("a string beyond the block", ["000361"], [["! truncated 3/1"]]),
    HPACKRow("a literal without value", ["000161"], [["! truncated 0/0"]]),
    HPACKRow("the end's symbol in a string", ["0085fffffffffc00"], [["! huffmanEnd 0/0"]]),
    HPACKRow("a whole byte of padding", ["0082ffff00"], [["! huffmanPadding 0/0"]]),
    HPACKRow("padding of zeros", ["00811800"], [["! huffmanPadding 0/0"]]),

    // The middle of a connection.
    HPACKRow(
      "entries nobody saw", ["82be", "4001610162c0", "be3fe11f"],
      [
        [":method: GET", "(unknown entry 62): (unknown entry 62)"],
        ["a: b", "(unknown entry 64): (unknown entry 64)"], ["a: b", "! sizeUpdateLate 4096/0"],
      ], isMidstream: true),
    HPACKRow(
      "a literal with a name nobody saw", ["7e0178", "be"], [["(unknown entry 62): x"], ["(unknown entry 62): x"]],
      isMidstream: true),
    HPACKRow(
      "known once the size was 0", ["203fe11f4001610162", "bf"],
      [["a: b"], ["(unknown entry 63): (unknown entry 63)", "! indexTooLarge 63/62"]], isMidstream: true),
  ]
}

/// Of hexadecimal digits.
func bytes(_ digits: String) -> [UInt8] {
  let digits = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension HPACKSection {
  var lines: [String] {
    fields.map { field in
      String(decoding: bytes[field.name], as: UTF8.self) + ": " + String(decoding: bytes[field.value], as: UTF8.self)
    }
  }

  var words: [String] { lines + faults.map { "! \($0.kind) \($0.value)/\($0.limit)" } }
}
