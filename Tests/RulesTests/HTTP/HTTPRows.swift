/// All rows of the family.
enum HTTPRows {
  static let rows: [RuleRow] = HTTPExchangeRows.rows + HTTPMessageRows.rows
}
