import Testing

@testable import Reports

@Suite struct EscapedTextTests {
  @Test(
    "what prints is kept and what steers is shown",
    arguments: [
      ("", ""), ("GET / HTTP/1.1", "GET / HTTP/1.1"), ("a\r\n\tb", "a\\r\\n\\tb"), ("\u{1B}[2J", "\\x1B[2J"),
      ("\0\u{7F}", "\\x00\\x7F"), ("Grüße 漢字 🎉", "Grüße 漢字 🎉"), ("a\u{202E}b", "a\\u{202E}b"),
      ("\u{9B}1m", "\\u{9B}1m"), ("\u{FEFF}x\u{200B}", "\\u{FEFF}x\\u{200B}"), ("\u{2028}", "\\u{2028}"),
      ("\u{E0041}", "\\u{E0041}"), ("❤\u{FE0F}", "❤\\u{FE0F}"), ("\u{10FFF1}", "\\u{10FFF1}"), ("\\n \\", "\\n \\"),
    ])
  func strings(text: String, expected: String) {
    #expect(EscapedText.text(text) == expected)
    var output = Array("> ".utf8)
    EscapedText.append(text, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == "> " + expected)
  }

  @Test(
    "bytes that are not UTF-8 are shown one by one",
    arguments: [
      ([0x61, 0xFF, 0x62], "a\\xFFb"), ([0xC3], "\\xC3"), ([0xE2, 0x82], "\\xE2\\x82"), ([0xE2, 0x82, 0xAC], "€"),
      ([0xC0, 0x80], "\\xC0\\x80"), ([0xE0, 0x80, 0x80], "\\xE0\\x80\\x80"), ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
      ([0xF4, 0x90, 0x80, 0x80], "\\xF4\\x90\\x80\\x80"), ([0xF0, 0x9F, 0x8E, 0x89], "🎉"), ([0x9B, 0x31], "\\x9B1"),
      ([0xC3, 0x1B], "\\xC3\\x1B"),
    ] as [([UInt8], String)])
  func bytes(bytes: [UInt8], expected: String) {
    let text = EscapedText.text(bytes.span)
    #expect(text == expected)
  }

  @Test("UTF-8 is distinguished from other bytes as the standard library does", arguments: 0..<20)
  func validity(seed: UInt64) {
    for bytes in untrustedSamples(seed: seed) {
      let isUTF8 = Scalars.isUTF8(bytes.span)
      #expect(isUTF8 == (String(validating: bytes, as: UTF8.self) != nil))
    }
  }

  @Test("nothing that steers or hides gets through, and a second pass changes nothing", arguments: 0..<20)
  func noise(seed: UInt64) {
    for bytes in untrustedSamples(seed: seed) {
      let text = EscapedText.text(bytes.span)
      #expect(!text.unicodeScalars.contains(where: isForbidden))
      #expect(EscapedText.text(text) == text)
    }
  }

  @Test("exactly the hidden characters are escaped")
  func everyScalar() {
    for value in UInt32(0)...0x10_FFFF {
      // Hidden characters live in three planes; of the others, which are large, a part will do.
      guard [0x0, 0x1, 0xE].contains(value >> 16) || value % 61 == 0 else { continue }
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let escaped = EscapedText.text(text)
      let isEscaped = escaped.utf8.first == UInt8(ascii: "\\") && scalar != "\\"
      if !isEscaped, escaped.unicodeScalars.elementsEqual(text.unicodeScalars) {
        if isForbidden(scalar) { Issue.record("U+\(String(value, radix: 16)) gets through") }
      } else if !isEscaped || !escaped.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) || !mayBeHidden(scalar) {
        Issue.record("U+\(String(value, radix: 16)) became \(escaped)")
      }
    }
  }

  private func mayBeHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.isDefaultIgnorableCodePoint
      || 0x2028...0x2029 ~= scalar.value || 0xFFF9...0xFFFB ~= scalar.value
      || 0x10_FFF0...0x10_FFFF ~= scalar.value
  }

  @Test(
    "digits come in groups, of which the last size repeats",
    arguments: [
      ([1, 1, 4], "89 82 37fa213d 0a"), ([1], "89 82 37 fa 21 3d 0a"), ([], "89 82 37 fa 21 3d 0a"),
      ([2], "8982 37fa 213d 0a"), ([3, 2], "898237 fa21 3d0a"), ([0], "89 82 37 fa 21 3d 0a"),
      ([.max], "898237fa213d0a"), ([.min, 6], "89 8237fa213d0a"),
    ])
  func hex(groups: [Int], expected: String) {
    let bytes: [UInt8] = [0x89, 0x82, 0x37, 0xFA, 0x21, 0x3D, 0x0A]
    let text = EscapedText.hex(bytes.span, groups: groups)
    #expect(text == expected)
    let nothing = EscapedText.hex(bytes.span.extracting(0..<0), groups: groups)
    #expect(nothing.isEmpty)
  }
}
