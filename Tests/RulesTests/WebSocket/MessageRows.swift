import Events

/// Messages in fragments, and how they are written.
enum SocketFragmentRows {
  private typealias S = SocketFrames
  private static let agreed = WebSocketRows.agreed
  private static let complaint = S.down(8, "", "⑤", bytes: S.close(1002)) + "< FIN\n> FIN\n"

  private static func pieces(_ count: Int, of text: String) -> String {
    S.up(1, text, "③", final: false)
      + (2...count).map { S.up(0, text, $0 == count ? "④" : "", final: $0 == count) }.joined()
  }

  private static func messages(_ count: Int, every pause: String, _ text: String = "hi") -> String {
    (1...count).map { S.down(1, text, $0 == 1 ? "③" : $0 == count ? "④" : "") + "+\(pause)\n" }.joined()
  }

  static let rows: [RuleRow] = [
    .fires(
      "ws/fragment-orphan-continuation", "It begins in the middle.", agreed + S.up(0, "hi", "③") + complaint,
      at: [3, 5], .toServer, cost: .failed(.connection)),
    .silent(
      "ws/fragment-orphan-continuation", "A ping between two fragments.",
      agreed + S.up(1, "h", final: false) + S.up(9) + S.up(0, "i") + S.goodbye),
    .fires(
      "ws/fragment-interleaved", "Two messages at once.",
      agreed + S.up(1, "h", "③", final: false) + S.up(1, "x", "④") + complaint, at: [3, 4, 5], .toServer,
      cost: .failed(.connection)),
    .silent(
      "ws/fragment-interleaved", "The other side sends one.",
      agreed + S.up(1, "h", final: false) + S.down(1, "x") + S.up(0, "i") + S.goodbye),
    .fires(
      "ws/fragment-unfinished", "TCP ends.", agreed + S.down(2, "abc", "③", final: false) + "+1s\n< FIN ④\n> FIN\n",
      at: [3, 4], .toClient, cost: .lost(bytes: 3)),
    .fires(
      "ws/fragment-unfinished", "Its sender closes.",
      agreed + S.up(1, "abc", "③", final: false) + S.up(8, "", "④") + S.down(8) + "< FIN\n", at: [3, 4], .toServer,
      cost: .lost(bytes: 3)),
    .fires(
      "ws/fragment-unfinished", "The other side had closed: it was too large.",
      agreed + S.up(2, "abc", "③", final: false) + S.down(8, bytes: S.close(1009, "")) + "< RST ④\n", at: [3, 4],
      .toServer, cost: .lost(bytes: 3)),
    .silent(
      "ws/fragment-unfinished", "It has an end.",
      agreed + S.up(1, "abc", final: false) + S.up(0) + S.goodbye),
    .silent(
      "ws/fragment-unfinished", "The capture ends first.", agreed + S.down(2, "abc", final: false) + "> ACK\n"),
    .fires(
      "ws/fragment-storm", "Letter by letter.", agreed + pieces(8, of: "a") + S.goodbye, at: [3, 4], .toServer,
      says: "8 B into 8 frames"),
    .silent("ws/fragment-storm", "Seven letters.", agreed + pieces(7, of: "a") + S.goodbye),
    .silent("ws/fragment-storm", "Sixteen bytes each.", agreed + pieces(8, of: "0123456789abcdef") + S.goodbye),
    .fires(
      "ws/fragment-stall", "Six seconds.",
      agreed + S.down(1, "a", "③", final: false) + "+6s\n" + S.down(0, "b", "④") + S.goodbye, at: [3, 4], .toClient,
      cost: .delay(nanoseconds: 6_001_000_000)),
    .silent(
      "ws/fragment-stall", "Four seconds.",
      agreed + S.down(1, "a", final: false) + "+4s\n" + S.down(0, "b") + S.goodbye),
    .fires(
      "ws/utf8-invalid-text", "Latin-1, and the server complains.",
      agreed + S.up(1, "", "③", bytes: [0x61, 0xE9, 0x62]) + S.down(8, "", "④", bytes: S.close(1007))
        + "< FIN\n> FIN\n",
      at: [3, 4], .toServer, cost: .failed(.connection), says: "text message 1, which is not UTF-8 at byte 2"),
    .fires(
      "ws/utf8-invalid-text", "Half a character at the end.",
      agreed + S.down(1, "", "③", bytes: [0x61, 0xC3]) + S.goodbye, at: [3], .toClient),
    .silent(
      "ws/utf8-invalid-text", "A character in two fragments.",
      agreed + S.up(1, final: false, bytes: [0xC3]) + S.up(0, bytes: [0xA9]) + S.goodbye),
    .silent("ws/utf8-invalid-text", "Binary.", agreed + S.up(2, bytes: [0xFF]) + S.goodbye),
    .fires(
      "ws/one-way", "Twenty in half a minute.", agreed + messages(20, every: "2s") + S.goodbye, at: [3, 4], .toClient,
      says: "20 messages in 38.019 s"),
    .silent("ws/one-way", "One came back.", agreed + S.up(1, "hi") + messages(20, every: "2s") + S.goodbye),
    .silent("ws/one-way", "Twenty in two seconds.", agreed + messages(20, every: "100ms") + S.goodbye),
    .fires(
      "ws/tiny-flood", "Three hundred a second.", agreed + flood(900, "hi") + S.goodbye, at: [3, 4], .toClient),
    .silent("ws/tiny-flood", "One second of it.", agreed + flood(300, "hi") + "+5s\n" + S.goodbye),
    .silent("ws/tiny-flood", "Larger ones.", agreed + flood(900, String(repeating: "a", count: 64)) + S.goodbye),
    .fires(
      "ws/header-payload-split", "Ten times in two packets.", agreed + apart(10) + S.goodbye, at: [3, 4], .toServer,
      says: "10 of 10 small frames"),
    .silent("ws/header-payload-split", "Nine times.", agreed + apart(9) + S.goodbye),
    .silent(
      "ws/header-payload-split", "Once in three.",
      agreed + apart(10) + (1...20).map { _ in S.up(1, "hi") }.joined() + S.goodbye),
    .fires(
      "ws/backpressure", "A shut window.",
      agreed + "< \(S.word(S.frame(2, length: 2_000))) len=1000 ③\n> ACK win=0 ④\n+1s\n> ACK win=60000\n< len=1000 ⑤\n"
        + S.goodbye, at: [3, 4, 5], .toClient, cost: .delay(nanoseconds: 1_003_000_000)),
    .silent(
      "ws/backpressure", "The sender took its time.",
      agreed + "< \(S.word(S.frame(2, length: 2_000))) len=1000\n> ACK\n+1s\n< len=1000\n" + S.goodbye),
    .fires(
      "ws/coalesced-unanswered", "One of three.",
      agreed + S.up(1, "a") + S.down(1, "a") + "> \(three) ③\n" + S.down(1, "b") + S.goodbye, at: [3], .toClient,
      count: 2),
    .silent(
      "ws/coalesced-unanswered", "All three.",
      agreed + S.up(1, "a") + S.down(1, "a") + "> \(three)\n" + S.down(1, "b") + S.down(1, "c") + S.down(1, "d")
        + S.goodbye),
    .silent(
      "ws/coalesced-unanswered", "It does not answer each.",
      agreed + S.up(1, "a") + S.up(1, "a") + S.down(1, "a") + "> \(three)\n" + S.down(1, "b") + S.goodbye),
    .fires(
      "ws/message-huge", "Seventeen megabytes.", agreed + large(17_000_000), at: [3], .toClient, says: "17,000,000 B"),
    .silent("ws/message-huge", "Two of a megabyte.", agreed + large(1_000_000) + large(1_000_000)),
  ]

