import Testing

/// A stream, and what is reported of it.
struct RecordRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let words: [String]

  init(_ what: String, _ bytes: [UInt8], _ words: [String]) {
    testDescription = what
    self.bytes = bytes
    self.words = words
  }

  static let sslv2Hello: [UInt8] =
    [0x80, 9 + 6 + 16, 1, 3, 1, 0, 6, 0, 0, 0, 16, 0, 0, 0x2F, 7, 0, 0xC0] + Array(1...16)

  static let all: [RecordRow] = [
    RecordRow("nothing", [], []),
    RecordRow(
      "an alert", Wire.record(21, [2, 40]), ["start alert 2", "end alert 2 kept"]),
    RecordRow(
      "a client's side", Wire.client,
      [
        "start handshake TLS 1.0 \(Wire.client.count - 68)", "end handshake TLS 1.0 \(Wire.client.count - 68) kept",
        "start change_cipher_spec 1", "end change_cipher_spec 1 kept", "start application_data 40",
        "end application_data 40", "start application_data 0", "end application_data 0", "start alert 2",
        "end alert 2 kept",
      ]),
    RecordRow(
      "a version that falls, one that rises twice, and those that no record has",
      Wire.record(23, [1], version: 0x0302) + Wire.record(23, [1], version: 0x0301)
        + Wire.record(23, [1], version: 0x0303) + Wire.record(23, [1], version: 0x0304)
        + Wire.record(23, [1], version: 0x0505),
      [
        "start application_data TLS 1.1 1", "end application_data TLS 1.1 1",
        "start application_data TLS 1.0 changed 1", "end application_data TLS 1.0 changed 1",
        "start application_data changed 1", "end application_data changed 1",
        "start application_data TLS 1.3 unknown changed 1", "end application_data TLS 1.3 unknown changed 1",
        "start application_data version 0x0505 unknown changed 1",
        "end application_data version 0x0505 unknown changed 1",
      ]),
    RecordRow(
      "empty ones that may not be", Wire.record(22, []) + Wire.record(21, []) + Wire.record(20, []),
      [
        "start handshake empty 0", "end handshake empty 0", "start alert empty 0", "end alert empty 0",
        "start change_cipher_spec empty 0", "end change_cipher_spec empty 0",
      ]),
    RecordRow(
      "a long change_cipher_spec and a heartbeat", Wire.record(20, [1, 1]) + Wire.record(24, [1, 2, 3]),
      [
        "start change_cipher_spec long 2", "end change_cipher_spec long 2 kept", "start heartbeat 3",
        "end heartbeat 3",
      ]),
    RecordRow(
      "a record that breaks off", Wire.record(22, [1, 2, 3]).dropLast(), ["start handshake 3", "end handshake 2/3"]),
    RecordRow("a header that breaks off", [23, 3, 3, 0], ["end application_data header 4"]),
    RecordRow("a header of two bytes", [22, 3], ["end handshake version 0x0000 header 2"]),
    RecordRow(
      "a hello in the form of SSL 2.0, and a record", sslv2Hello + Wire.record(22, [1, 2]),
      ["start handshake v2 31", "end handshake v2 31 kept", "start handshake 2", "end handshake 2 kept"]),
    RecordRow("HTTP", Array("GET / HTTP/1.1\r\n\r\n".utf8), ["opaque notTLS 0-18 \"GET / HTTP/1.1....\""]),
    RecordRow("one byte of something else", [0x47], ["opaque notTLS 0-1 \"G\""]),
    RecordRow(
      "a long run of something else", Array(repeating: 0x41, count: 100),
      ["opaque notTLS 0-32 \"\(String(repeating: "A", count: 32))\""]),
    RecordRow(
      "something else behind a record", Wire.record(21, [1, 0]) + Array("HTTP/1.1 400 Bad Request\r\n".utf8),
      ["start alert 2", "end alert 2 kept", "opaque notTLS 7-33 \"HTTP/1.1 400 Bad Request..\""]),
    RecordRow("a version that is none, first", [22, 9, 9, 0, 1, 1], ["opaque notTLS 0-6 \"......\""]),
    RecordRow(
      "a length beyond the limit", Wire.record(21, [1, 0]) + [23, 3, 3, 0x48, 1] + [7, 7],
      ["start alert 2", "end alert 2 kept", "opaque tooLong 7-14 \"...H...\""]),
    RecordRow(
      "the greatest length", [23, 3, 3, 0x48, 0, 7], ["start application_data 18432", "end application_data 1/18432"]),
  ]
}
