/// All rows of the family.
enum StreamRows {
  static let rows: [RuleRow] = BufferingRows.rows + SilenceRows.rows
}