  private static let three = ["b", "c", "d"].map { S.word(S.frame(1, Array($0.utf8), key: S.key)) }
    .joined(separator: " ")

  private static func flood(_ count: Int, _ text: String) -> String {
    let frame = S.word(S.frame(1, Array(text.utf8)))
    return (0..<count).map { number in
      let marker = number == 0 ? "③" : number == flooded ? "④" : ""
      return "< \(frame) \(marker)\n+2333us\n"
    }.joined()
  }

  /// The message that ends the second such second.
  private static let flooded = 602

  private static func apart(_ count: Int) -> String {
    (1...count).map { number in
      let frame = S.frame(1, Array("hello".utf8), key: S.key &+ UInt32(number))
      return "> \(S.word(Array(frame.prefix(6)))) \(number == 1 ? "③" : "")\n"
        + "> \(S.word(Array(frame.dropFirst(6)))) \(number == 1 ? "④" : "")\n"
    }.joined()
  }

  private static func large(_ count: Int) -> String {
    let pieces = count / 50_000
    return "< \(S.word(S.frame(2, length: UInt64(count))))\n"
      + (1...pieces).map { "< len=50000 \($0 == pieces && count > 16 << 20 ? "③" : "")\n" }.joined()
  }
}

/// Compressed messages.
enum SocketDeflateRows {
  private typealias S = SocketFrames

  private static func agreed(_ parameters: String = "") -> String {
    let field = #"Sec-WebSocket-Extensions: permessage-deflate\#(parameters)\r\n"#
    return handshake + WebSocketRows.ask(field) + WebSocketRows.switching(field)
  }

  private static func up(_ bytes: [UInt8], _ marker: String = "") -> String {
    S.up(1, "", marker, reserved: 4, bytes: bytes)
  }

