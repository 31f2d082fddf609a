import HTTP1
import HTTPSemantics
import Support
import Testing

/// Rows of all topics together.
@Suite("HTTP/1 rows: one after another") struct RowTests {
  private static let rows =
    StartLineRows.rows + FieldRows.rows + LengthRows.rows + CodingRows.rows + BodyRows.rows + ChunkLineRows.rows
    + ChunkSizeRows.rows + ChunkEndRows.rows + RecoveryRows.rows

  /// Also what one leaves behind for the next must not depend on the cuts.
  @Test("the same tokens for ten thousand random segmentations of neighbouring rows", arguments: HTTP1Role.allCases)
  func randomCuts(role: HTTP1Role) {
    var generator = SplitMix64(seed: 0x5EED)
    let rows = Self.rows.filter { $0.role == role && !$0.endsHTTP }
    for window in 0..<100 {
      let some = (0..<6).map { rows[(window + $0) % rows.count] }
      var feeding = Feeding(role: role)
      feeding.requests = some.flatMap(\.requests)
      let bytes = some.flatMap { wire($0.wire) }
      let expected = feeding.tokens(bytes)
      for _ in 0..<50 {
        let pieces = Int(generator.next() % 30)
        let cuts = (0..<pieces).map { _ in Int(generator.next() % UInt64(bytes.count)) }.sorted()
        let isSame = feeding.tokens(bytes, cutAt: cuts) == expected
        #expect(isSame, "rows from '\(some[0].name)' cut at \(cuts)")
      }
    }
  }
}

extension Row {
  /// What follows it in one stream would be read differently for all that comes after.
  fileprivate var endsHTTP: Bool {
    expected.contains { $0.hasPrefix("tunnel") || $0.hasPrefix("opaque") || $0.contains(" close ") }
      || expected.contains { $0.contains("length 18446744073709551615") || $0.contains("size 18446744073709551615") }
  }
}
