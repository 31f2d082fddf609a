import Events
import Support

enum TruncatedCaptureRows {
  private static let rule: RuleID = "capture/truncated"
  /// A file header of 24 bytes, five records of 70, and 4 bytes of data: 378 in all.
  private static let script = handshake + "> \"data\"\n< ACK\n"

  static let rows: [RuleRow] = [
    row("The file ends inside the last packet.", cut: 3, says: "byte 375, after 4 whole packets"),
    row("The file ends inside a packet's header.", cut: 60, says: "after 4 whole packets"),
    row(
      "What follows is no packet.", tail: [UInt8](repeating: 0xFF, count: 64), says: "byte 378, after 5 whole packets"),
    .silent(rule, "The whole file.", script),
    .silent(rule, "A packet cut by the snapshot length is whole.", handshake + "> \"data\" wire=1000\n"),
    .silent(rule, "No connection was closed, but the file is whole.", "> SYN\n"),
  ]

  /// The evidence is a place in the file, not a packet.
  private static func row(_ what: String, cut: Int = 0, tail: [UInt8] = [], says: String) -> RuleRow {
    var row = RuleRow.fires(rule, what, script, at: [], says: says)
    row.cut = cut
    row.tail = tail
    return row
  }
}
