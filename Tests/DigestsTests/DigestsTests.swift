import Digests
import Support
import Testing

struct Vector: CustomTestStringConvertible, Sendable {
  var name: String
  var message: [UInt8]
  var sha1: String
  var sha256: String

  var testDescription: String { name }

  init(_ name: String, _ message: String, sha1: String, sha256: String) {
    self.name = name
    self.message = Array(message.utf8)
    self.sha1 = sha1
    self.sha256 = sha256
  }
}

/// The examples of FIPS 180-4, and of its predecessor the message of four blocks.
private let vectors = [
  Vector(
    "abc", "abc", sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  Vector(
    "empty", "", sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  Vector(
    "two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    sha1: "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
    sha256: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
  Vector(
    "two full blocks and padding",
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
    sha1: "a49b2446a02c645bf419f995b67091253a04a259",
    sha256: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
  Vector(
    "WebSocket accept", "dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
    sha1: "b37a4f2cc0624f1690f64606cf385945b2bec4ea",
    sha256: "73ca9e0b1c01f2c24fc6449c91e2fbe9b28bedfeb8dbe298cc3891ec46cac936"),
]

private func sha1(_ bytes: [UInt8]) -> [UInt8] { SHA1.digest(of: bytes.span) }
private func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256.digest(of: bytes.span) }

@Suite struct DigestsTests {
  @Test("digests are those of the standard", arguments: vectors)
  func standard(vector: Vector) {
    #expect(sha1(vector.message).hex == vector.sha1)
    #expect(sha256(vector.message).hex == vector.sha256)
  }

  @Test("a split anywhere changes nothing", arguments: vectors)
  func splits(vector: Vector) {
    for cut in 0...vector.message.count {
      var sha1 = SHA1()
      var sha256 = SHA256()
      for part in [vector.message[..<cut], vector.message[cut...]].map(Array.init) {
        sha1.update(part.span)
        sha256.update(part.span)
      }
      #expect(sha1.finish().hex == vector.sha1)
      #expect(sha256.finish().hex == vector.sha256)
    }
  }

  @Test(
    "a million letters, in pieces of every awkward size", arguments: [1, 3, 55, 56, 63, 64, 65, 127, 129, 1_000_000])
  func million(piece: Int) {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    var sha1 = SHA1()
    var sha256 = SHA256()
    var offset = 0
    while offset < letters.count {
      let end = min(offset + piece, letters.count)
      sha1.update(letters.span.extracting(offset..<end))
      sha256.update(letters.span.extracting(offset..<end))
      offset = end
    }
    #expect(sha1.finish().hex == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    #expect(sha256.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("a block is the same whoever takes it, at any place in its span")
  func blocks() {
    var random = SplitMix64(seed: 256)
    var (here, there) = (SHA256State(), SHA256State())
    for offset in [0, 1, 7, 64, 130] {
      for _ in 0..<50 {
        let bytes = (0..<offset + 64).map { _ in UInt8.random(in: 0...255, using: &random) }
        here.compressHere(bytes.span, at: offset)
        there.compress(bytes.span, at: offset)
        #expect(here == there, "block \(bytes.hex) at \(offset)")
      }
    }
    #expect(here != SHA256State())
  }

  @Test("finishing leaves the value as it was")
  func finishing() {
    var hash = SHA256()
    hash.update(Array("a".utf8).span)
    let copy = hash
    #expect(hash.finish() == hash.finish())
    hash.update(Array("bc".utf8).span)
    #expect(hash.finish().hex == vectors[0].sha256)
    #expect(copy.finish() == sha256(Array("a".utf8)))
  }
}

@Suite struct TextsTests {
  @Test(
    "Base64 is that of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(text: String, expected: String) {
    #expect(Array(text.utf8).base64 == expected)
  }

  @Test("Base64 has the right digit for each of 64 values")
  func alphabet() {
    let bytes: [UInt8] = [
      0x00, 0x10, 0x83, 0x10, 0x51, 0x87, 0x20, 0x92, 0x8B, 0x30, 0xD3, 0x8F, 0x41, 0x14, 0x93, 0x51, 0x55, 0x97, 0x61,
      0x96, 0x9B, 0x71, 0xD7, 0x9F, 0x82, 0x18, 0xA3, 0x92, 0x59, 0xA7, 0xA2, 0x9A, 0xAB, 0xB2, 0xDB, 0xAF, 0xC3, 0x1C,
      0xB3, 0xD3, 0x5D, 0xB7, 0xE3, 0x9E, 0xBB, 0xF3, 0xDF, 0xBF,
    ]
    #expect(bytes.base64 == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  }

  @Test("hexadecimal digits of every byte")
  func hex() {
    for byte in UInt8.min...UInt8.max {
      let digits = String(byte, radix: 16)
      #expect([byte].hex == (digits.count == 1 ? "0" : "") + digits)
    }
  }

  @Test("texts are appended to what is there")
  func append() {
    var output = Array("1:".utf8)
    let bytes: [UInt8] = [0xFF, 0xAB]
    Base64.append(bytes.span.extracting(0..<1), to: &output)
    Hex.append(bytes.span.extracting(1..<2), to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "1:/w==ab")
  }

  @Test("the accept key of RFC 6455 §1.3")
  func acceptKey() {
    #expect(sha1(vectors[4].message).base64 == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }
}
