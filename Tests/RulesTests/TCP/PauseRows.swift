import Events

enum ZeroWindowRows {
  private static let rule: RuleID = "tcp/zero-window"

  /// A client that reads nothing of a response for three seconds, and then for `longer`.
  private static func closing(
    _ type: String, _ longer: String, framing: String = "Content-Length: 9000\\r\\n"
  ) -> String {
    handshake + "> \"GET /v HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\"\n"
      + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: \(type)\\r\\n\(framing)\\r\\ndata: 1\\n\\n\" len=900\n> ACK win=0 ①\n+3s\n"
      + "< ACK seq-1 ②\n> ACK win=0\n+\(longer)\n> ACK win=5000 ③\n< len=100\n> ACK\n"
  }

  /// A client that shuts its window for `closed` milliseconds and reads for `open`, so many times.
  private static func often(_ closed: Int, _ open: Int, _ times: Int) -> String {
    (1...times).map {
      "< len=1000\n> ACK win=0\($0 == times ? " ①" : "")\n+\(closed)ms\n> ACK win=1000\($0 == times ? " ②" : "")\n+\(open)ms\n"
    }
    .joined()
  }

  static let rows: [RuleRow] = [
    .fires(
      rule, "The client reads a little every 150 ms: each wait is short, and they set the pace.",
      handshake + "> len=9\n" + often(150, 50, 19) + often(151, 50, 1), at: [1, 2], .toServer, confidence: .medium,
      cost: .delay(nanoseconds: 3_021_000_000), count: 20,
      says: "0.152 s (the longest of 20 such waits, 3.021 s in all)"),
    .silent(rule, "It does so for less than two seconds.", handshake + "> len=9\n" + often(150, 50, 12)),
    .silent(rule, "It reads for most of the time.", handshake + "> len=9\n" + often(150, 500, 20)),
    .fires(
      rule, "The client does not read for a second; the server asks.",
      handshake + "> len=9\n< len=1000\n> ACK win=0 ①\n+300ms\n< ACK seq-1 ②\n> ACK win=0\n+700ms\n> ACK win=5000 ③\n",
      at: [1, 2, 3], .toServer, cost: .delay(nanoseconds: 1_003_000_000), says: "The client did not read for 1.003 s"),
    .fires(
      rule, "The server's window shuts without a probe.",
      handshake + "> len=1000\n< ACK win=0 ①\n+250ms\n< ACK win=900 ②\n", at: [1, 2], .toClient,
      confidence: .medium, cost: .delay(nanoseconds: 251_000_000)),
    .fires(
      rule, "A probe is lost, or what would have opened the window.",
      handshake
        + "> len=9\n< len=1000\n> ACK win=0 ①\n+300ms\n< ACK seq-1 ②\n> ACK win=0 ③\n+700ms\n< ACK seq-1\n+3s\n> ACK win=5000\n",
      at: [1, 2, 3], .toServer, cost: .delay(nanoseconds: 302_000_000),
      says: "then a probe had no answer for 3.00", fix: "was lost or held on the way"),
    .fires(
      rule, "Linux answers no probe within half a second of its last answer: none was lost.",
      handshake
        + "> len=9\n< len=1000\n> ACK win=0 ①\n+220ms\n< ACK seq-1 ②\n> ACK win=0\n+430ms\n< ACK seq-1\n+410ms\n> ACK win=5000 ③\n",
      at: [1, 2, 3], .toServer, cost: .delay(nanoseconds: 1_064_000_000), says: "did not read for 1.064 s",
      fix: "not at the sender or the network"),
    .fires(
      rule, "It never opens again.",
      handshake + "> len=1000\n< ACK win=0 ①\n+2s\n> ACK seq-1 ②\n< ACK win=0\n+4s\n> ACK seq-1 ③\n", at: [1, 2, 3],
      .toClient, cost: .delay(nanoseconds: 6_003_000_000), says: "to the end"),
    .fires(
      rule, "It never opens again, and the sender gives up.",
      handshake + "> len=1000\n< ACK win=0 ①\n+2s\n> ACK seq-1 ②\n< ACK win=0\n+4s\n> RST ③\n", at: [1, 2, 3],
      .toClient, severity: .error, cost: .delay(nanoseconds: 6_003_000_000), says: "to the end"),
    .fires(
      rule, "The window is shut for long, and nobody asks: nobody had anything to send.",
      handshake + "> len=1000\n< ACK win=0 ①\n+3s\n< ACK win=900 ②\n", at: [1, 2], .toClient,
      confidence: .medium, says: "the sender had no more to send"),
    .fires(
      rule, "Packets were lost before this point for longer than the window was closed.",
      "> SYN\n< SYN ACK id=0\n> ACK\n> len=9\n" + (1...6).map { "< len=100 id=\(700 + $0)\n> ACK\n" }.joined()
        + "+2s\n< len=100 id=712\n> ACK\n< len=1000 id=713\n> ACK win=0 ①\n+300ms\n> ACK win=5000 ②\n", at: [1, 2],
      .toServer,
      confidence: .medium, cost: .delay(nanoseconds: 301_000_000), says: "did not read for 0.301 s",
      fix: "lost or held before this capture point for 2.00"),
    .fires(
      rule, "What the sender asked is not in the capture, and its answer is.",
      handshake + "> len=9\n< len=1000\n> ACK win=0 ①\n+1s\n> ACK win=0\n+2s\n> ACK win=5000 ②\n", at: [1, 2],
      .toServer,
      confidence: .medium, cost: .delay(nanoseconds: 3_002_000_000), says: "the server had to wait"),
    .fires(
      rule, "A player of video has enough for now.", closing("video/webm", "7s"), at: [1, 2, 3], .toServer,
      severity: .note, says: "it has enough of what it plays for now"),
    .fires(
      rule, "A broadcast, which has no length, waits for nobody.",
      closing("audio/mpeg", "7s", framing: ""), at: [1, 2, 3], .toServer, severity: .error,
      cost: .delay(nanoseconds: 10_003_000_000)),
    .fires(
      rule, "A download that waits for seven seconds, and goes on.", closing("application/zip", "7s"), at: [1, 2, 3],
      .toServer, cost: .delay(nanoseconds: 10_003_000_000)),
    .fires(
      rule, "A stream of events that waits as long.", closing("text/event-stream", "7s"), at: [1, 2, 3], .toServer,
      severity: .error, cost: .delay(nanoseconds: 10_003_000_000)),
    .silent(
      rule, "It opens again at once.", handshake + "> len=1000\n< ACK win=0\n+100ms\n< ACK win=900\n> len=9\n< ACK\n"),
    .silent(rule, "A small window is no shut one.", handshake + "> len=1000\n< ACK win=1\n+3s\n< ACK win=900\n"),
    .silent(rule, "The last acknowledgement before the end has a window of 0.", handshake + "> len=9\n< ACK win=0\n"),
    .silent(rule, "A reset has no window.", handshake + "> len=9\n< ACK\n+3s\n< RST win=0\n"),
  ]
}

