/// Where secrets stand in text of the wire: values behind names of secrets, users in addresses, credentials behind their
/// scheme, tokens by their form; as they are and percent-encoded, up to twice. Where it is in doubt a secret.
///
/// One pass in linear time, and nothing is allocated where no secret is.
package struct SecretScan {
  package enum Text: Sendable {
    /// Lines of a head, each with its name; one that begins with a blank goes on with the one before.
    case lines
    /// The value of a field, or an address.
    case value
    /// Words about the traffic that quote some of it.
    case sentence
  }

  /// In order; none overlap.
  private(set) var ranges: [Range<Int>] = []

  package static func secrets(in bytes: Span<UInt8>, as text: Text) -> [Range<Int>] {
    guard mayHold(bytes, as: text) else { return [] }
    var scan = SecretScan()
    scan.read(bytes, text)
    scan.readDecoded(bytes, text)
    return scan.ranges
  }

  /// False for nearly all that is printed: no character at which a secret is found.
  private static func mayHold(_ bytes: Span<UInt8>, as text: Text) -> Bool {
    if text == .lines { return true }
    var isInside = false
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: ":"): return true
      default:
        let isWord = byte.isDigit || byte.lowercased &- 0x61 < 26
        if isWord, !isInside, isScheme(bytes, index) || SecretTokens.begins(bytes, at: index) { return true }
        isInside = isWord
      }
    }
    return false
  }

  private mutating func read(_ bytes: Span<UInt8>, _ text: Text) {
    guard text == .lines else { return readWords(bytes, 0..<bytes.count, text) }
    var start = 0
    var isSecret = false
    // A carriage return alone ends a line for some readers, and is a part of the value for others.
    var isSplit = false
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != .lineFeed, bytes[end] != .carriageReturn { end += 1 }
      if end > start {
        if isSecret, isSplit { add(start..<end) } else { isSecret = readLine(bytes, start..<end, after: isSecret) }
      }
      isSplit = end + 1 < bytes.count && bytes[end] == .carriageReturn && bytes[end + 1] != .lineFeed
      start = end + 1
    }
  }

  /// Again, as a reader that decodes percent signs sees it: once, and twice.
  private mutating func readDecoded(_ bytes: Span<UInt8>, _ text: Text) {
    guard Self.hasPercent(bytes) else { return }
    var known = PercentCoding.decoded(bytes)
    for _ in 0..<2 {
      var inner = SecretScan()
      inner.read(known.bytes.span, text)
      for range in inner.ranges { add(known.places[range.lowerBound]..<known.places[range.upperBound]) }
      guard Self.hasPercent(known.bytes.span) else { break }
      let next = PercentCoding.decoded(known.bytes.span)
      known = PercentCoding.Decoded(bytes: next.bytes, places: next.places.map { known.places[$0] })
    }
    merge()
  }

  private static func hasPercent(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") { return true }
    return false
  }

  private mutating func add(_ range: Range<Int>) {
    if !range.isEmpty { ranges.append(range) }
  }

  private mutating func merge() {
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var merged: [Range<Int>] = []
    for range in ranges {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  // MARK: Lines of a head

  /// Whether the line is of a field whose value is a secret, as those are that continue it.
  private mutating func readLine(_ bytes: Span<UInt8>, _ line: Range<Int>, after isSecret: Bool) -> Bool {
    if isSecret, bytes[line.lowerBound].isBlank {
      var start = line.lowerBound
      while start < line.upperBound, bytes[start].isBlank { start += 1 }
      add(start..<line.upperBound)
      return true
    }
    if let start = Self.secretValue(bytes, line) {
      add(start..<line.upperBound)
      return true
    }
    if !Self.isHandshake(bytes, line) { readWords(bytes, line, .lines) }
    return false
  }

  /// The two values of WebSocket's handshake look like keys and open nothing: each is used once, and the other proves it.
  private static func isHandshake(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
    guard let colon = line.first(where: { bytes[$0] == .colon }) else { return false }
    let name = line.lowerBound..<colon
    return matches(bytes, name, "sec-websocket-key") || matches(bytes, name, "sec-websocket-accept")
  }

  /// Where the value of a line begins that is a secret by the name before it: before its colon, or, as some read it, before
  /// the first thing that cannot stand in a name.
  package static func secretValue(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int? {
    var start = line.lowerBound
    while start < line.upperBound, !isWordByte(bytes[start]) { start += 1 }
    var end = start
    while end < line.upperBound, isWordByte(bytes[end]) { end += 1 }
    var colon = end
    while colon < line.upperBound, bytes[colon] != .colon, bytes[colon] != UInt8(ascii: "=") { colon += 1 }
    if colon < line.upperBound, bytes[colon] == .colon, !hasBlank(bytes, start..<colon),
      SecretNames.isField(bytes, start..<colon)
    {
      end = colon
    } else if !SecretNames.isField(bytes, start..<end), !isLogin(bytes, start..<end) {
      return nil
    }
    while end < line.upperBound, bytes[end].isBlank || bytes[end] == .colon || bytes[end] == UInt8(ascii: "=") {
      end += 1
    }
    return end
  }

  /// Words by which protocols that are lines of text begin a secret.
  private static func isLogin(_ bytes: Span<UInt8>, _ word: Range<Int>) -> Bool {
    matches(bytes, word, "pass") || matches(bytes, word, "auth") || matches(bytes, word, "login")
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte.isDigit || byte.lowercased &- 0x61 < 26
  }

  private static func hasBlank(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for index in range where bytes[index].isBlank && index + 1 < range.upperBound && !bytes[index + 1].isBlank {
      return true
    }
    return false
  }

  // MARK: Words

  /// What is known of the word that is read.
  private struct Word {
    var start: Int
    /// Behind `//`, where a user may stand.
    var authority: Int?
    var hasSlash = false
    var hasQuery = false
    /// A colon in the authority with something else than a port behind it.
    var hasUser = false
    /// Behind the value that was last looked at: its own equals signs begin no other.
    var judged = 0
  }

  private mutating func readWords(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: Text) {
    var word = Word(start: range.lowerBound)
    var isInside = false
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      switch byte {
      case .space, .horizontalTab, .lineFeed, .carriageReturn, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
        word = Word(start: index + 1)
      case UInt8(ascii: "/"), UInt8(ascii: "\\"):
        let isBehind = index > word.start && (bytes[index - 1] == byte || bytes[index - 1] == .colon)
        if isBehind, !word.hasQuery {
          word.authority = index + 1
          word.hasUser = false
        } else {
          word.hasSlash = true
        }
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"):
        word.hasQuery = true
      case UInt8(ascii: "="), .colon:
        if byte == .colon, index + 1 < range.upperBound, !bytes[index + 1].isDigit { word.hasUser = true }
        if let value = secretBehind(bytes, index, range, text, &word) {
          add(value)
          index = max(index, value.upperBound - 1)
          isInside = false
        }
      case UInt8(ascii: "@"):
        if let user = user(bytes, index, word) {
          while let last = ranges.last, last.upperBound > user.lowerBound, last.lowerBound >= user.lowerBound {
            ranges.removeLast()
          }
          add(user)
        }
      default: break
      }
      let isWord = index < range.upperBound && (bytes[index].isDigit || bytes[index].lowercased &- 0x61 < 26)
      if isWord, !isInside {
        if SecretTokens.begins(bytes, at: index) {
          let end = min(range.upperBound, SecretTokens.end(bytes, from: index))
          if end - index >= SecretTokens.least {
            add(index..<end)
            index = end - 1
          }
        } else if text != .sentence, Self.isScheme(bytes, index), let value = credentials(bytes, index, range) {
          add(value)
          index = value.upperBound - 1
        }
      }
      isInside = isWord
      index += 1
    }
  }

  /// What stands behind a name and `=` or `:`.
  private func secretBehind(
    _ bytes: Span<UInt8>, _ sign: Int, _ range: Range<Int>, _ text: Text, _ word: inout Word
  ) -> Range<Int>? {
    let isColon = bytes[sign] == .colon
    var nameEnd = sign
    let lowest = max(range.lowerBound, sign - 160)
    // A blank before the sign, and quotes around the name, are what a reader forgives.
    while nameEnd > lowest, text != .sentence && bytes[nameEnd - 1].isBlank || Self.isQuote(bytes[nameEnd - 1]) {
      nameEnd -= 1
    }
    var name = nameEnd
    while name > lowest, Self.isNameByte(bytes[name - 1]) { name -= 1 }
    guard name < nameEnd else { return nil }
    var start = sign + 1
    while start < range.upperBound, bytes[start] == UInt8(ascii: "=") { start += 1 }
    guard start < range.upperBound else { return nil }
    let isField = isColon && SecretNames.isField(bytes, name..<nameEnd)
    guard isField || SecretNames.isParameter(bytes, name..<nameEnd) else {
      guard !isColon, word.hasQuery, start >= word.judged else { return nil }
      word.judged = valueEnd(bytes, start, range, word)
      return SecretTokens.isLikeOne(bytes, start..<word.judged) ? start..<word.judged : nil
    }
    if isColon {
      // A scheme, a port, and what a sentence goes on with.
      if bytes[start] == UInt8(ascii: "/") || isPort(bytes, start, range) { return nil }
      if text == .sentence, bytes[start].isBlank { return nil }
    }
    if text != .sentence || isColon { while start < range.upperBound, bytes[start].isBlank { start += 1 } }
    guard start < range.upperBound, !Self.isHidden(bytes, start) else { return nil }
    if isField, text != .sentence { return start..<range.upperBound }
    return start..<valueEnd(bytes, start, range, word)
  }

  private func valueEnd(_ bytes: Span<UInt8>, _ start: Int, _ range: Range<Int>, _ word: Word) -> Int {
    let isQuoted = bytes[start] == UInt8(ascii: "\"")
    var end = isQuoted ? start + 1 : start
    while end < range.upperBound {
      let byte = bytes[end]
      if isQuoted {
        if byte == UInt8(ascii: "\"") { break }
      } else if byte.isBlank || byte == UInt8(ascii: "\"") || byte == .lineFeed || byte == .carriageReturn {
        break
      } else if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ">") {
        break
      } else if !word.hasQuery, [UInt8(ascii: ";"), UInt8(ascii: "/"), UInt8(ascii: "?")].contains(byte) {
        break
      }
      end += 1
    }
    return end
  }

  private func isPort(_ bytes: Span<UInt8>, _ start: Int, _ range: Range<Int>) -> Bool {
    var end = start
    while end < range.upperBound, bytes[end].isDigit { end += 1 }
    return end > start && end - start <= 5
      && (end == range.upperBound || !SecretTokens.isPart(bytes[end]) || bytes[end] == UInt8(ascii: "."))
  }

  /// The user before an `@`, where what stands there can be one.
  private func user(_ bytes: Span<UInt8>, _ at: Int, _ word: Word) -> Range<Int>? {
    let start = word.authority ?? word.start
    guard start < at, !Self.isHidden(bytes, start) else { return nil }
    if word.hasQuery { return nil }
    if word.hasSlash, !(word.authority != nil && word.hasUser) { return nil }
    return start..<at
  }

  // MARK: Schemes of authentication

  private static func isScheme(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
    switch bytes[index].lowercased {
    case UInt8(ascii: "b"): isScheme(bytes, index, "bearer") || isScheme(bytes, index, "basic")
    case UInt8(ascii: "d"): isScheme(bytes, index, "digest")
    case UInt8(ascii: "n"): isScheme(bytes, index, "negotiate") || isScheme(bytes, index, "ntlm")
    default: false
    }
  }

  private static func isScheme(_ bytes: Span<UInt8>, _ index: Int, _ name: StaticString) -> Bool {
    let end = index + name.utf8CodeUnitCount
    return SecretNames.begins(bytes, index..<bytes.count, name) && end < bytes.count && bytes[end].isBlank
  }

  /// What follows the name of a scheme; a challenge names its realm, and is no secret.
  private func credentials(_ bytes: Span<UInt8>, _ index: Int, _ range: Range<Int>) -> Range<Int>? {
    var start = index
    while start < range.upperBound, !bytes[start].isBlank { start += 1 }
    while start < range.upperBound, bytes[start].isBlank { start += 1 }
    guard start < range.upperBound, !Self.isHidden(bytes, start) else { return nil }
    for place in start..<min(range.upperBound, start + 128)
    where SecretNames.begins(bytes, place..<range.upperBound, "realm=") { return nil }
    return start..<range.upperBound
  }

  // MARK: Bytes

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"), UInt8(ascii: "."), UInt8(ascii: "$"): true
    default: isWordByte(byte)
    }
  }

  /// What stands where a secret was hidden: `[12 B sha256:0123456789ab]`, or an ellipsis.
  private static func isHidden(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    if bytes.count - start >= 3, bytes[start] == 0xE2, bytes[start + 1] == 0x80, bytes[start + 2] == 0xA6 {
      // And nothing of it behind.
      return bytes.count - start == 3 || !SecretTokens.isPart(bytes[start + 3])
    }
    guard bytes[start] == UInt8(ascii: "[") else { return false }
    var end = start + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "]"), end - start < 40 { end += 1 }
    let mark: StaticString = "sha256:"
    let digits = end - 12
    guard end < bytes.count, bytes[end] == UInt8(ascii: "]"), digits - 7 > start,
      matches(bytes, digits - 7..<digits, mark)
    else { return false }
    for index in digits..<end where bytes[index].hexadecimalValue > 15 { return false }
    for index in start + 1..<digits - 7 {
      let byte = bytes[index]
      guard
        byte.isDigit
          || [
            UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "B"), UInt8(ascii: "K"),
            UInt8(ascii: "M"), UInt8(ascii: "i"), UInt8(ascii: "k"),
          ].contains(byte)
      else { return false }
    }
    return true
  }
}

extension SecretScan {
  /// Text with an ellipsis for each secret: for titles, and for names that must be the same in another capture.
  package static func leftOut(of text: String) -> String {
    var text = text
    return text.withUTF8 { buffer -> String? in
      let ranges = secrets(in: buffer.span, as: .value)
      guard !ranges.isEmpty else { return nil }
      var shown: [UInt8] = []
      var place = 0
      for range in ranges {
        shown += buffer[place..<range.lowerBound]
        shown += "…".utf8
        place = range.upperBound
      }
      shown += buffer[place...]
      return String(decoding: shown, as: UTF8.self)
    } ?? text
  }
}
