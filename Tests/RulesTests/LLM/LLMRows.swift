import Events

/// Answers of language models.
enum LLMRows {
  private static let head =
    #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\r\n""#

  /// A request, and what its answer consists of; `line` by `line`, the server's FIN behind it where `ends`.
  static func ask(_ lines: String..., ends: Bool = true) -> String {
    let asked = #"> "POST /v1/chat/completions HTTP/1.1\r\nHost: h.example\r\nContent-Length: 2\r\n\r\n{}""#
    return ([handshake + asked, head] + lines + (ends ? ["< FIN"] : [])).joined(separator: "\n") + "\n"
  }

  static func event(_ data: String, _ mark: String = "") -> String {
    #"< "data: \#(data)\n\n" \#(mark)"#
  }

  private static let content = #"{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}"#
  private static let finish = event(#"{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}"#)
  private static let done = event("[DONE]")

  static func delta(_ mark: String = "") -> String { event(content, mark) }

  /// One each 31 ms.
  static func deltas(_ count: Int) -> String {
    (0..<count).map { _ in "+30ms\n" + delta() }.joined(separator: "\n")
  }

  /// In one packet.
  static func together(_ count: Int, _ mark: String = "") -> String {
    #"< "\#(String(repeating: #"data: \#(content)\n\n"#, count: count))" \#(mark)"#
  }

  static let rows: [RuleRow] = pace + ends

  private static let pace: [RuleRow] = [
    .fires(
      "llm/stall", "2.5 s in an answer of 31 ms a delta.",
      ask(deltas(12), "+30ms", delta("①"), "+2500ms", delta("②"), deltas(12), finish, done), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 2_501_000_000), says: "stopped for 2.501 s in the middle of the answer"),
    .fires(
      "llm/stall", "The client leaves in it; the server goes on two seconds later.",
      ask(
        deltas(12), "+30ms", delta("①"), "+1500ms", "> FIN ②", "+2s", delta(), "> RST", ends: false), at: [1, 2],
      .toClient,
      cost: .delay(nanoseconds: 1_501_000_000), says: "and the client left"),
    .fires(
      "llm/stall", "What the model writes meanwhile comes at once behind the silence.",
      ask(deltas(60), "+30ms", delta("①"), "+2500ms", delta("②"), together(50), deltas(12), finish, done), at: [1, 2],
      .toClient, cost: .delay(nanoseconds: 2_501_000_000), says: "so that it was held on the way",
      fix: "find what held the bytes"),
    .fires(
      "llm/stall", "A third of it comes at once: the model paused, and caught up.",
      ask(deltas(60), "+30ms", delta("①"), "+2500ms", delta("②"), together(27), deltas(12), finish, done), at: [1, 2],
      .toClient, cost: .delay(nanoseconds: 2_501_000_000), says: "in the middle of the answer; their beat is",
      fix: "the scheduler"),
    .fires(
      "llm/stall", "Nothing more comes, and the client leaves after four seconds.",
      ask(deltas(12), "+30ms", delta("①"), "+4s", "> RST ②", ends: false), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 4_001_000_000),
      says: ", and the client left."),
    .fires(
      "llm/stall", "It stops after six deltas, and the client leaves.",
      ask(deltas(5), "+30ms", delta("①"), "+4s", "> RST ②", ends: false), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 4_001_000_000), says: "their beat is 31.0 ms, and the client left."),
    .silent("llm/stall", "It stops after four.", ask(deltas(4), "+4s", "> RST", ends: false)),
    .silent(
      "llm/stall", "One of its few deltas took a third of a second already.",
      ask(deltas(4), "+330ms", delta(), delta(), "+4s", "> RST", ends: false)),
    .fires(
      "llm/stall", "Most of the answer comes at once behind it.",
      ask(deltas(20), "+30ms", delta("①"), "+2500ms", delta("②"), together(50), finish, done), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 2_501_000_000), says: "so that it was held on the way"),
    .silent(
      "llm/stall", "The client leaves a second and a half behind the last delta.",
      ask(deltas(12), "+1500ms", "> RST", ends: false)),
    .silent(
      "llm/stall", "The client leaves four seconds behind the answer's end.",
      ask(deltas(12), finish, "+4s", "> RST", ends: false)),
    .silent(
      "llm/stall", "The capture lacks what came in it.",
      ask(
        deltas(12), "+30ms", delta(), "+1200ms", event(content, "!lost"), "+1300ms", delta(), deltas(12), finish, done)),
    .silent(
      "llm/stall", "The client leaves after half a second, and the server goes on three seconds later.",
      ask(deltas(12), "+30ms", delta(), "+500ms", "> FIN", "+3s", delta(), "> RST", ends: false)),
    .silent(
      "llm/stall", "A slow model: two seconds are its beat.",
      ask((0..<12).map { _ in "+2s\n" + delta() }.joined(separator: "\n"), finish, done)),
    .silent("llm/stall", "Long before the first content.", ask("+3s", deltas(14), finish, done)),
    .silent("llm/stall", "0.9 s.", ask(deltas(12), "+900ms", deltas(12), finish, done)),
    .fires(
      "llm/batched", "Ten deltas each half second.",
      ask(
        together(10), "+500ms", together(10, "①"), "+500ms", together(10, "②"), "+500ms", together(10, "③"), "+500ms",
        together(10), finish, done), at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 501_000_000),
      says: "50 of 50 deltas came in 5 batches of up to 10"),
    .silent(
      "llm/batched", "Four at a time, as speculative decoding writes them.",
      ask((0..<12).map { _ in "+300ms\n" + together(4) }.joined(separator: "\n"), finish, done)),
    .silent("llm/batched", "One batch behind a pause.", ask(deltas(12), "+500ms", together(10), deltas(12), done)),
  ]

  private static let ends: [RuleRow] = [
    .fires(
      "llm/no-end-marker", "The server closes in the middle.", ask(deltas(3), delta("①"), "< FIN ②", ends: false),
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "ended behind 4 deltas, without a finish reason"),
    .fires(
      "llm/no-end-marker", "A finish reason, and no [DONE].",
      ask(delta("①"), finish, "< FIN ②", ends: false), at: [1, 2], .toClient, severity: .note,
      says: "has a finish reason"),
    .silent("llm/no-end-marker", "With its marker.", ask(deltas(3), finish, done)),
    .silent(
      "llm/no-end-marker", "A finish reason is the marker of Gemini.",
      ask(event(#"{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"finishReason\":\"STOP\"}]}"#))),
    .silent("llm/no-end-marker", "The client left.", ask(deltas(3), "> FIN", "< FIN", ends: false)),
    .fires(
      "llm/error-in-stream", "Out of memory behind three deltas.",
      ask(deltas(3), event(#"{\"error\":{\"message\":\"x\",\"type\":\"server_error\"}}"#, "①")), at: [1],
      .toClient, cost: .failed(.exchange), says: "reports an error (server_error) inside the stream"),
    .silent(
      "llm/error-in-stream", "The model writes about errors.",
      ask(event(#"{\"choices\":[{\"delta\":{\"content\":\"{\\\"error\\\":{}}\"}}],\"error\":null}"#), finish, done)),
    .fires(
      "llm/client-cancelled", "The reader presses stop, and the server goes on.",
      ask(delta("①"), deltas(3), "> FIN ②", "+200ms", delta(), "< FIN", ends: false), at: [1, 2], .toServer,
      says: "the server went on for 0.201 s"),
    .silent(
      "llm/client-cancelled", "The client closes behind the end.",
      ask(deltas(3), finish, done, "> FIN", "< FIN", ends: false)),
  ]
}