enum RetransmissionGapRows {
  private static let rule: RuleID = "tcp/retransmission-gap"

  /// Its head has 43 bytes.
  private static let download =
    handshake + "> \"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\" ts=1/1\n"
    + "\(answer) ts=1000/1 ①\n> ACK\n"
  private static let answer = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 100000\\r\\n\\r\\n\" len=100"

  /// A client that retransmits 54 B so often, behind data of the server that was not captured.
  private static func unheard(_ copies: Int, _ last: String = "") -> String {
    handshake + "> len=9\n< ACK\n< len=100 !lost\n> ACK\n> len=54 ①\n"
      + (0..<copies).map { "+\(300 << $0)ms\n> len=54 @9 \($0 == copies - 1 ? last : "")\n" }.joined()
  }

  static let rows: [RuleRow] = [
    .fires(
      rule,
      "Nobody acknowledges, and the capture lacks packets of both: so many copies say that the sender heard nothing.",
      unheard(4, "②"), at: [1, 2], .toServer, confidence: .medium, cost: .delay(nanoseconds: 4_504_000_000),
      says: "54 B of the client were retransmitted for 4.504 s, and nothing in the capture acknowledges them",
      fix: "capture on the other side"),
    .fires(
      rule, "After two copies it may have heard something that the capture lacks.", unheard(2, "②"), at: [1, 2],
      .toServer, cost: .delay(nanoseconds: 902_000_000), says: "of the client that were lost and retransmitted"),
    .fires(
      rule, "A probe repeats the end of what is lost, and the timer's copies all of it.",
      handshake + "> \"first\"\n> \"again\" ①\n+200ms\n> \"again\" @5\n+400ms\n> \"firstagain\" @0\n+800ms\n"
        + "> \"firstagain\" @0\n+1600ms\n> \"firstagain\" @0 ②\n< ACK\n",
      at: [1, 2], .toServer, cost: .delay(nanoseconds: 3_004_000_000)),
    .fires(
      rule, "The timer runs out, and the copy arrives.", handshake + "> len=500 ①\n+600ms\n> len=500 @0 ②\n< ACK\n",
      at: [1, 2], .toServer, cost: .delay(nanoseconds: 601_000_000), says: "The server waited 0.601 s for 500 B"),
    .fires(
      "tcp/path-stall", "A radio sleeps for two seconds, and the first copy is answered when it wakes up.",
      handshake + "> len=500 ts=100/1 ①\n+600ms\n> len=500 @0 ts=700/1\n+2s\n< ACK ts=900/100 ②\n", at: [1, 2],
      .toServer, cost: .delay(nanoseconds: 2_602_000_000),
      says: "were acknowledged after 2.602 s, and not lost: the acknowledgement answers the first copy of 2."),
    .silent(
      "tcp/path-stall", "What follows is retransmitted right behind the acknowledgement: it was lost.",
      handshake
        + "> len=500 ts=100/1\n> len=500 ts=100/1\n+600ms\n> len=500 @0 ts=700/1\n+2s\n< ACK ack=500 ts=900/100\n"
        + "> len=500 @500 ts=2700/900\n< ACK ts=910/2700\n"),
    .fires(
      "tcp/path-stall", "A segment was sent three seconds before it comes, by its timestamp.",
      download + "+3s\n< len=100 ts=1040/1 ②\n> ACK\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 2_962_000_000), says: "were held on their way for 2.962 s: in 3.002 s its own clock"),
    .silent(
      "tcp/path-stall", "Both ends' clocks went on as little: the capture's jumped.",
      handshake + "> \"POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 900\\r\\n\\r\\n\" len=100 ts=1/1\n"
        + "\(answer) ts=1000/1\n> ACK\n+3s\n< len=100 ts=1040/1\n> len=100 ts=40/1040\n< ACK\n"),
    .fires(
      "tcp/path-stall", "Without time stamps, the receiver says that it had the copy twice.",
      handshake + "> len=500 ①\n+600ms\n> len=500 @0\n+2s\n< ACK sack=0-500 ②\n", at: [1, 2], .toServer,
      cost: .delay(nanoseconds: 2_602_000_000), says: "and not lost"),
    .silent(
      "tcp/retransmission-gap", "The receiver says that it had the copy twice.",
      handshake + "> len=500\n+600ms\n> len=500 @0\n< ACK sack=0-500\n> len=10\n< ACK\n"),
    .silent("tcp/path-stall", "The sender's clock went on as long.", download + "+3s\n< len=100 ts=4002/1\n> ACK\n"),
    .silent(
      "tcp/path-stall", "Its clock ticks a hundred times a second.", download + "+3s\n< len=100 ts=1300/1\n> ACK\n"),
    .silent("tcp/path-stall", "Its clock ticks once a second.", download + "+3s\n< len=100 ts=1003/1\n> ACK\n"),
    .silent("tcp/path-stall", "Its clock stands.", download + "+3s\n< len=100 ts=1000/1\n> ACK\n"),
    .silent(
      "http/download-stall", "The network held what the server had sent.",
      download + "+3s\n< len=100 ts=1040/1\n> ACK\n"),
    .silent(
      rule, "A pause with a copy of what had been acknowledged.",
      download + "< len=100 ts=1001/1\n+3s\n\(answer) @0 ts=4000/1\n+1s\n> ACK\n< len=100 ts=5000/1\n> ACK\n"),
    .silent(
      rule, "A pause at whose end a hole is filled at once.",
      download + "+3s\n< len=100 @243 ts=4000/1\n> ACK ack=143\n+20ms\n< len=100 @143 ts=4020/1\n> ACK\n"),
    .silent(
      rule, "A pause in which a copy is sent, and the first one is answered.",
      download + "< len=100 ts=1100/1\n+300ms\n< len=100 @143 ts=1400/1\n+600ms\n< len=100 @143 ts=2000/1\n+2s\n"
        + "> ACK ts=9/1100\n+2s\n< len=100 ts=6100/9\n> ACK\n"),
    .silent(
      rule, "What is retransmitted comes nowhere, and the client resets: nothing goes on.",
      download + "< len=100 ts=1100/1\n+300ms\n< len=100 @143 ts=1400/1\n+600ms\n< len=100 @143 ts=2000/1\n+2s\n> RST\n"
    ),
    .fires(
      rule, "Behind an outage: a copy of what had arrived, and a hole.",
      download + "+3s\n\(answer) @0 ts=4000/1 ②\n> ACK\n+100ms\n< len=100 @243 ts=4100/1\n> ACK ack=143\n+50ms\n"
        + "< len=100 @143 ts=4150/1 ③\n> ACK\n", at: [1, 2, 3], .toClient,
      cost: .delay(nanoseconds: 3_156_000_000), says: "The client got nothing new of the server for 3.15"),
    .silent(
      "tcp/path-stall", "The copy is answered: the first one was lost.",
      handshake + "> len=500 ts=100/1\n+600ms\n> len=500 @0 ts=700/1\n+2s\n< ACK ts=900/700\n"),
    .silent(
      "tcp/path-stall", "Six tenths of a second are a hasty timer.",
      handshake + "> len=500 ts=100/1\n+600ms\n> len=500 @0 ts=700/1\n< ACK ts=900/100\n"),
    .silent(
      "tcp/path-stall", "The receiver's window was closed meanwhile.",
      handshake
        + "> len=500 ts=100/1\n< ACK ack=0 win=0 ts=200/90\n+600ms\n> len=500 @0 ts=700/1\n+2s\n< ACK ts=900/100\n"),
    .silent(
      rule, "The acknowledgement echoes the clock of the first copy: nothing was lost.",
      handshake + "> len=500 ts=100/1\n+600ms\n> len=500 @0 ts=700/1\n+20ms\n< ACK ts=900/100\n"),
    .fires(
      rule, "The acknowledgement echoes the clock of the copy.",
      handshake + "> len=500 ts=100/1 ①\n+600ms\n> len=500 @0 ts=700/1 ②\n< ACK ts=900/700\n", at: [1, 2], .toServer,
      cost: .delay(nanoseconds: 601_000_000)),
    .silent(
      rule, "What acknowledges the copy comes ten seconds later: the copy did not end the wait.",
      handshake + "> len=500\n+600ms\n> len=500 @0\n+10s\n< ACK\n"),
    .silent(
      rule, "Other bytes under the same numbers are no copy.",
      handshake + "> \"abcdefghij\"\n+600ms\n> \"ABCDEFGHIJ\" @0\n< ACK\n"),
    .silent(
      rule, "Where that happened, a copy that the receiver did not ask for need not be one.",
      handshake + "> \"abcdefghij\"\n< ACK\n> \"ABCDEFGHIJ\" @0\n> len=500\n+600ms\n> len=500 @10\n< ACK\n"),
    .fires(
      rule, "What it asked for was lost, whatever else is wrong.",
      handshake + "> \"abcdefghij\"\n< ACK\n> \"ABCDEFGHIJ\" @0\n> len=500 !lost\n> len=500 ①\n"
        + "< ack=10 id=7\n< ack=10 id=8\n< ack=10 id=9\n+600ms\n> len=500 @10 ②\n< ACK\n", at: [1, 2], .toServer,
      cost: .delay(nanoseconds: 604_000_000)),
    .silent(
      rule, "The segment was too large for the path, as an ICMP error says.",
      handshake + "> len=1400\n< icmp=3/4\n+600ms\n> len=1400 @0\n< ACK\n"),
    .fires(
      rule, "The timer runs out twice: one wait.",
      handshake + "> len=500 ①\n+300ms\n> len=500 @0\n+600ms\n> len=500 @0 ②\n< ACK\n", at: [1, 2], .toServer,
      cost: .delay(nanoseconds: 902_000_000)),
    .fires(
      rule, "What was lost went in two segments, and so does each copy: one wait.",
      handshake + "> len=300\n> len=200 now ①\n+300ms\n> len=300 @0\n> len=200 @300 now\n+600ms\n> len=300 @0\n"
        + "> len=200 @300 now ②\n< ACK\n",
      at: [1, 2], .toServer, cost: .delay(nanoseconds: 902_000_000), says: "waited 0.902 s for 500 B"),
    .fires(
      rule, "The first copy was lost before the capture point: the hole is seen from the packet behind it.",
      handshake + "> len=9\n< len=500 !lost\n< len=500 ①\n> ack=0\n+800ms\n< len=500 @0 ②\n> ACK\n", at: [1, 2],
      .toClient, cost: .delay(nanoseconds: 802_000_000)),
    .fires(
      rule, "The capture is at the client, and has both copies: its own side dropped the first.",
      "> SYN\n+25ms\n< SYN ACK\n> ACK\n> len=9\n< len=500 ①\n+600ms\n< len=500 @0 ②\n> ACK\n", at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 601_000_000), says: "lost behind the capture point and retransmitted"),
    .fires(
      rule, "The capture is at the client, and lacks the first copy.",
      "> SYN\n+25ms\n< SYN ACK\n> ACK\n> len=9\n< len=500 !lost\n< len=500 ①\n> ack=0\n+800ms\n< len=500 @0 ②\n> ACK\n",
      at: [1, 2], .toClient, cost: .delay(nanoseconds: 802_000_000), says: "lost and retransmitted"),
    .fires(
      rule, "Two waits on one connection.",
      handshake + "> len=500 ①\n+600ms\n> len=500 @0 ②\n< ACK\n> len=500 ③\n+700ms\n> len=500 @500 ④\n< ACK\n",
      at: [1, 2, 3, 4], .toServer, cost: .delay(nanoseconds: 1_302_000_000), count: 2, says: "2 such waits"),
    .silent(rule, "A shorter wait.", handshake + "> len=500\n+300ms\n> len=500 @0\n< ACK\n"),
    .silent(
      rule, "Four round trips are longer than the wait.",
      "> SYN\n+200ms\n< SYN ACK\n> ACK\n> len=500\n+600ms\n> len=500 @0\n< ACK\n"),
    .silent(
      rule, "Nobody ever acknowledges: there is no end of the wait.", handshake + "> len=500\n+600ms\n> len=500 @0\n"),
    .silent(
      rule, "Nor of copies in two segments.",
      handshake + "> len=500\n+600ms\n> len=300 @0\n> len=200 @300 now\n+1s\n> len=300 @0\n> len=200 @300 now\n"),
    .silent(
      rule, "Of the receiver nothing was captured: nobody knows whether the copies arrived.",
      "> len=500\n+600ms\n> len=500 @0\n+1s\n> len=500 @0\n"),
    .silent(rule, "Nothing is sent again: the sender had a pause.", handshake + "> len=500\n+2s\n> len=500\n< ACK\n"),
    .silent(
      rule, "It had been acknowledged; the copy was for nothing.", handshake + "> len=500\n< ACK\n+2s\n> len=500 @0\n"),
    .silent(
      rule, "The window was shut, and a byte of it was sent again and again.",
      handshake
        + "> len=5\n< ACK win=0\n+1s\n> \"x\"\n< ack=5 win=0\n+2s\n> \"x\" @5\n< ack=5 win=0\n+1s\n< ack=6 win=900\n"),
  ]
}

