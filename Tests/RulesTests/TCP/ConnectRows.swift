import Events

enum ConnectRows {
  private static let retry: RuleID = "tcp/syn-retry"
  private static let parallel: RuleID = "tcp/parallel-connects"
  private static let fallback: RuleID = "tcp/connect-fallback-delay"

  static let rows: [RuleRow] = [
    .fires(
      retry, "The second SYN is answered.", "> SYN ①\n+1s\n> SYN ②\n< SYN ACK ③\n> ACK\n", at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 1_001_000_000), says: "1 time before it was answered, 1.002 s after"),
    .fires(
      retry, "The first SYN is answered, and the answer is lost on its way to the client.",
      "> SYN ①\n< SYN ACK ②\n+3s\n> SYN ③\n< SYN ACK ④\n> ACK\n", at: [1, 2, 3, 4], .toServer,
      cost: .delay(nanoseconds: 3_002_000_000), says: "the server had answered 1.00 ms after the first SYN",
      fix: "find where the answer of 10.0.0.2:80 was lost"),
    .fires(
      retry, "Both SYNs are answered, and the answers come together: the path is slow.",
      "> SYN ①\n+1s\n> SYN ②\n+470ms\n< SYN ACK\n< SYN ACK ③\n> ACK\n", at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 1_001_000_000), says: "the path held packets, or lost the first answer"),
    .fires(
      retry, "The answer echoes the first SYN: that had arrived.",
      "> SYN ts=100/0 ①\n+1s\n> SYN ts=1100/0 ②\n+470ms\n< SYN ACK ts=5000/100 ③\n> ACK ts=1600/5000\n", at: [1, 2, 3],
      .toServer, cost: .delay(nanoseconds: 1_001_000_000),
      says: "it had arrived, and its answer was held or lost on the way",
      fix: "a full queue"),
    .fires(
      retry, "The answer echoes the second SYN.",
      "> SYN ts=100/0 ①\n+1s\n> SYN ts=1100/0 ②\n+470ms\n< SYN ACK ts=5000/1100 ③\n> ACK ts=1600/5000\n",
      at: [1, 2, 3],
      .toServer, cost: .delay(nanoseconds: 1_001_000_000), says: "1 time before it was answered, 1.472 s after"),
    .fires(
      retry, "The client's ACK echoes the first answer: it had arrived.",
      "> SYN ts=100/0 ①\n< SYN ACK ts=5000/100 ②\n+3s\n> SYN ts=3100/0 ③\n< SYN ACK ts=8000/3100 ④\n+2s\n> ACK ts=5100/5000\n",
      at: [1, 2, 3, 4], .toServer, cost: .delay(nanoseconds: 3_002_000_000),
      says: "it was held on the way, and not lost",
      fix: "a full queue"),
    .fires(
      retry, "The client has taken the answer, and the server's timer sends another one.",
      "> SYN ①\n+1s\n> SYN ②\n+200ms\n< SYN ACK ③\n> ACK\n+1s\n< SYN ACK\n", at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 1_001_000_000), says: "1 time before it was answered, 1.202 s after"),
    .fires(
      retry, "One of two SYNs is answered, and the SYN-ACK is retransmitted by its timer.",
      "> SYN ①\n+1s\n> SYN ②\n< SYN ACK\n+1s\n< SYN ACK ③\n> ACK\n", at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 1_001_000_000), says: "1 time before it was answered, 2.003 s after"),
    .fires(
      retry, "A filter says by ICMP that it lets nothing through.",
      "> SYN ①\n< icmp=3/13 ②\n+1s\n> SYN ③\n< icmp=3/13\n", at: [1, 3, 2], .toServer, confidence: .medium,
      cost: .failed(.connection), says: "an ICMP error says that it cannot be reached"),
    .fires(
      retry, "None of three is answered.", "> SYN ①\n+1s\n> SYN\n+2s\n> SYN ②\n", at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.connection), says: "2 times within 3.002 s, and got no answer"),
    .silent(retry, "One SYN, unanswered.", "> SYN\n"),
    .silent(retry, "Refused, tried again and refused again.", "> SYN\n< RST ack=0\n+500ms\n> SYN\n< RST ack=0\n"),
    .silent(retry, "The SYN was captured twice.", "> SYN\n> SYN\n< SYN ACK\n> ACK\n"),
    .silent(
      retry, "The SYN was captured again at the next hop, in a file that was joined with a delay.",
      "> SYN id=7\n+3s\n> SYN id=7 ttl=63\n< SYN ACK\n> ACK\n"),
    .silent(
      retry, "A part of the capture is there twice.",
      "> SYN\n< SYN ACK\n> ACK\n+3s\n> \"ask\"\n< ACK\n+-3005ms\n> SYN @0\n< SYN ACK @0\n> ACK ack=0\n+3s\n> \"ask\" @0\n"
    ),
    .silent(
      retry, "The recording of the server's side stands behind that of the client's.",
      "> SYN\n< SYN ACK\n> ACK\n> \"ask\"\n< ACK\n+5s\n> SYN @0\n< SYN ACK @0\n> ACK ack=0\n> \"ask\" @0\n"),
    .silent(
      retry, "Refused, tried again and answered: no SYN was lost.",
      "> SYN\n< RST ack=0\n+500ms\n> SYN\n< SYN ACK\n> ACK\n"),
    .silent(
      retry, "The server answers the first SYN with an ACK of an earlier connection.",
      "> SYN\n< ACK ack=3000000000 seq+70000\n> RST seq+3000000000\n+3s\n> SYN\n< SYN ACK\n> ACK\n"),
    .silent(retry, "The SYN-ACK was sent again.", "> SYN\n< SYN ACK\n+1s\n< SYN ACK\n> ACK\n"),

    .fires(
      parallel, "IPv6 does not answer, IPv4 is tried 250 ms later.",
      first + "> SYN ①\n" + second("+250ms") + "> SYN ②\n< SYN ACK ③\n" + use, at: [1, 2, 3], .toServer,
      says: "got no answer; 192.0.2.9:80 was tried 0.250 s later"),
    .fires(
      parallel, "IPv6 answers late, and is dropped.",
      first + "> SYN ①\n+400ms\n< SYN ACK\n> RST seq+1\n" + second("+250ms") + "> SYN ②\n< SYN ACK ③\n" + use,
      at: [1, 2, 3], .toServer, says: "was answered after 0.401 s and not used"),
    .silent(
      parallel, "IPv6 is used.", first + "> SYN\n< SYN ACK\n" + use + second("+250ms") + "> SYN\n< SYN ACK\n" + use),
    .silent(
      parallel, "Both to one family are attempts for two names.",
      "== 192.0.2.1:40000 192.0.2.8:80\n> SYN\n" + second("+250ms") + "> SYN\n< SYN ACK\n" + use),
    .silent(
      parallel, "Another port is another service.",
      "== [2001:db8::1]:40000 [2001:db8::9]:443\n> SYN\n" + second("+250ms") + "> SYN\n< SYN ACK\n" + use),
    .silent(
      parallel, "Refused at once, so the other follows at once: nothing ran side by side.",
      first + "> SYN\n< RST ack=0\n" + second("+3ms") + "> SYN\n< SYN ACK\n" + use),

    .fires(
      fallback, "IPv6 is a black hole, and IPv4 is tried after a second.",
      first + "> SYN ①\n" + second("+1s") + "> SYN ②\n< SYN ACK ③\n" + use, at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 1_000_000_000), says: "was delayed by 1.000 s"),
    .fires(
      fallback, "IPv6 is refused after a long way, and only then IPv4 is tried.",
      first + "> SYN ①\n+400ms\n< RST ack=0 ②\n" + second("+402ms") + "> SYN ③\n< SYN ACK ④\n" + use,
      at: [1, 2, 3, 4], .toServer, cost: .delay(nanoseconds: 402_000_000), says: "was refused"),
    .silent(
      fallback, "A router passes on the attempts of two clients.",
      first + "> SYN\n" + second("+1s") + "> SYN\n< SYN ACK\n" + use
        + "== 192.0.2.3:40004 192.0.2.9:80 +5s\n> SYN\n< SYN ACK\n" + use),
    .silent(
      fallback, "The second try is unanswered, too.", first + "> SYN\n" + second("+1s") + "> SYN\n"),
    .silent(
      fallback, "The head start of Happy Eyeballs is no more than meant.",
      first + "> SYN\n" + second("+250ms") + "> SYN\n< SYN ACK\n" + use),
    .silent(
      fallback, "The connections have nothing to do with each other: half a minute lies between.",
      first + "> SYN\n" + second("+30s") + "> SYN\n< SYN ACK\n" + use),
  ]

  private static let first = "== [2001:db8::1]:40000 [2001:db8::9]:80\n"
  private static let use = "> ACK\n> \"ask\"\n< \"answer\"\n"
  private static func second(_ after: String) -> String { "== 192.0.2.1:40002 192.0.2.9:80 \(after)\n" }
}