  private static let complaint = S.down(8, "", "⑤", bytes: S.close(1002)) + "< FIN\n> FIN\n"
  /// The samples of RFC 7692 §7.2.3: "Hello", and the same again with the window kept.
  private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
  private static let again: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
  private static let finished: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
  private static let letter: [UInt8] = [0x4A, 0x04, 0x00]
  /// 600 bytes in a stored block, and the first twenty of them once more.
  private static let noise: [UInt8] = [0x00, 0x58, 0x02, 0xA7, 0xFD] + (0..<600).map { UInt8($0 * 7 & 0x7F) }
  private static let far: [UInt8] = [0xC2, 0x96, 0xAE, 0x00, 0x00]
  private static let forgets = "; client_no_context_takeover"

  static let rows: [RuleRow] = [
    .fires(
      "ws/pmd-inflate-error", "No DEFLATE.", agreed() + up([0xFF, 0xFF], "③") + complaint, at: [3, 5], .toServer,
      cost: .failed(.connection)),
    .silent("ws/pmd-inflate-error", "The samples.", agreed() + up(hello) + up(again) + S.goodbye),
    .fires(
      "ws/pmd-window-exceeded", "600 bytes back, and 512 were agreed.",
      agreed("; client_max_window_bits=9") + up(noise) + up(far, "③") + complaint, at: [3, 5], .toServer,
      cost: .failed(.connection), says: "600 B back, where 512 B are allowed"),
    .silent(
      "ws/pmd-window-exceeded", "600 bytes back, and 1,024 were agreed.",
      agreed("; client_max_window_bits=10") + up(noise) + up(far) + S.goodbye),
    .fires(
      "ws/pmd-inflate-error", "Back to before the first byte.", agreed() + up(again, "③") + complaint, at: [3, 5],
      .toServer, cost: .failed(.connection)),
    .silent("ws/pmd-window-exceeded", "Back to the message before.", agreed() + up(hello) + up(again) + S.goodbye),
    .fires(
      "ws/pmd-takeover-violation", "Back to the message before, which is forgotten.",
      agreed(forgets) + up(hello) + up(again, "③") + complaint, at: [3, 5], .toServer, cost: .failed(.connection)),
    .silent(
      "ws/pmd-takeover-violation", "The other side may do so.",
      agreed("; server_no_context_takeover") + up(hello) + up(again) + S.goodbye),
    .fires(
      "ws/pmd-tail-not-stripped", "The whole flush.", agreed() + up(hello + [0x00, 0x00, 0xFF, 0xFF], "③") + S.goodbye,
      at: [3], .toServer),
    .silent("ws/pmd-tail-not-stripped", "Without it.", agreed() + up(hello) + S.goodbye),
    .fires(
      "ws/pmd-bfinal", "A finished stream.", agreed() + up(finished, "③") + up(hello) + S.goodbye, at: [3], .toServer),
    .silent("ws/pmd-bfinal", "A flushed one.", agreed() + up(hello) + S.goodbye),
    .fires("ws/pmd-bomb", "Two mebibytes of zeros.", agreed() + up(zeros, "③") + S.goodbye, at: [3], .toServer),
    .silent("ws/pmd-bomb", "Five bytes.", agreed() + up(hello) + S.goodbye),
    .fires(
      "ws/pmd-expansion", "Single letters.",
      agreed(forgets) + up(letter, "③") + up(letter) + up(letter, "④") + S.goodbye,
      at: [3, 4], .toServer, says: "3 of them did not become shorter, and cost 6 B more"),
    .silent("ws/pmd-expansion", "Two of them.", agreed(forgets) + up(letter) + up(letter) + S.goodbye),
    .fires(
      "ws/pmd-negotiated-unused", "Not compressed.", agreed() + S.up(1, "a", "③") + S.up(1, "b", "④") + S.goodbye,
      at: [3, 4], .toServer),
    .silent("ws/pmd-negotiated-unused", "One of two is.", agreed() + S.up(1, "a") + up(letter) + S.goodbye),
    .silent("ws/pmd-negotiated-unused", "Nothing was sent.", agreed() + S.goodbye),
    .fires(
      "ws/pmd-tiny", "Twenty words, each alone.",
      agreed(forgets) + (1...20).map { up(hello, $0 == 1 ? "③" : $0 == 20 ? "④" : "") }.joined() + S.goodbye,
      at: [3, 4],
      .toServer),
    .silent(
      "ws/pmd-tiny", "With context.",
      agreed() + up(hello) + (1...20).map { _ in up(again) }.joined() + S.goodbye),
  ]

  /// 2 MiB of zeros, compressed.
  private static let zeros: [UInt8] =
    [0xEC, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x0C, 0x1F, 0xA0]
    + [UInt8](repeating: 0, count: 2032)
    + [0xBE, 0x06]
}