enum DelayedAckStallRows {
  private static let rule: RuleID = "tcp/delayed-ack-stall"

  static let rows: [RuleRow] = [
    .fires(
      rule, "Head and body are written apart, three times.",
      handshake + turn("①", "②", "③", after: "") + turn("", "", "④", after: "") + turn("", "", "⑤", after: ""),
      at: [1, 2, 3, 4, 5], .toClient, cost: .delay(nanoseconds: 126_000_000), count: 3, says: "42.0 ms each"),
    .silent(
      rule, "Nothing follows most late acknowledgements: what follows some does so by chance.",
      handshake + String(repeating: turn("", "", "", after: ""), count: 4)
        + String(repeating: turn("", "", "", after: "+30ms\n"), count: 6)),
    .silent(
      rule, "It comes two milliseconds sooner than the acknowledgement could have called for it.",
      "> SYN\n+19ms\n< SYN ACK\n> ACK\n"
        + String(repeating: "> \"ask\"\n< \"head\"\n+60ms\n> ACK\n+16ms\n< \"body\"\n> ACK\n", count: 4)),
    .silent(rule, "Twice may be chance.", handshake + turn("", "", "", after: "") + turn("", "", "", after: "")),
    .silent(
      rule, "The next segment comes a while after the acknowledgement: it was not ready.",
      handshake + String(repeating: turn("", "", "", after: "+10ms\n"), count: 4)),
    .silent(
      rule, "Full segments are not held.",
      handshake + String(repeating: "> \"ask\"\n< len=1460\n+40ms\n> ACK\n< len=1460\n> ACK\n", count: 4)),
    .silent(
      rule, "Nor are those of a path with small ones.",
      handshake + String(repeating: "> \"ask\"\n< len=1360\n+40ms\n> ACK\n< len=1360\n> ACK\n", count: 4)),
    .silent(
      rule, "All waits are the same to the nanosecond: the file was retimed.",
      far + String(repeating: "> \"ask\"\n< \"head\"\n+99ms\n> ACK\n+99ms\n< \"body\"\n> ACK\n", count: 4)),
    .silent(
      rule, "The next segment comes sooner than the acknowledgement could have called for it.",
      far + String(repeating: "> \"ask\"\n< \"head\"\n+90ms\n> ACK\n+60ms\n< \"body\"\n> ACK\n", count: 4)),
    .silent(
      rule, "The acknowledgement is no later than the way to the client and back.",
      "> SYN\n< SYN ACK\n+60ms\n> ACK\n"
        + String(repeating: "> \"ask\"\n< \"head\"\n+60ms\n> ACK\n< \"body\"\n> ACK\n", count: 4)),
    .silent(
      rule, "The acknowledgement brings the next question, so the next segment is its answer.",
      handshake + String(repeating: "> \"ask\"\n< \"answer\"\n+40ms\n", count: 5)),
    .silent(
      rule, "The late acknowledgement covers all, and nothing waits for it.",
      handshake + String(repeating: "> \"ask\"\n< \"head\"\n< \"body\"\n+40ms\n> ACK\n+20ms\n", count: 4)),
  ]

