import Citation

/// The shape of a request's path: segments that name one thing of many stand as `{id}`, so that requests to the same
/// handler are counted together.
package enum PathTemplate {
  /// Longer ones are cut: a template is a name.
  private static let limit = 120
  private static let placeholder = Array("{id}".utf8)

  /// The path of an origin-form or absolute-form target, without query, as a template.
  package static func of(_ target: ArraySlice<UInt8>) -> String {
    let held = Array(target)
    let bytes = held.span
    let path = path(of: bytes)
    guard !path.isEmpty else { return SecretScan.leftOut(of: hasAuthority(bytes) ? "/" : "") }
    // Whatever names one thing of many has a digit.
    guard path.contains(where: { bytes[$0].isDigit }) else {
      return SecretScan.leftOut(of: text(of: held[path].prefix(limit)))
    }
    var template: [UInt8] = []
    template.reserveCapacity(min(path.count, limit) + 8)
    var start = path.lowerBound
    while template.count < limit {
      let segment = segment(of: bytes, from: start, in: path)
      if let ending = ending(of: bytes, segment) {
        template += placeholder
        template += held[ending]
      } else {
        template += held[segment]
      }
      guard segment.upperBound < path.upperBound else { break }
      template.append(UInt8(ascii: "/"))
      start = segment.upperBound + 1
    }
    return SecretScan.leftOut(of: text(of: template.prefix(limit)))
  }

  package static func of(_ target: String) -> String { of(Array(target.utf8)[...]) }

  /// Mixes what the template is made of: of two targets with different templates it is another one.
  package static func mix(_ target: Span<UInt8>, into mixer: inout WordMixer) {
    let path = path(of: target)
    if path.isEmpty { return mixer.combine(hasAuthority(target) ? 1 : 0) }
    var start = path.lowerBound
    while true {
      let segment = segment(of: target, from: start, in: path)
      if let ending = ending(of: target, segment) {
        mixer.combine(-1)
        mixer.combine(target.extracting(ending))
      } else {
        mixer.combine(target.extracting(segment))
      }
      guard segment.upperBound < path.upperBound else { return }
      start = segment.upperBound + 1
    }
  }

  /// Behind the authority, where there is one, and up to the query.
  private static func path(of target: Span<UInt8>) -> Range<Int> {
    var start = 0
    if hasAuthority(target) {
      start = (firstColon(of: target) ?? 0) + 3
      while start < target.count, target[start] != UInt8(ascii: "/") { start += 1 }
    }
    var end = start
    while end < target.count, target[end] != UInt8(ascii: "?"), target[end] != UInt8(ascii: "#") { end += 1 }
    return start..<end
  }

  /// `scheme://authority/path`.
  private static func hasAuthority(_ target: Span<UInt8>) -> Bool {
    guard target.count > 0, target[0] != UInt8(ascii: "/"), let colon = firstColon(of: target),
      colon + 2 < target.count
    else { return false }
    return target[colon + 1] == UInt8(ascii: "/") && target[colon + 2] == UInt8(ascii: "/")
  }

  private static func firstColon(of target: Span<UInt8>) -> Int? {
    for index in target.indices where target[index] == .colon { return index }
    return nil
  }

  @inline(__always)
  private static func segment(of bytes: Span<UInt8>, from start: Int, in path: Range<Int>) -> Range<Int> {
    var end = start
    while end < path.upperBound, bytes[end] != UInt8(ascii: "/") { end += 1 }
    return start..<end
  }

  /// What stands behind the placeholder of a segment that names one thing of many; nil for any other.
  ///
  /// A file keeps its ending: what kind of thing it is stays the same.
  private static func ending(of bytes: Span<UInt8>, _ segment: Range<Int>) -> Range<Int>? {
    for back in 1...5 where back < segment.count {
      let dot = segment.upperBound - back
      guard bytes[dot] == UInt8(ascii: ".") else { continue }
      if isIdentifier(bytes, segment.lowerBound..<dot) { return dot..<segment.upperBound }
      break
    }
    return isIdentifier(bytes, segment) ? segment.upperBound..<segment.upperBound : nil
  }

  /// All digits, or a UUID, or hexadecimal digits as of a hash, or a long word of letters and digits mixed.
  private static func isIdentifier(_ bytes: Span<UInt8>, _ segment: Range<Int>) -> Bool {
    var digits = 0
    var isHexadecimal = true
    var isWord = true
    for index in segment {
      let byte = bytes[index]
      if byte.isDigit {
        digits += 1
      } else {
        isHexadecimal = isHexadecimal && (byte.hexadecimalValue < 16 || byte == UInt8(ascii: "-"))
        isWord = isWord && byte.isTokenCharacter && byte != UInt8(ascii: ".")
        // Short, and with a letter that no number has.
        if !isHexadecimal, segment.count < 20 { return false }
      }
    }
    guard digits > 0 else { return false }
    if digits == segment.count || isHexadecimal && segment.count >= 8 { return true }
    return isWord && segment.count >= 20 && digits * 8 >= segment.count
  }
}
