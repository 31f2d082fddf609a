/// The shape of a request's path: segments that name one thing of many stand as `{id}`, so that requests to the same
/// handler are counted together.
package enum PathTemplate {
  /// Longer ones are cut: a template is a name.
  private static let limit = 120
  private static let placeholder = Array("{id}".utf8)

  /// The path of an origin-form or absolute-form target, without query, as a template.
  package static func of(_ target: ArraySlice<UInt8>) -> String {
    var path = target
    if path.first != UInt8(ascii: "/"), let scheme = authority(of: path) {
      let rest = path[scheme...]
      path = rest.firstIndex(of: UInt8(ascii: "/")).map { rest[$0...] } ?? Array("/".utf8)[...]
    }
    if let end = path.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) { path = path[..<end] }
    // Whatever names one thing of many has a digit.
    guard path.contains(where: \.isDigit) else { return SecretScan.leftOut(of: text(of: path.prefix(limit))) }
    var template: [UInt8] = []
    template.reserveCapacity(min(path.count, limit) + 8)
    var start = path.startIndex
    while template.count < limit {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      append(path[start..<end], to: &template)
      guard end < path.endIndex else { break }
      template.append(UInt8(ascii: "/"))
      start = end + 1
    }
    return SecretScan.leftOut(of: text(of: template.prefix(limit)))
  }

  package static func of(_ target: String) -> String { of(Array(target.utf8)[...]) }

  /// Where the authority of `scheme://authority/path` begins.
  private static func authority(of target: ArraySlice<UInt8>) -> Int? {
    guard let colon = target.firstIndex(of: .colon), colon + 2 < target.endIndex,
      target[colon + 1] == UInt8(ascii: "/"), target[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    return colon + 3
  }

  private static func append(_ segment: ArraySlice<UInt8>, to template: inout [UInt8]) {
    // A file keeps its ending: what kind of thing it is stays the same.
    if let dot = segment.lastIndex(of: UInt8(ascii: ".")), dot != segment.startIndex, segment.endIndex - dot <= 5,
      isIdentifier(segment[..<dot])
    {
      template += placeholder
      template += segment[dot...]
    } else if isIdentifier(segment) {
      template += placeholder
    } else {
      template += segment
    }
  }

  /// All digits, or a UUID, or hexadecimal digits as of a hash, or a long word of letters and digits mixed.
  private static func isIdentifier(_ segment: ArraySlice<UInt8>) -> Bool {
    var digits = 0
    var isHexadecimal = true
    var isWord = true
    for byte in segment {
      if byte.isDigit {
        digits += 1
      } else {
        isHexadecimal = isHexadecimal && (byte.hexadecimalValue < 16 || byte == UInt8(ascii: "-"))
        isWord = isWord && byte.isTokenCharacter && byte != UInt8(ascii: ".")
      }
    }
    guard digits > 0 else { return false }
    if digits == segment.count || isHexadecimal && segment.count >= 8 { return true }
    return isWord && segment.count >= 20 && digits * 8 >= segment.count
  }
}