  /// A server a tenth of a second away.
  private static let far = "> SYN\n+99ms\n< SYN ACK\n> ACK\n"

  private static func turn(_ head: String, _ ack: String, _ body: String, after pause: String) -> String {
    "> \"ask\"\n< \"head\" \(head)\n+40ms\n> ACK \(ack)\n\(pause)< \"body\" \(body)\n> ACK\n"
  }
}

enum KeepAliveRows {
  private static let only: RuleID = "tcp/keepalive-only"
  private static let failed: RuleID = "tcp/keepalive-fail"

  static let rows: [RuleRow] = [
    .fires(
      only, "Three probes in 40 s, and nothing else.",
      handshake + "> len=9\n< ACK\n+20s\n> ACK seq-1 ①\n< ACK\n+20s\n> ACK seq-1\n< ACK\n+20s\n> ACK seq-1 ②\n< ACK\n",
      at: [1, 2], .toServer, says: "For 40.004 s"),
    .silent(
      only, "Data comes between the probes.",
      handshake + "> len=9\n< ACK\n+20s\n> ACK seq-1\n< ACK\n+20s\n> len=9\n< ACK\n+20s\n> ACK seq-1\n< ACK\n"),
    .silent(
      only, "The other side's data comes between the probes.",
      handshake + "> len=9\n< ACK\n+20s\n> ACK seq-1\n< ACK\n+20s\n< len=9\n> ACK\n+20s\n> ACK seq-1\n< ACK\n"),
    .silent(
      only, "One probe, and it was captured twice.",
      handshake + "> \"data\"\n< ACK\n+40s\n> x\"00\" @3 id=7\n> x\"00\" @3 id=7\n< ACK\n+20s\n> FIN\n"),
    .fires(
      only, "Two probes, each captured twice.",
      handshake + "> \"data\"\n< ACK\n+40s\n> x\"00\" @3 id=7 ①\n> x\"00\" @3 id=7\n< ACK\n+40s\n> x\"00\" @3 id=8 ②\n"
        + "> x\"00\" @3 id=8\n< ACK\n", at: [1, 2], .toServer, says: "one each 40.0"),
    .silent(only, "Two probes in 20 s.", handshake + "> len=9\n< ACK\n+20s\n> ACK seq-1\n< ACK\n+20s\n> ACK seq-1\n"),
    .fires(
      failed, "Three probes, no answer, and the client gives up.",
      handshake + "> len=9\n< ACK\n+20s\n> ACK seq-1 ①\n+1s\n> ACK seq-1\n+1s\n> ACK seq-1 ②\n+1s\n> RST ③\n",
      at: [1, 2, 3], .toClient, cost: .failed(.connection), says: "3 keep-alive probes unanswered for 3.003 s"),
    .fires(
      failed, "The probes before were answered.",
      handshake
        + "> len=9\n< ACK\n+20s\n> ACK seq-1\n< ACK\n+1s\n> ACK seq-1 ①\n+1s\n> ACK seq-1\n+1s\n> ACK seq-1 ②\n+1s\n> RST ③\n",
      at: [1, 2, 3], .toClient, cost: .failed(.connection), fix: "nothing had evicted the connection"),
    .silent(
      failed, "The last probe is answered.",
      handshake + "> len=9\n< ACK\n+20s\n> ACK seq-1\n+1s\n> ACK seq-1\n+1s\n> ACK seq-1\n< ACK\n+1s\n> RST\n"),
    .silent(
      failed, "The answers are not in the capture.",
      "> SYN\n> ACK\n> len=9\n+20s\n> ACK seq-1\n+1s\n> ACK seq-1\n+1s\n> ACK seq-1\n+1s\n> RST\n"),
    .silent(
      failed, "Nobody gave up yet.",
      handshake + "> len=9\n< ACK\n+20s\n> ACK seq-1\n+1s\n> ACK seq-1\n+1s\n> ACK seq-1\n"),
  ]
}

