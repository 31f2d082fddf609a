import Citation

/// What one line of a key log says.
enum KeyLogLine {
  /// Nothing, or a comment.
  case blank
  case secret(KeyLabel, HelloRandom, SecretBytes)
  case ignored
  case unsupported
  case malformed

  /// Reads the bytes of `range`, which has no LF in it.
  init(_ text: Span<UInt8>, _ range: Range<Int>) {
    var rest = KeyLogLine.trimmed(text, range)
    guard let first = rest.first.map({ text[$0] }), first != UInt8(ascii: "#") else {
      self = .blank
      return
    }
    self = .malformed
    guard rest.count <= KeyLog.lineLimit else { return }
    let name = KeyLogLine.word(text, &rest)
    guard let label = Label(text.extracting(name)) else { return }
    if label == .unsupported {
      self = .unsupported
      return
    }
    let random = KeyLogLine.word(text, &rest)
    let secret = KeyLogLine.word(text, &rest)
    guard rest.isEmpty, KeyLogLine.isHex(text, random), KeyLogLine.isHex(text, secret) else { return }
    guard case .known(let known) = label else {
      self = .ignored
      return
    }
    guard random.count == 2 * HelloRandom.byteCount, known.byteCounts.contains(secret.count / 2) else { return }
    let bytes = (0..<HelloRandom.byteCount).map { KeyLogLine.byte(text, random.lowerBound + 2 * $0) }
    guard let hello = HelloRandom(bytes.span) else { return }
    let content = text.extracting(secret)
    self = .secret(
      known, hello,
      SecretBytes(count: secret.count / 2) { memory in
        for index in memory.indices { memory[index] = KeyLogLine.byte(content, 2 * index) }
      })
  }

  private enum Label: Equatable {
    case known(KeyLabel)
    case unsupported
    /// In capitals, as all are, but not one that says how records are opened.
    case other

    init?(_ bytes: Span<UInt8>) {
      // RSA lines name a session or a part of the encrypted secret instead of a random.
      for index in bytes.indices {
        guard 0x41...0x5A ~= bytes[index] || 0x30...0x39 ~= bytes[index] || bytes[index] == 0x5F else { return nil }
      }
      switch String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) {
      case "": return nil
      case "CLIENT_RANDOM": self = .known(.masterSecret)
      case "CLIENT_EARLY_TRAFFIC_SECRET": self = .known(.clientEarlyTraffic)
      case "CLIENT_HANDSHAKE_TRAFFIC_SECRET": self = .known(.clientHandshakeTraffic)
      case "SERVER_HANDSHAKE_TRAFFIC_SECRET": self = .known(.serverHandshakeTraffic)
      case "CLIENT_TRAFFIC_SECRET_0": self = .known(.clientTraffic)
      case "SERVER_TRAFFIC_SECRET_0": self = .known(.serverTraffic)
      case "RSA", "PMS_CLIENT_RANDOM": self = .unsupported
      default: self = .other
      }
    }
  }
}

extension KeyLogLine {
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isBlank(text[start]) { start += 1 }
    while start < end, isBlank(text[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Takes the first word of `rest` and the blanks behind it.
  private static func word(_ text: Span<UInt8>, _ rest: inout Range<Int>) -> Range<Int> {
    var end = rest.lowerBound
    while end < rest.upperBound, !isBlank(text[end]) { end += 1 }
    let word = rest.lowerBound..<end
    while end < rest.upperBound, isBlank(text[end]) { end += 1 }
    rest = end..<rest.upperBound
    return word
  }

  private static func isHex(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    !range.isEmpty && range.count % 2 == 0 && range.allSatisfy { digit(text[$0]) != nil }
  }

  private static func byte(_ text: Span<UInt8>, _ offset: Int) -> UInt8 {
    (digit(text[offset]) ?? 0) << 4 | (digit(text[offset + 1]) ?? 0)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x41 + 10
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }
}
