import Events
import Support

enum MissingBytesRows {
  private static let rule: RuleID = "capture/missing-bytes"

  static let rows: [RuleRow] =
    [
      .fires(
        rule, "The receiver acknowledges bytes that were never captured.",
        handshake + "> \"aaaa\" ①\n> \"bbbbb\" !lost\n< ACK ②\n> \"cccc\"\n< ACK\n", at: [1, 2], .toServer,
        says: "5 B of the client's stream"),
      .fires(
        rule, "The same, and nothing follows.", handshake + "> \"aaaa\" ①\n> \"bbbbb\" !lost\n< ACK ②\n", at: [1, 2],
        .toServer, says: "5 B"),
      .fires(
        rule, "The response's first bytes are missing: no packet stands before the hole.",
        handshake + "> \"ask\"\n< ACK\n< \"head\" !lost\n< \"body\"\n> ACK ①\n", at: [1], .toClient,
        says: "4 B of the server's"),
      .fires(
        rule, "Packets were cut by the snapshot length.",
        handshake + "> \"whole\"\n> \"ab\" wire=100 ①\n> \"cd\" wire=50\n< ACK\n",
        at: [1], .toServer, count: 2, says: "146 B of the client's stream are not in the capture, in 2 holes."),
      .fires(
        rule, "A hole that nobody acknowledged was still open at the end.",
        handshake + "> \"aaaa\" ①\n> \"bbbb\" !lost\n> \"cccc\" ②\n", at: [1, 2], .toServer, confidence: .medium,
        says: "4 B"),
      .fires(
        rule, "The receiver asks for them until the end: the network lost them.",
        handshake + "> \"aaaa\" ①\n> \"bbbb\" !lost\n> \"cccc\"\n< ack=4\n< ack=4\n+1s\n< ack=4 ②\n", at: [1, 2],
        .toServer,
        confidence: .high, says: "the server still asked for them", fix: "the hop that loses packets"),
      .fires(
        rule, "It acknowledged what is in front of the hole once, which it may have done before.",
        handshake + "> \"aaaa\" ①\n> \"bbbb\" !lost\n> \"cccc\"\n< ack=4 ②\n", at: [1, 2], .toServer,
        confidence: .medium, says: "are not in the capture"),
      .fires(
        rule, "Two holes of one direction are one finding.",
        handshake
          + "> \"a\" ①\n> \"bb\" !lost\n< ACK ②\n+1s\n> \"c\"\n< ACK\n> \"ddd\" !lost\n< ACK\n+1s\n> \"e\"\n< ACK\n",
        at: [1, 2], .toServer, count: 2, says: "5 B of the client's stream are not in the capture, in 2 holes."),
      stranger,
      .silent(rule, "All bytes are there.", handshake + "> \"ask\"\n< \"answer\"\n> ACK\n> FIN\n< FIN\n> ACK\n"),
      .silent(
        rule, "The late segment fills its hole, although it was acknowledged before.",
        handshake + "> \"bb\" @2\n< ACK\n> \"aa\" @0\n< ACK\n"),
      .silent(
        rule, "It comes in twenty pieces.",
        handshake + "> \"bb\" @20\n< ACK\n" + (0..<20).map { "> \"a\" @\($0)\n" }.joined() + "< ACK\n"),
      .silent(
        rule, "Behind it twenty small packets of the same moment were captured before it.",
        handshake + "> \"bb\" @2\n" + (0..<20).map { "> \"c\" @\(4 + $0) now\n" }.joined()
          + "< ACK now\n> \"aa\" @0\n< ACK\n"),
      .silent(
        rule, "A lost segment is sent again.",
        handshake + "> \"aa\" !lost\n> \"bb\"\n< ack=0\n< ack=0\n< ack=0\n> \"aa\" @0\n< ACK\n"),
      .silent(rule, "Only the FIN was not captured.", handshake + "> \"ask\"\n< ACK\n> FIN !lost\n< ACK\n< FIN\n"),
      .silent(
        rule, "Of a direction that was never captured nothing is missing.", "< \"one\"\n< \"two\"\n+1s\n< \"three\"\n"),
      .silent(
        rule, "One acknowledgement far beyond the stream is not believed.",
        handshake + "> \"ask\"\n< ack=900000000\n+1s\n> \"more\"\n< ACK\n"),
      .silent(rule, "A connection joined in the middle begins with what was seen first.", "> \"more\"\n< ACK\n"),
    ]

  /// The evidence stays within the connection, whatever else ends the capture.
  private static var stranger: RuleRow {
    var row = RuleRow(
      rule: rule, testDescription: "Another connection's packet ends the capture.",
      conversations: [
        Conversation(handshake + "> \"aaaa\" ①\n> \"bbbb\" !lost\n> \"cccc\" ②\n"),
        Conversation(handshake + "+1s\n> \"late\"\n< ACK\n", client: "10.0.0.9:50000"),
      ], fires: [1, 2])
    row.direction = .toServer
    // Nobody acknowledged them: they may have been lost on the way.
    row.confidence = .medium
    return row
  }
}
