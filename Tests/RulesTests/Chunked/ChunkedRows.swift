/// All rows of the family.
enum ChunkedRows {
  static let rows: [RuleRow] = []
}
