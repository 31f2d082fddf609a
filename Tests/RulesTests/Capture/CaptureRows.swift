/// All rows of the family.
enum CaptureRows {
  static let rows: [RuleRow] =
    DisorderRows.rows + MissingBytesRows.rows + NothingToCheckRows.rows + PacketsLostRows.rows
    + TruncatedCaptureRows.rows
}
