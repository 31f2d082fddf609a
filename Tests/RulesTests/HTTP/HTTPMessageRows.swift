/// Rows about single messages.
enum HTTPMessageRows {
  static let rows: [RuleRow] =
    MessageHeadRows.rows + MessageLengthRows.rows + MessageContentRows.rows + CloseDelimitedBodyRows.rows
}
