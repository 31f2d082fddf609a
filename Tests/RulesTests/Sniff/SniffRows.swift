/// All rows of the family.
enum SniffRows {
  static let rows: [RuleRow] = []
}
