import Events

/// What sets the pace of a transfer.
enum PaceRows {
  static let rows: [RuleRow] = window + small

  private static let limited: RuleID = "tcp/window-limited"
  private static let tiny: RuleID = "tcp/small-segments"

  /// The client's window takes two segments; `scale` is what both say of it.
  private static func open(_ window: Int = 3_000, _ scale: String = "scale=0") -> String {
    "> SYN \(scale) win=\(window)\n+20ms\n< SYN ACK \(scale)\n> ACK win=\(window)\n> \"ask\" win=\(window)\n+20ms\n"
  }

  /// Two segments, and their acknowledgement a round trip later.
  private static func rounds(_ count: Int, _ window: Int = 3_000, wait: String = "+20ms", piece: Int = 1_460) -> String
  {
    String(repeating: "< len=\(piece)\n< len=\(piece)\n\(wait)\n> ACK win=\(window)\n", count: count)
  }

  private static let window: [RuleRow] = [
    .fires(
      limited, "Each round trip carries two segments, for that is all the client's window takes.",
      open() + "< len=1460\n< len=1460 ①\n+20ms\n> ACK win=3000\n" + rounds(24) + "< len=1460 ②\n", at: [1, 2],
      .toServer, says: "the server waited for room in the window of the client, at most 3,000 B: 71,540 B in 0.574 s"),
    .silent(limited, "The window has room for four times as much.", open(12_000) + rounds(25, 12_000)),
    .silent(
      limited, "The transfer is a matter of the server's: it writes two segments every 300 ms.",
      open() + String(repeating: "< len=1460\n< len=1460\n> ACK win=3000\n+300ms\n", count: 25)),
    .fires(
      limited, "A transfer of a quarter of a second in twelve rounds.",
      open() + "< len=1460\n< len=1460 ①\n+20ms\n> ACK win=3000\n" + rounds(11) + "< len=1460 ②\n", at: [1, 2],
      .toServer),
    .silent(limited, "Too short to be slow.", open() + rounds(6)),
    .silent(limited, "The scale of the window is not known.", "> \"ask\" win=3000\n" + rounds(25)),
    .silent(
      limited, "A window that was large once is small now: somebody does not read.",
      open(60_000) + "< len=1460\n> ACK win=60000\n" + rounds(25)),
    .silent(
      limited, "On a short way two segments are enough.",
      "> SYN scale=0 win=3000\n+-900us\n< SYN ACK scale=0\n+-900us\n> ACK win=3000\n> \"ask\" win=3000\n" + rounds(25)),
  ]

  private static func pieces(_ count: Int, _ length: Int = 60, gap: String = "") -> String {
    String(repeating: "< len=\(length)\n\(gap)", count: count)
  }

  private static let small: [RuleRow] = [
    .fires(
      tiny, "Sixty lines, each in a segment of its own.",
      handshake + "> \"ask\"\n+100ms\n< len=60 ①\n" + pieces(58) + "< len=60 ②\n> ACK\n", at: [1, 2], .toClient,
      says: "The server sent 3,600 B in 60 segments within 59.0 ms, 60 B each on average"),
    .fires(
      tiny, "Two runs, of which the longer one is quoted.",
      handshake + "> \"ask\"\n+100ms\n" + pieces(52) + "+1s\n< len=60 ①\n" + pieces(58) + "< len=60 ②\n> ACK\n",
      at: [1, 2], .toClient, count: 2),
    .silent(tiny, "Forty segments are no transfer.", handshake + "> \"ask\"\n+100ms\n" + pieces(40) + "> ACK\n"),
    .silent(
      tiny, "As many large ones as small ones.",
      handshake + "> \"ask\"\n+100ms\n" + String(repeating: "< len=60\n< len=1400\n", count: 40) + "> ACK\n"),
    .silent(
      tiny, "A token every 30 ms, sent when it is there.",
      handshake + "> \"ask\"\n+100ms\n" + pieces(80, gap: "+29ms\n") + "> ACK\n"),
    .silent(
      tiny, "Question and answer, a hundred times: neither can be collected.",
      handshake + String(repeating: "> len=60\n< ACK\n< len=60\n> ACK\n", count: 100)),
    .silent(
      tiny, "The same, with the acknowledgements in the answers.",
      handshake + String(repeating: "> len=60\n< len=60\n", count: 100)),
    .fires(
      tiny, "The other side answers now and then, while more is on its way.",
      handshake + "> len=60 ①\n"
        + String(repeating: pieces(5).replacing("<", with: ">") + "< len=9 ack=60\n", count: 12) + "> len=60 ②\n",
      at: [1, 2], .toServer),
    .silent(
      tiny, "Short bursts with pauses between them.",
      handshake + "> \"ask\"\n" + String(repeating: "+60ms\n" + pieces(10), count: 20) + "> ACK\n"),
  ]
}
