import Support
import TLS
import Testing

@Suite("Whether first bytes are TLS")
struct TLSProbeTests {
  private func look(_ bytes: [UInt8]) -> TLSProbe.Answer { TLSProbe.look(at: bytes.span) }

  @Test("What begins a direction of TLS.")
  func yes() {
    #expect(look(Wire.client) == .yes(.clientHello))
    #expect(look(Wire.message(2, Wire.serverHello())) == .yes(.serverHello))
    #expect(look(Wire.record(21, [2, 40])) == .yes(.alert))
    #expect(look(Wire.record(23, [1, 2, 3])) == .yes(.middle))
    #expect(look(Wire.record(20, [1])) == .yes(.middle))
    #expect(look(Wire.record(22, [0xAB, 0xCD])) == .yes(.middle))
    #expect(look(Wire.record(22, [])) == .yes(.middle))
    #expect(look(RecordRow.sslv2Hello) == .yes(.clientHello))
  }

  @Test("What begins something else.")
  func no() {
    let texts = ["GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n", "SSH-2.0-x\r\n", "220 mail ESMTP\r\n", "\u{16}\u{4}"]
    for text in texts { #expect(look(Array(text.utf8)) == .no) }
    let bytes: [[UInt8]] = [
      [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], [0x82, 0x7E, 0x01, 0x00, 3, 1, 0, 6], [22, 3, 9], [22, 3, 1, 0xFF],
      [20, 3, 3, 0, 0], [20, 3, 3, 0, 1, 2], [21, 3, 3, 0, 2, 7], [23, 3, 3, 0x48, 1], [24, 3, 3, 0, 9], [0, 0, 0, 0],
      [0x80, 31, 1, 3, 1, 0xFF, 0xFF], [0x80, 31, 1, 0, 3, 0, 6], [0xFF, 0xFF, 1, 3, 1, 0xFF, 0xFD],
      // A hello in the form of SSL 2.0 that would be longer than a record.
      [0xDA, 0x2E, 1, 3, 0, 0x4E, 0x21],
    ]
    for one in bytes { #expect(look(one) == .no) }
  }

  @Test("More bytes never take a verdict back, and few are enough.")
  func prefixes() {
    var random = SplitMix64(seed: 61)
    var streams = RecordRow.all.map(\.bytes)
    streams += (0..<2_000).map { _ in Wire.random(&random) }
    streams += (0..<20_000).map { _ in
      [[20, 21, 22, 23, 0x80].randomElement(using: &random) ?? 0] + random.bytes(7)
    }
    for bytes in streams {
      var before = TLSProbe.Answer.unsure
      for count in 0...min(bytes.count, 12) {
        let answer = look(Array(bytes.prefix(count)))
        #expect(before == .unsure || answer == before)
        #expect(answer != .unsure || count < TLSProbe.limit)
        before = answer
      }
    }
  }
}
