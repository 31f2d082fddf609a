/// All rows of the family.
enum StreamRows {
  static let rows: [RuleRow] = BufferingRows.rows + PairingRows.rows + SilenceRows.rows + StalledTogetherRows.rows
}
