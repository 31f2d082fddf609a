/// All rows of the family.
enum HTTPRows {
  static let rows: [RuleRow] = HTTPMessageRows.rows
}
