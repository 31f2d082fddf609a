/// All rows of the family.
enum CaptureRows {
  static let rows: [RuleRow] =
    MissingBytesRows.rows + NothingToCheckRows.rows + PacketsLostRows.rows + TruncatedCaptureRows.rows
}
