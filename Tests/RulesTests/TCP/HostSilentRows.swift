import Events

enum HostSilentRows {
  private static let rule: RuleID = "tcp/host-silent"

  /// What a client of 10.0.0.1 asks and gets, and then asks again and again, until an answer comes.
  static func asked(
    _ number: Int, at start: String = "", of server: String = "10.0.0.2", heard: String = "", _ first: String = "",
    _ last: String = "", then answer: String = answered
  ) -> String {
    "== 10.0.0.1:\(40_000 + number) \(server):80 \(start)\n" + handshake
      + "> len=10\n< len=10 \(heard)\n> ACK\n+200ms\n"
      + "> len=100\n+600ms\n> len=100 @10 \(first)\n+1200ms\n> len=100 @10\n+2400ms\n> len=100 @10 \(last)\n" + answer
  }

  static let answered = "+500ms\n< ACK\n< len=200\n> ACK\n"
  private static let late = "+500ms\n< ACK ④\n< len=200\n> ACK\n"
  private static let alive =
    "== 10.0.0.9:50000 10.0.0.2:80\n" + handshake + String(repeating: "+450ms\n> len=10\n< len=10\n", count: 14)
  /// The first of two is asked first, and answered first.
  private static let both = asked(1, "②", then: late) + asked(2, at: "+20ms", heard: "①", "", "③")
  private static let others =
    asked(3, at: "+40ms", of: "10.0.0.3") + asked(4, at: "+60ms", of: "10.0.0.3")

  static let rows: [RuleRow] = [
    .fires(
      rule, "A server that is not reached on any of two connections.", both, at: [1, 2, 3, 4],
      cost: .delay(nanoseconds: 4_886_000_000),
      says:
        "Nothing came from 10.0.0.2 on any connection for 4.886 s: 10.0.0.1 sent 6 packets without an answer, and retransmitted on 2 connections.",
      fix: "between 10.0.0.1 and 10.0.0.2"),
    .fires(
      rule, "Two servers that are silent for one client at the same time.", both + others, at: [1, 2, 3, 4],
      cost: .delay(nanoseconds: 4_886_000_000), says: "Nothing came from 10.0.0.2 and 1 other host on any connection",
      fix: "near 10.0.0.1"),
    .fires(
      rule, "It is never heard again.",
      asked(1, "②", then: "") + asked(2, at: "+20ms", heard: "①", "", "③", then: ""), at: [1, 2, 3], severity: .error,
      cost: .failed(.connection), count: 2, says: "for 4.405 s until the end of the capture"),
    .silent(rule, "One connection alone: something on the way may have dropped it.", asked(1)),
    .silent(
      rule, "A server that is busy, and whose listen queue is full: it drops SYNs.",
      "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + "> len=10\n< ACK\n+7s\n< len=10\n> ACK\n"
        + [1, 2].map { "== 10.0.0.1:\(40_000 + $0) 10.0.0.2:80 +1s\n> SYN\n+1s\n> SYN\n+2s\n> SYN\n" }.joined()),
    .silent(rule, "Another client is answered meanwhile.", asked(1) + asked(2, at: "+20ms") + alive),
    .silent(rule, "Two servers, one connection each.", asked(1) + asked(2, at: "+20ms", of: "10.0.0.3")),
    .silent(
      rule, "Both connections were idle for long: something on the way may have evicted them.",
      [1, 2].map { asked($0).replacing("+200ms", with: "+40s") }.joined()),
    .silent(
      rule, "Less than three seconds.",
      [1, 2].map { number in
        "== 10.0.0.1:\(40_000 + number) 10.0.0.2:80\n" + handshake + "> len=10\n< len=10\n> ACK\n+200ms\n"
          + "> len=100\n+600ms\n> len=100 @10\n+1200ms\n> len=100 @10\n" + answered
      }.joined()),
    .silent(
      rule, "Nothing of the server was captured.",
      [1, 2].map { number in
        "== 10.0.0.1:\(40_000 + number) 10.0.0.2:80\n> SYN\n> ACK\n"
          + String(repeating: "+700ms\n> len=100\n", count: 9)
      }.joined()),
    .silent(
      rule, "A host that is idle, and is not asked for anything.",
      [1, 2].map { number in
        "== 10.0.0.1:\(40_000 + number) 10.0.0.2:80\n" + handshake
          + "> len=10\n< len=10\n> ACK\n+9s\n> len=10\n< len=10\n"
      }.joined()),
  ]
}
