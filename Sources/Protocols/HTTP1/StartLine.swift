import Citation
import HTTPSemantics

/// A request line or status line, read as generously as it can be understood.
struct StartLine: Sendable {
  var line: MessageHead.StartLine
  var version: HTTPVersion
  /// The protocol preface of HTTP/2, which looks like a request line.
  var isHTTP2Preface = false
  var remarks: [Remark] = []

  struct Remark: Sendable {
    var kind: Lenience.Kind
    var index: Int
  }

  /// A line with its line end, or nil where it is no start line.
  static func parse(_ role: HTTP1Role, _ bytes: Span<UInt8>, _ line: Range<Int>) -> StartLine? {
    var remarks: [Remark] = []
    var end = line.upperBound
    if end > line.lowerBound, bytes[end - 1] == .lineFeed { end -= 1 }
    if end > line.lowerBound, bytes[end - 1] == .carriageReturn {
      end -= 1
    } else {
      remarks.append(Remark(kind: .bareLF, index: end))
    }
    var start = line.lowerBound
    while start < end, bytes[start].isBlank { start += 1 }
    if start > line.lowerBound { remarks.append(Remark(kind: .startLineLeadingSpace, index: line.lowerBound)) }
    var index = start
    while index < end, bytes[index] != .carriageReturn { index += 1 }
    if index < end { remarks.append(Remark(kind: .bareCR, index: index)) }
    return switch role {
    case .request: request(bytes, start..<end, remarks)
    case .response: response(bytes, start..<end, remarks)
    }
  }

  /// A bare CR parts words as a space does (RFC 9112 §2.2).
  private static func partsWords(_ byte: UInt8) -> Bool {
    byte == .space || byte == .horizontalTab || byte == .carriageReturn
  }

