/// The word that was probably meant: at most two edits away, or one that `typed` begins.
///
/// Fewer edits than letters, else every two-letter word would be near every other. Words of equal distance keep their
/// order.
package func nearestWord(to typed: String, among words: [String]) -> String? {
  var best: (word: String, distance: Int)?
  for word in words {
    let isBeginning = !typed.isEmpty && word.utf8.starts(with: typed.utf8)
    let distance = isBeginning ? min(1, editDistance(typed, word)) : editDistance(typed, word)
    let limit = isBeginning ? 2 : min(2, typed.unicodeScalars.count - 1)
    if distance <= limit, distance < best?.distance ?? .max { best = (word, distance) }
  }
  return best?.word
}

/// Insertions, deletions and replacements that turn one into the other; one row of the table at a time.
private func editDistance(_ left: String, _ right: String) -> Int {
  // An argument can be as long as a system allows; the table is not filled for one that cannot be near.
  guard abs(left.unicodeScalars.count - right.unicodeScalars.count) <= 2 else { return .max }
  let target = Array(right.unicodeScalars)
  var row = Array(0...target.count)
  for (line, scalar) in left.unicodeScalars.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for (column, other) in target.enumerated() {
      let replaced = diagonal + (scalar == other ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
    }
  }
  return row[target.count]
}
