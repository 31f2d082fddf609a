/// The shape of a request's path: segments that name one thing of many stand as `{id}`, so that requests to the same
/// handler are counted together.
package enum PathTemplate {
  /// Longer targets are cut: a template is a name.
  private static let limit = 120

  /// The path of an origin-form or absolute-form target, without query, as a template.
  package static func of(_ target: String) -> String {
    var path = target[...]
    if let scheme = path.firstRange(of: "://"), !path.hasPrefix("/") {
      let authority = path[scheme.upperBound...]
      path = authority.firstIndex(of: "/").map { authority[$0...] } ?? "/"
    }
    path = path.prefix { $0 != "?" && $0 != "#" }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(shape)
    return String(segments.joined(separator: "/").prefix(limit))
  }

  private static func shape(_ segment: Substring) -> String {
    // A file keeps its ending: what kind of thing it is stays the same.
    if let dot = segment.lastIndex(of: "."), dot != segment.startIndex, segment[dot...].utf8.count <= 5,
      isIdentifier(segment[..<dot])
    {
      return "{id}" + segment[dot...]
    }
    return isIdentifier(segment) ? "{id}" : String(segment)
  }

  /// All digits, or a UUID, or hexadecimal digits as of a hash, or a long word of letters and digits mixed.
  private static func isIdentifier(_ segment: Substring) -> Bool {
    let bytes = segment.utf8
    guard !bytes.isEmpty else { return false }
    let digits = bytes.count { $0.isDigit }
    if digits == bytes.count { return true }
    guard digits > 0 else { return false }
    let isHexadecimal = bytes.allSatisfy { $0.hexadecimalValue < 16 || $0 == UInt8(ascii: "-") }
    if isHexadecimal, bytes.count >= 8 { return true }
    let isWord = bytes.allSatisfy { $0.isTokenCharacter && $0 != UInt8(ascii: ".") }
    return isWord && bytes.count >= 20 && digits * 8 >= bytes.count
  }
}
