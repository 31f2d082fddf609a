import Events
import Support

enum PacketsLostRows {
  private static let rule: RuleID = "capture/packets-lost"
  private static let script = handshake + "> \"data\"\n< ACK\n"

  static let rows: [RuleRow] = [
    row("The kernel's buffer was full.", dropped: 12, at: [], says: "dropped 12 packets and recorded 5"),
    row("The counter stands at zero.", dropped: 0, at: nil),
    .silent(rule, "Nobody counted: a classic capture file has no counters.", script),
  ]

  private static func row(_ what: String, dropped: UInt64, at markers: [Int]?, says: String = "") -> RuleRow {
    var row = RuleRow.silent(rule, what, script)
    row.fires = markers
    row.says = says
    row.dropped = dropped
    return row
  }
}
