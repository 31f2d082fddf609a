/// A coding of the HTTP content coding registry (RFC 9110 §16.6.1) that this program knows how to undo.
package enum ContentCoding: Hashable, Sendable {
  case identity, gzip, deflate, brotli, zstd

  /// Names are compared without case (RFC 9110 §8.4.1). `x-gzip` is gzip (§8.4.1.3).
  package init?(named name: Span<UInt8>) {
    guard let known = ContentCoding.names.first(where: { ContentCoding.isEqual(name, $0.name) }) else { return nil }
    self = known.coding
  }

  package var name: String {
    switch self {
    case .identity: "identity"
    case .gzip: "gzip"
    case .deflate: "deflate"
    case .brotli: "br"
    case .zstd: "zstd"
    }
  }

  package var isBuiltIn: Bool {
    switch self {
    case .identity: return true
    case .gzip, .deflate:
      #if Zlib
        return true
      #else
        return false
      #endif
    case .brotli:
      #if Brotli
        return true
      #else
        return false
      #endif
    case .zstd:
      #if Zstd
        return true
      #else
        return false
      #endif
    }
  }

  private static let names: [(name: StaticString, coding: ContentCoding)] = [
    ("gzip", .gzip), ("br", .brotli), ("deflate", .deflate), ("zstd", .zstd), ("identity", .identity),
    ("x-gzip", .gzip),
  ]

  private static func isEqual(_ name: Span<UInt8>, _ lowercased: StaticString) -> Bool {
    guard name.count == lowercased.utf8CodeUnitCount else { return false }
    return lowercased.withUTF8Buffer { wanted in
      for index in wanted.indices {
        let byte = name[index]
        let isUppercase = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
        if (isUppercase ? byte | 0x20 : byte) != wanted[index] { return false }
      }
      return true
    }
  }
}
