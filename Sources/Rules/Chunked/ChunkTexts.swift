/// Sentences that several rules say.
enum ChunkTexts {
  static let fieldEvidence =
    "The field as it was sent and, where a request was refused, the answer; that one led to the other is inferred."
  static let lineEvidence =
    "The first such line of the body, byte by byte; the count says how many there were, up to what is kept of a message."
  static let curlSentence =
    "That it works with curl shows nothing: curl's reader passes over everything between the digits and the LF."
}