enum CloseWaitRows {
  private static let rule: RuleID = "tcp/close-wait-linger"

  static let rows: [RuleRow] = [
    .fires(
      rule, "The server has closed, the client does not notice; another connection shows how long.",
      handshake + "> len=9\n< len=9\n> ACK\n< FIN ①\n> ACK\n" + later, at: [1], .toServer,
      says: "for 39.9"),
    .fires(
      rule, "The client closes in the end.",
      handshake + "> len=9\n< len=9\n> ACK\n< FIN ①\n> ACK\n+50s\n> FIN ②\n< ACK\n", at: [1, 2], .toServer,
      says: "for 50.00"),
    .silent(
      rule, "It closes late, and had something to say.",
      handshake + "> len=9\n< len=9\n> ACK\n< FIN\n> ACK\n+20s\n> len=5\n+30s\n> FIN\n< ACK\n"),
    .silent(rule, "The client closes, too.", handshake + "> len=9\n< len=9\n> ACK\n< FIN\n> FIN\n< ACK\n" + later),
    .silent(rule, "The client resets.", handshake + "> len=9\n< len=9\n> ACK\n< FIN\n> RST\n" + later),
    .silent(rule, "The client still sends.", handshake + "> len=9\n< FIN\n> len=500\n< ACK\n" + later),
    .silent(rule, "The capture ends soon.", handshake + "> len=9\n< FIN\n> ACK\n+3s\n> ACK\n"),
  ]

