import Events

enum OverlappingCopiesDifferRows {
  private static let rule: RuleID = "tcp/overlap-conflict"

  static let rows: [RuleRow] = [
    .fires(
      rule, "A second copy of delivered bytes is not the same.",
      handshake + "> \"GET /good\" ①\n> \"GET /evil\" @0 ②\n< ACK\n", at: [1, 2], .toServer, cost: .lost(bytes: 4),
      says: "bytes from offset 5 differ in 4 B"),
    .fires(
      rule, "Two copies that wait behind a hole are not the same.",
      handshake + "< \"0123\" !lost\n< \"good\" ①\n< \"goad\" @4 ②\n< \"0123\" @0\n> ACK\n", at: [1, 2], .toClient,
      cost: .lost(bytes: 1), says: "bytes from offset 6 differ in 1 B"),
    .fires(
      rule, "A copy that begins earlier and ends later differs in the middle.",
      handshake + "> \"abc\"\n> \"def\" ①\n> \"ghi\"\n> \"cdXfg\" @2 ②\n< ACK\n", at: [1, 2], .toServer,
      cost: .lost(bytes: 1), says: "offset 4 "),
    .fires(
      rule, "It happens twice: one finding, counted.",
      handshake + "> \"one\" ①\n> \"owe\" @0 ②\n> \"two\" ③\n> \"twa\" @3 ④\n< ACK\n", at: [1, 2, 3, 4], .toServer,
      cost: .lost(bytes: 2), count: 2),
    .silent(
      rule, "Other bytes under the same numbers, minutes later: another connection on the same ports.",
      "> \"one two\"\n< ACK\n+130s\n> \"one twa\" @0\n< ACK\n"),
    .silent(rule, "The copies are equal.", handshake + "> \"GET /good\"\n+300ms\n> \"GET /good\" @0\n< ACK\n"),
    .silent(rule, "The copies overlap in part, and agree.", handshake + "> \"abcd\"\n> \"cdef\" @2\n< ACK\n"),
    .silent(
      rule, "A keep-alive probe carries one garbage byte below the next number.",
      handshake + "> \"data\"\n< ACK\n+30s\n> x\"00\" @3\n< ACK\n"),
    .silent(
      rule, "The same, and nothing of the other side was captured.", "> \"data\"\n+30s\n> x\"00\" @3\n"),
    .silent(
      rule, "A probe of a shut window carries the next byte, later sent for good.",
      handshake + "> \"data\"\n< ACK win=0\n+1s\n> \"m\"\n< ack=4 win=0\n+1s\n< ack=4 win=500\n> \"more\" @4\n< ACK\n"),
    .silent(rule, "The copy is too old to be compared.", handshake + old),
    .silent(
      rule, "Only what the snapshot length left is compared.", handshake + "> \"ab\" wire=8\n> \"abXXXXXX\" @0\n< ACK\n"
    ),
  ]

  /// A differing copy of the first bytes after more packets than a lane remembers.
  private static let old =
    "> \"first\"\n" + String(repeating: "> \"more\"\n< ACK\n", count: 1_100) + "> \"FIRST\" @0\n< ACK\n"
}
