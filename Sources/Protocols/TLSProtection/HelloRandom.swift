/// The 32 random bytes of a ClientHello, by which a key log names its connections, or of a ServerHello.
package struct HelloRandom: Hashable, Sendable {
  package static let byteCount = 32

  private var words: InlineWords

  /// Nil for any other length.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == HelloRandom.byteCount else { return nil }
    func word(_ index: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 << 8 | UInt64(bytes[index * 8 + $1]) }
    }
    words = InlineWords(first: word(0), second: word(1), third: word(2), fourth: word(3))
  }

  /// Plain fields, because arrays of fixed length do not hash.
  private struct InlineWords: Hashable, Sendable {
    var first, second, third, fourth: UInt64
  }

  package var bytes: [UInt8] {
    [words.first, words.second, words.third, words.fourth].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
  }
}
