/// All rows of the family.
enum ProxyRows {
  static let rows: [RuleRow] = DuplexRows.rows + HopJoinedRows.rows
}
