/// All rows of the family.
enum TCPRows {
  static let rows: [RuleRow] = ConnectRefusedRows.rows + OverlappingCopiesDifferRows.rows + ResetOutOfWindowRows.rows
}