  private static let later = "== 192.0.2.1:40000 192.0.2.9:80 +40s\n> SYN\n"
}

enum SegmentBlackHoleRows {
  private static let rule: RuleID = "tcp/mss-blackhole"

  /// A segment that the capture lacks, and its receiver, too, which leaves after a while.
  private static func near(
    _ length: String, _ wait: String, before: Int = 200, behind: Int = 300, asks: String = ""
  ) -> String {
    handshake
      + "> len=90\n< len=\(before)\n> ack=\(before)\n< len=\(length) !lost\n< len=\(behind) ①\n> ack=\(before) \(asks)\n\(wait)\n"
      + "> FIN ack=\(before) ②\n"
  }

  static let rows: [RuleRow] = [
    .fires(
      rule, "Two full segments in vain, then a small one passes.",
      handshake
        + "> len=90\n< len=1448 ①\n+300ms\n< len=1448 @0\n+600ms\n< len=1448 @0 ②\n+1200ms\n< len=536 @0 ③\n> ack=536\n",
      at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 2_103_000_000),
      says: "retransmitted 1,448 B 2 times without effect"),
    .fires(
      rule, "Near the receiver: a full segment never comes, and what is behind it does.",
      near("1448", "+3s"), at: [1, 2], .toClient, severity: .error, cost: .failed(.connection),
      says: "1,448 B of the server never came, though smaller packets behind them did"),
    .fires(
      rule, "Near the receiver: its window has grown when it asks.", near("1448", "+3s", asks: "win=600"), at: [1, 2],
      .toClient, severity: .error, cost: .failed(.connection), says: "1,448 B of the server never came"),
    .silent(rule, "Near the receiver: one as large came before.", near("1448", "+3s", before: 1_448)),
    .fires(
      rule, "Near the receiver: one as large came before, and its sender is heard at the end.",
      near("1448", "+3s", before: 1_448).replacing(" ②", with: "") + "< ACK ②\n", at: [1, 2], .toClient,
      severity: .error, cost: .failed(.connection), says: "; as large ones had come before."),
    .silent(rule, "Near the receiver: one as large came behind.", near("1448", "+3s", behind: 1_448)),
    .silent(
      rule, "Near the receiver: one as large came behind, and its sender is heard at the end.",
      near("1448", "+3s", behind: 1_448) + "< ACK\n"),
    .silent(
      rule, "Near the receiver: one as large came before, and its sender is heard for the last time a second later.",
      near("1448", "+1s\n< ACK\n+3s", before: 1_448)),
    .silent(rule, "Near the receiver: a small one.", near("900", "+3s")),
    .silent(rule, "Near the receiver: it may still come.", near("1448", "+1s")),
    .silent(
      rule, "The full segment comes through in the end.",
      handshake + "> len=90\n< len=1448\n+300ms\n< len=1448 @0\n+600ms\n< len=1448 @0\n> ACK\n> FIN\n< FIN\n"),
    .silent(
      rule, "The other side has gone.",
      handshake + "> len=90\n< len=1448\n+300ms\n< len=1448 @0\n+600ms\n< len=1448 @0\n+1200ms\n< len=1448 @0\n"),
    .silent(
      rule, "Small segments vanish as well.",
      handshake + "> len=90\n< len=90\n+300ms\n< len=90 @0\n+600ms\n< len=90 @0\n> ACK\n"),
  ]
}

