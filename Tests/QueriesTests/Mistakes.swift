import Testing

@testable import Queries

/// The mistake that reading a sentence makes; where it makes none, the test fails.
func expectMistake<Sentence>(
  _ sentence: @autoclosure () throws -> Sentence, sourceLocation: SourceLocation = #_sourceLocation
) -> ConditionError? {
  #expect(throws: ConditionError.self, sourceLocation: sourceLocation) { _ = try sentence() }
}

/// It is made at this column, and says this among other things.
func expectMistake<Sentence>(
  _ sentence: @autoclosure () throws -> Sentence, column: Int, says: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = expectMistake(try sentence(), sourceLocation: sourceLocation)
  let message = error?.message ?? ""
  #expect(error?.column == column, "\(message)", sourceLocation: sourceLocation)
  #expect(message.contains(says), "\(message)", sourceLocation: sourceLocation)
}

/// Reads 5,000 texts of these pieces, the same ones for a seed. Where there is a mistake, it stands in the text.
func readTexts(
  of pieces: [String], seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
  _ read: (String) throws(ConditionError) -> Void
) {
  var state = seed
  for _ in 0..<5_000 {
    var text = ""
    for _ in 0..<(state >> 33) % 12 + 1 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += pieces[Int((state >> 33) % UInt64(pieces.count))]
    }
    do {
      try read(text)
    } catch {
      let shown = text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
      #expect(
        error.column >= 1 && error.column <= text.unicodeScalars.count + 1, "\(shown)", sourceLocation: sourceLocation)
    }
  }
}