  private static func word(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Range<Int> {
    var index = start
    while index < end, !partsWords(bytes[index]) { index += 1 }
    return start..<index
  }

  private static func isOneSpace(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.count == 1 && bytes[range.lowerBound] == .space
  }

  private static func request(_ bytes: Span<UInt8>, _ line: Range<Int>, _ found: [Remark]) -> StartLine? {
    var remarks = found
    let name = word(bytes, from: line.lowerBound, to: line.upperBound)
    guard !name.isEmpty else { return nil }
    for index in name where !bytes[index].isTokenCharacter { return nil }
    var targetStart = name.upperBound
    while targetStart < line.upperBound, partsWords(bytes[targetStart]) { targetStart += 1 }
    guard targetStart < line.upperBound else { return nil }
    if !isOneSpace(bytes, name.upperBound..<targetStart) {
      remarks.append(Remark(kind: .startLineSpacing, index: name.upperBound))
    }
    let method = Method(bytes, name)
    guard let protocolWord = lastProtocolWord(bytes, targetStart..<line.upperBound) else {
      // HTTP/0.9 knew only `GET target`.
      let target = word(bytes, from: targetStart, to: line.upperBound)
      guard method == .get, FieldList.trim(bytes, target.upperBound..<line.upperBound).isEmpty else { return nil }
      remarks.append(Remark(kind: .simpleMessage, index: line.lowerBound))
      return StartLine(
        line: .request(method: method, name: name, target: target), version: .simple, remarks: remarks)
    }
    guard protocolWord.lowerBound > targetStart else { return nil }
    let target = FieldList.trim(bytes, targetStart..<protocolWord.lowerBound)
    if !isOneSpace(bytes, target.upperBound..<protocolWord.lowerBound) {
      remarks.append(Remark(kind: .startLineSpacing, index: target.upperBound))
    }
    let firstWord = word(bytes, from: target.lowerBound, to: target.upperBound)
    if firstWord != target { remarks.append(Remark(kind: .spaceInTarget, index: firstWord.upperBound)) }
    if protocolWord.upperBound < line.upperBound {
      let rest = FieldList.trim(bytes, protocolWord.upperBound..<line.upperBound)
      remarks.append(
        Remark(kind: rest.isEmpty ? .startLineSpacing : .startLineTrailingBytes, index: protocolWord.upperBound))
    }
    let version = version(bytes, protocolWord, &remarks)
    var isPreface = false
    if method == .other {
      let spelling = text(of: name.map { bytes[$0] })
      isPreface =
        spelling == "PRI" && version == HTTPVersion(2, 0) && target.count == 1 && bytes[targetStart] == 0x2A
      if !Method.isKnown(spelling) {
        let kind: Lenience.Kind = Method.isKnown(spelling.uppercased()) ? .methodCase : .methodUnknown
        remarks.append(Remark(kind: kind, index: name.lowerBound))
      }
    }
    return StartLine(
      line: .request(method: method, name: name, target: target), version: version, isHTTP2Preface: isPreface,
      remarks: remarks)
  }

  /// The last word that begins with `HTTP/`, in whatever case.
  private static func lastProtocolWord(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
    var end = range.upperBound
    while end > range.lowerBound {
      while end > range.lowerBound, partsWords(bytes[end - 1]) { end -= 1 }
      var start = end
      while start > range.lowerBound, !partsWords(bytes[start - 1]) { start -= 1 }
      if isProtocol(bytes, start..<end) { return start..<end }
      end = start
    }
    return nil
  }

  private static func isProtocol(_ bytes: Span<UInt8>, _ word: Range<Int>) -> Bool {
    word.count >= 6 && matches(bytes, word.lowerBound..<word.lowerBound + 5, "http/")
      && bytes[word.lowerBound + 5].isDigit
  }

  private static func response(_ bytes: Span<UInt8>, _ line: Range<Int>, _ found: [Remark]) -> StartLine? {
    var remarks = found
    let protocolWord = word(bytes, from: line.lowerBound, to: line.upperBound)
    guard isProtocol(bytes, protocolWord) else { return nil }
    let version = version(bytes, protocolWord, &remarks)
    var start = protocolWord.upperBound
    while start < line.upperBound, partsWords(bytes[start]) { start += 1 }
    if !isOneSpace(bytes, protocolWord.upperBound..<start) {
      remarks.append(Remark(kind: .startLineSpacing, index: protocolWord.upperBound))
    }
    let digits = word(bytes, from: start, to: line.upperBound)
    var code: UInt16 = 0
    var length = 0
    for index in digits {
      guard bytes[index].isDigit else { break }
      code = code &* 10 &+ UInt16(bytes[index] &- 0x30)
      length += 1
      if length == 4 { break }
    }
    guard length > 0 else { return nil }
    if length != 3 || digits.count != 3 {
      remarks.append(Remark(kind: .statusMalformed, index: start))
    } else if !(100..<600 ~= code) {
      remarks.append(Remark(kind: .statusUnusual, index: start))
    }
    var reason = digits.upperBound..<line.upperBound
    if reason.isEmpty {
      remarks.append(Remark(kind: .reasonSeparatorMissing, index: reason.lowerBound))
    } else {
      if bytes[reason.lowerBound] != .space {
        remarks.append(Remark(kind: .startLineSpacing, index: reason.lowerBound))
      }
      reason = reason.lowerBound + 1..<reason.upperBound
    }
    return StartLine(line: .response(status: Status(code), reason: reason), version: version, remarks: remarks)
  }

  /// `HTTP/` DIGIT `.` DIGIT; anything longer is read as far as it makes sense.
  private static func version(_ bytes: Span<UInt8>, _ word: Range<Int>, _ remarks: inout [Remark]) -> HTTPVersion {
    let start = word.lowerBound
    let isUpperCase =
      bytes[start] == 0x48 && bytes[start + 1] == 0x54 && bytes[start + 2] == 0x54 && bytes[start + 3] == 0x50
    if !isUpperCase { remarks.append(Remark(kind: .versionCase, index: start)) }
    var numbers: [2 of Int] = [0, 0]
    var which = 0
    var wellFormed = word.count == 8
    for index in start + 5..<word.upperBound {
      if bytes[index] == UInt8(ascii: "."), which == 0 {
        if index != start + 6 { wellFormed = false }
        which = 1
      } else if bytes[index].isDigit {
        numbers[which] = min(255, numbers[which] * 10 + Int(bytes[index] &- 0x30))
      } else {
        wellFormed = false
        break
      }
    }
    let version = HTTPVersion(UInt8(truncatingIfNeeded: numbers[0]), UInt8(truncatingIfNeeded: numbers[1]))
    if !wellFormed || which == 0 {
      remarks.append(Remark(kind: .versionMalformed, index: start))
    } else if version != .http11, version != .http10 {
      remarks.append(Remark(kind: .versionUnusual, index: start))
    }
    return version
  }
}