enum PathRows {
  private static let tooLarge: RuleID = "tcp/path-mtu"
  private static let slow: RuleID = "tcp/high-rtt"
  private static let get = "> \"GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\""
  private static let ok = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\""

  static let rows: [RuleRow] = [
    .fires(
      tooLarge, "An ICMP error says so, and the sender waits for its timer.",
      handshake + "> len=1400\n< icmp=3/4 ①\n+600ms\n> len=1400 @0 ②\n< ACK\n", at: [1, 2],
      .toServer,
      cost: .delay(nanoseconds: 602_000_000),
      says: "too large for the path, as an ICMP error says, and were retransmitted"),
    .silent(
      tooLarge, "The sender cuts its data anew at once, as it is meant.",
      handshake + "> len=1400\n< icmp=3/4\n> len=1000 @0\n> len=400 @1000\n< ACK\n"),
    .silent(
      tooLarge, "Another ICMP error.",
      handshake + "> len=1400\n< icmp=3/1\n+600ms\n> len=1400 @0\n< ACK\n"),
    .fires(
      slow, "Handshake and first answer take most of a second.",
      "> SYN ①\n+880ms\n< SYN ACK ②\n> ACK\n\(get) ③\n+900ms\n\(ok) ④\n", at: [1, 2, 3, 4],
      cost: .delay(nanoseconds: 882_000_000), says: "the handshake's round trip took 0.882 s"),
    .silent(
      slow, "The server is slow to accept, and answers at once then.",
      "> SYN\n+880ms\n< SYN ACK\n> ACK\n\(get)\n+20ms\n\(ok)\n"),
    .silent(
      slow, "The first packet alone waited, and the server took its time.",
      "> SYN\n+880ms\n< SYN ACK\n> ACK\n\(get)\n+3s\n\(ok)\n"),
    .silent(
      slow, "Another connection of the same hosts was opened at once.",
      "== 10.0.0.1:40000 10.0.0.2:80\n> SYN\n+880ms\n< SYN ACK\n> ACK\n\(get)\n+900ms\n\(ok)\n> FIN\n< FIN\n"
        + "== 10.0.0.1:40001 10.0.0.2:80 +3s\n> SYN\n+20ms\n< SYN ACK\n> ACK\n\(get)\n+30ms\n\(ok)\n> FIN\n< FIN\n"),
    .silent(
      slow, "The server's packets stand behind the client's in the capture: of two round trips none is shown.",
      "> SYN\n> ACK ack=1\n\(get)\n+400us\n< SYN ACK\n+1500ms\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n\"\n> ACK\n< \"hi\"\n"),
    .silent(
      slow, "The first SYN was lost.",
      "> SYN\n+1s\n> SYN\n< SYN ACK\n> ACK\n\(get)\n+900ms\n\(ok)\n"),
    .silent(
      slow, "A fifth of a second.", "> SYN\n+200ms\n< SYN ACK\n> ACK\n\(get)\n+900ms\n\(ok)\n"),
  ]
}
// x
