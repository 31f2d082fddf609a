extension String {
  /// As the first words of a sentence: `The server`.
  var atSentenceStart: String { prefix(1).uppercased() + dropFirst() }
}
