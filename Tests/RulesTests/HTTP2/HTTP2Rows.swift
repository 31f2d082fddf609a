import Events
import Support

/// All rows of the family.
enum HTTP2Rows {
  static let rows: [RuleRow] =
    FrameFaultRows.rows + BlockFaultRows.rows + HeadFlawRows.rows + HTTP2CourseRows.rows
    + HTTP2CreditRows.rows + HTTP2BeginningRows.rows
}

/// What frames must not be.
enum FrameFaultRows {
  private typealias S = HTTP2Script

  static let rows: [RuleRow] = framing + places + limits

  private static let framing: [RuleRow] = [
    .fires(
      "h2/frame-size", "A frame beyond the limit, and the server gives up.",
      S.open + S.up(S.request(1, ends: false)) + S.up(S.word(16_385 << 8) + [1, 0, 0, 0, 1], "①")
        + S.down(S.refusal, "②") + S.end, at: [1, 2], .toServer, cost: .failed(.connection),
      says: "a DATA frame of 16385 bytes; the receiver allows 16384"),
    .fires(
      "h2/frame-size", "A PING of nine bytes.",
      S.open + S.up(S.frame(6, 0, 0, [UInt8](repeating: 1, count: 9)), "①") + S.end,
      at: [1], .toServer, says: "a PING frame of 9 bytes, which is not possible"),
    .silent(
      "h2/frame-size", "A larger frame where the server allows it.",
      S.opened([], S.setting(5, 20_000)) + S.up(S.request(1, ends: false))
        + S.up(S.word(16_385 << 8) + [1, 0, 0, 0, 1] + [UInt8](repeating: 1, count: 1_000)) + S.end),
    .silent(
      "h2/frame-size", "The server was not captured, and may have allowed it.",
      "> SYN\n" + S.up(S.preface + S.settings) + S.up(S.request(1, ends: false))
        + S.up(S.word(16_385 << 8) + [1, 0, 0, 0, 1] + [UInt8](repeating: 1, count: 1_000)) + "> FIN\n"),
    .fires(
      "h2/frame-stream", "Settings of a stream.", S.open + S.up(S.frame(4, 0, 1), "①") + S.end, at: [1], .toServer,
      says: "SETTINGS on stream 1"),
    .silent(
      "h2/frame-stream", "Credit for the connection and for a stream.",
      S.open + S.up(S.request() + S.frame(8, 0, 0, S.word(9)) + S.frame(8, 0, 1, S.word(9))) + S.end),
    .fires(
      "h2/padding-invalid", "More padding than payload.",
      S.open + S.up(S.request(1, ends: false)) + S.up(S.frame(0, 9, 1, [3, 0, 0]), "①") + S.end, at: [1], .toServer,
      says: "3 bytes of padding in a payload of 3"),
    .silent(
      "h2/padding-invalid", "Nothing but padding.",
      S.open + S.up(S.request(1, ends: false)) + S.up(S.frame(0, 9, 1, [2, 0, 0])) + S.end),
    .fires("h2/frame-unknown", "An extension.", S.open + S.up(S.frame(0x55), "①") + S.end, at: [1], .toServer),
    .silent(
      "h2/frame-unknown", "A priority in the new way.",
      S.open + S.up(S.frame(0x10, 0, 0, S.word(1) + Array("u=1".utf8))) + S.end),
    .fires(
      "h2/continuation-flood", "Sixteen that go on.",
      S.open + S.up(S.frame(1, 1, 1) + Array(repeatElement(S.frame(9, 0, 1), count: 15).joined()))
        + S.up(S.frame(9, 0, 1), "①")
        + S.end,
      at: [1], .toServer),
    .silent(
      "h2/continuation-flood", "Two that end.",
      S.open + S.up(S.frame(1, 1, 1) + S.frame(9, 0, 1) + S.frame(9, 4, 1, S.block(S.asked))) + S.end),
    .fires(
      "h2/preface-missing", "A server begins with a PING.",
      handshake + S.up(S.preface + S.settings) + S.down(S.frame(6, 0, 0, [UInt8](repeating: 0, count: 8)), "①") + S.end,
      at: [1], .toClient, says: "began with PING instead of SETTINGS"),
    .silent("h2/preface-missing", "Both begin as they must.", S.open + S.clean),
    .fires(
      "h2/window-update-zero", "For the connection.", S.open + S.up(S.frame(8, 0, 0, S.word(0)), "①") + S.end, at: [1],
      .toServer, says: "gave the connection credit of 0 bytes"),
    .silent("h2/window-update-zero", "One byte.", S.open + S.up(S.frame(8, 0, 0, S.word(1))) + S.end),
  ]

  private static let places: [RuleRow] = [
    .fires(
      "h2/frame-state", "Data on a stream that nobody opened.", S.open + S.up(S.data(5, "x"), "①") + S.end, at: [1],
      .toServer, says: "sent DATA on stream 5, which is not open"),
    .fires(
      "h2/frame-state", "A server resets a stream that nobody opened.",
      S.open + S.down(S.frame(3, 0, 7, S.word(1)), "①") + S.end, at: [1], .toClient),
    .fires(
      "h2/frame-state", "A PING inside a header block.",
      S.open + S.up(S.frame(1, 1, 1, [0x82])) + S.up(S.frame(6, 0, 0, [UInt8](repeating: 0, count: 8)), "①") + S.end,
      at: [1], .toServer, says: "sent PING on stream 0 inside a header block"),
    .silent(
      "h2/frame-state", "The request that opened the stream is in a hole.",
      S.open + S.up(S.request(), "!lost") + S.down(S.response(1, ends: true)) + S.up(S.request(3)) + S.end),
    .silent(
      "h2/frame-state", "A priority for a stream that is yet to come.",
      S.open + S.up(S.frame(2, 0, 9, S.word(0) + [1])) + S.clean),
    .silent(
      "h2/frame-state", "Credit for a stream that is over.",
      S.open + S.up(S.request()) + S.down(S.response(1, ends: true)) + S.up(S.frame(8, 0, 1, S.word(9))) + S.end),
    .fires(
      "h2/frame-after-end", "Data behind the end of a request.",
      S.open + S.up(S.request()) + S.up(S.data(1, "more"), "①") + S.down(S.frame(3, 0, 1, S.word(5)), "②") + S.end,
      at: [1, 2], .toServer, cost: .failed(.exchange), says: "DATA on stream 1 behind its own end"),
    .silent(
      "h2/frame-after-end", "Data that was under way when the client reset the stream.",
      S.open + S.up(S.request()) + S.down(S.response()) + S.up(S.frame(3, 0, 1, S.word(8))) + S.down(S.data(1, "late"))
        + S.end),
    .fires(
      "h2/trailers-unended", "A second head.",
      S.open + S.up(S.request()) + S.down(S.response()) + S.down(S.response(), "①") + S.end, at: [1], .toClient),
    .silent(
      "h2/trailers-unended", "An interim response, and trailers.",
      S.open + S.up(S.request()) + S.down(S.headers(1, [(":status", "103")]) + S.response())
        + S.down(S.headers(1, [("x", "y")], ends: true)) + S.end),
    .fires(
      "h2/stream-id", "Back.", S.open + S.up(S.request(5)) + S.up(S.request(3), "①") + S.end, at: [1], .toServer,
      says: "opened stream 3 after stream 5"),
    .fires("h2/stream-id", "An even one.", S.open + S.up(S.request(2), "①") + S.end, at: [1], .toServer),
    .silent("h2/stream-id", "Some are left out.", S.open + S.up(S.request(1) + S.request(7)) + S.end),
    .fires(
      "h2/push-forbidden", "The client does not want any.",
      S.opened(S.setting(2, 0)) + S.up(S.request())
        + S.down(S.frame(5, 4, 1, S.word(2) + S.block(S.asked)), "①") + S.end, at: [1], .toClient),
    .silent(
      "h2/push-forbidden", "It said nothing of it.",
      S.open + S.up(S.request()) + S.down(S.frame(5, 4, 1, S.word(2) + S.block(S.asked)) + S.response(1, ends: true))
        + S.end),
    .fires(
      "h2/ping-ack-unasked", "An answer without a question.",
      S.open + S.up(S.frame(6, 1, 0, [UInt8](repeating: 7, count: 8)), "①") + S.end, at: [1], .toServer),
    .silent(
      "h2/ping-ack-unasked", "The question is in a hole.",
      S.open + S.down(S.frame(6, 0, 0, [UInt8](repeating: 7, count: 8)), "!lost")
        + S.up(S.frame(6, 1, 0, [UInt8](repeating: 7, count: 8))) + S.down(S.settings) + S.end),
    .silent(
      "h2/ping-ack-unasked", "The server was not captured, and may have asked.",
      "> SYN\n" + S.up(S.preface + S.settings) + S.up(S.frame(6, 1, 0, [UInt8](repeating: 7, count: 8))) + "> FIN\n"),
    .silent(
      "h2/ping-ack-unasked", "With one.",
      S.open + S.down(S.frame(6, 0, 0, [UInt8](repeating: 7, count: 8)))
        + S.up(S.frame(6, 1, 0, [UInt8](repeating: 7, count: 8))) + S.end),
  ]

  private static let limits: [RuleRow] = [
    .fires(
      "h2/settings-invalid", "A frame size below the least.",
      S.open + S.up(S.frame(4, 0, 0, S.setting(5, 100)), "①") + S.end, at: [1], .toServer,
      says: "SETTINGS with MAX_FRAME_SIZE 100"),
    .fires(
      "h2/settings-invalid", "A server that wants pushes.",
      S.open + S.down(S.frame(4, 0, 0, S.setting(2, 1)), "①") + S.end, at: [1], .toClient),
    .silent(
      "h2/settings-invalid", "The limits themselves.",
      S.open + S.up(S.frame(4, 0, 0, S.setting(5, 16_384) + S.setting(4, 0x7FFF_FFFF) + S.setting(2, 1))) + S.end),
    .fires(
      "h2/window-exceeded", "More than the client's window.",
      S.opened(S.setting(4, 10)) + S.up(S.request()) + S.down(S.response()) + S.down(S.data(1, "eleven byte"), "①")
        + S.end,
      at: [1], .toClient, says: "11 bytes on stream 1 where 10 were left"),
    .silent(
      "h2/window-exceeded", "A window that was made larger meanwhile.",
      S.opened(S.setting(4, 10)) + S.up(S.request() + S.frame(8, 0, 1, S.word(1)))
        + S.down(S.response() + S.data(1, "eleven byte")) + S.end),
    .silent(
      "h2/window-exceeded", "What made it larger is in a hole.",
      S.opened(S.setting(4, 10)) + S.up(S.request()) + S.down(S.response()) + S.up(S.frame(8, 0, 1, S.word(1)), "!lost")
        + S.down(S.data(1, "eleven byte")) + S.up(S.request(3)) + S.end),
    .fires(
      "h2/window-overflow", "The connection's.",
      S.open + S.up(S.frame(8, 0, 0, S.word(0x7FFF_FFFF)), "①") + S.end, at: [1], .toServer,
      says: "to 2147549182 bytes"),
    .silent("h2/window-overflow", "As large as can be.", S.open + S.up(S.frame(8, 0, 0, S.word(0x7FFF_0000))) + S.end),
    .fires(
      "h2/stream-limit-exceeded", "Two where one is allowed.",
      S.opened([], S.setting(3, 1)) + S.up(S.request(1)) + S.up(S.request(3), "①")
        + S.down(S.frame(3, 0, 3, S.word(7)), "②") + S.end, at: [1, 2], .toServer, cost: .failed(.exchange),
      says: "opened stream 3, the 2. at a time; 1 are allowed"),
    .silent(
      "h2/stream-limit-exceeded", "Before the limit is acknowledged.",
      handshake + S.up(S.preface + S.settings + S.request(1) + S.request(3)) + S.down(S.frame(4, 0, 0, S.setting(3, 1)))
        + S.end),
  ]
}

/// What header blocks must not hold.
enum BlockFaultRows {
  private typealias S = HTTP2Script

  private static func row(_ rule: RuleID, _ what: String, _ block: [UInt8], says: String) -> RuleRow {
    .fires(
      rule, what, S.open + S.up(S.frame(1, 5, 1, block), "①") + S.down(S.refusal, "②") + S.end, at: [1, 2], .toServer,
      cost: .failed(.connection), says: says)
  }

  static let rows: [RuleRow] = [
    row("h2/hpack-index", "An entry that is not there.", [0x82, 0xBE], says: "entry 62 of a table of 61"),
    row("h2/hpack-index", "Entry 0.", [0x80], says: "entry 0"),
    .silent(
      "h2/hpack-index", "An entry that was inserted.",
      S.open + S.up(S.frame(1, 5, 1, [0x82, 0x87, 0x84, 0x40, 1, 0x61, 1, 0x62]))
        + S.up(S.frame(1, 5, 3, [0x82, 0x87, 0x84, 0xBE]))
        + S.end),
    row(
      "h2/hpack-size-update", "Above the limit.", [0x3F, 0xE2, 0x1F],
      says: "sets the table to 4097 bytes where 4096 are allowed"),
    row("h2/hpack-size-update", "Behind a field.", [0x82, 0x20], says: "behind the first field"),
    .fires(
      "h2/hpack-size-update", "Behind a field, and the client has enough of the stream: it was accepted.",
      S.open + S.up(S.request(1)) + S.down(S.frame(1, 4, 1, [0x88, 0x20]), "①") + "+600ms\n"
        + S.up(S.frame(3, 0, 1, S.word(8))) + S.end, at: [1], .toClient),
    .silent(
      "h2/hpack-size-update", "The limit itself.",
      S.open + S.up(S.frame(1, 5, 1, [0x3F, 0xE1, 0x1F, 0x82, 0x87, 0x84])) + S.end),
    row("h2/hpack-malformed", "A string beyond the block.", [0, 1, 0x61, 9], says: "goes beyond its end"),
    row("h2/hpack-malformed", "The end's symbol.", [0, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0], says: "the end of strings"),
    .silent(
      "h2/hpack-malformed", "A string in Huffman's code.",
      S.open + S.up(S.frame(1, 5, 1, [0x82, 0x87, 0x84, 0, 1, 0x61, 0x81, 0x1F])) + S.end),
  ]
}

/// What makes messages malformed.
enum HeadFlawRows {
  private typealias S = HTTP2Script

  private static func asks(_ fields: [(String, String)], _ marker: String = "", ends: Bool = true) -> String {
    S.open + S.up(S.request(1, fields, ends: ends), marker)
  }

  private static let answered = S.down(S.response(1, ends: true)) + S.end
  private static let refused = S.down(S.frame(3, 0, 1, S.word(1)), "②") + S.end

  private static func answers(_ fields: [(String, String)], _ marker: String = "") -> String {
    S.open + S.up(S.request()) + S.down(S.response(1, fields, ends: true), marker) + S.end
  }

  static let rows: [RuleRow] = fields + pseudo + lengths

  private static let fields: [RuleRow] = [
    .fires(
      "h2/field-name-uppercase", "A name of HTTP/1, and the server refuses it.",
      asks(S.asked + [("X-Request", "1")], "①") + refused, at: [1, 2], .toServer, cost: .failed(.exchange),
      says: "a field is called X-Request"),
    .fires(
      "h2/field-name-uppercase", "A client that bears it.", answers([("Server", "x")], "①"), at: [1], .toClient),
    .silent("h2/field-name-uppercase", "Capitals in a value.", answers([("server", "Apache")])),
    .fires(
      "h2/field-invalid", "A blank in a name.", asks(S.asked + [("a b", "1")], "①") + answered, at: [1], .toServer),
    .fires(
      "h2/field-invalid", "A line end in a value.", asks(S.asked + [("a", "1\r\nb: 2")], "①") + answered, at: [1],
      .toServer,
      says: "the value of a holds a line end"),
    .silent("h2/field-invalid", "Blanks inside a value.", answers([("server", "a b")])),
    .fires(
      "h2/connection-field", "Copied from the server behind.", answers([("connection", "keep-alive")], "①"), at: [1],
      .toClient, says: "there is a field connection"),
    .fires(
      "h2/connection-field", "A te that is not trailers.", asks(S.asked + [("te", "gzip")], "①") + answered, at: [1],
      .toServer),
    .silent("h2/connection-field", "te: trailers.", asks(S.asked + [("te", "trailers")]) + answered),
  ]

  private static let pseudo: [RuleRow] = [
    .fires(
      "h2/pseudo-missing", "No path.", asks(Array(S.asked.prefix(2)), "①") + refused, at: [1, 2], .toServer,
      cost: .failed(.exchange), says: ":path is missing"),
    .fires(
      "h2/pseudo-missing", "No status.",
      S.open + S.up(S.request()) + S.down(S.headers(1, [("server", "x")], ends: true), "①") + S.end, at: [1], .toClient),
    .silent(
      "h2/pseudo-missing", "CONNECT has an authority alone.",
      asks([(":method", "CONNECT"), (":authority", "h.example:443")], ends: false) + answered),
    .silent(
      "h2/pseudo-missing", "A table that was filled before the capture.",
      S.up(
        S.frame(1, 5, 9, [0xBE, 0xBF, 0xC0]) + S.frame(8, 0, 0, S.word(9)) + S.frame(6, 0, 0, S.word(0) + S.word(1)))
        + S.end),
    .fires(
      "h2/pseudo-duplicate", "Two paths.", asks(S.asked + [(":path", "/b")], "①") + answered, at: [1], .toServer,
      says: ":path stands twice"),
    .silent("h2/pseudo-duplicate", "Two cookies.", asks(S.asked + [("cookie", "a=1"), ("cookie", "b=2")]) + answered),
    .fires(
      "h2/pseudo-unknown", "A status in a request.", asks(S.asked + [(":status", "200")], "①") + answered, at: [1],
      .toServer, says: ":status does not belong into a request"),
    .fires(
      "h2/pseudo-unknown", "A path behind a body.",
      asks(S.asked, ends: false) + S.up(S.headers(1, [(":path", "/")], ends: true), "①") + answered, at: [1], .toServer,
      says: "does not belong into trailers"),
    .silent("h2/pseudo-unknown", "The four.", asks(S.asked) + answered),
    .fires(
      "h2/pseudo-unknown", "A request on a stream that its client has ended.",
      asks(S.asked) + S.up(S.request(), "①") + answered, at: [1], .toServer, says: "behind its own end"),
    .fires(
      "h2/pseudo-unknown", "A request on a stream that is over.",
      asks(S.asked) + S.down(S.response(ends: true)) + S.up(S.request(), "①") + S.end, at: [1], .toServer,
      says: "behind its own end"),
    .silent(
      "h2/pseudo-unknown", "Trailers behind the end are wrong for another reason.",
      asks(S.asked) + S.up(S.headers(1, [("a", "b")], ends: true)) + answered),
    .fires(
      "h2/pseudo-after-field", "The path comes last.",
      asks(Array(S.asked.prefix(2)) + [("accept", "*/*"), (":path", "/")], "①") + answered, at: [1], .toServer),
    .silent(
      "h2/pseudo-after-field", "In any order, but first.", asks(S.asked.reversed() + [("accept", "*/*")]) + answered),
    .fires(
      "h2/path-invalid", "Empty.",
      asks([(":method", "GET"), (":scheme", "http"), (":path", "")], "①") + answered, at: [1], .toServer,
      says: ":path is empty"),
    .silent(
      "h2/path-invalid", "All of the server.",
      asks([(":method", "OPTIONS"), (":scheme", "http"), (":path", "*")]) + answered),
    .fires(
      "h2/authority-host-mismatch", "Another server.", asks(S.asked + [("host", "other.example")], "①") + answered,
      at: [1], .toServer),
    .silent(
      "h2/authority-host-mismatch", "The same, with the port that it has anyway.",
      asks(S.asked + [("host", "H.example:80")]) + answered),
  ]

  private static let lengths: [RuleRow] = [
    .fires(
      "h2/content-length-mismatch", "Compressed, with the length of before.",
      S.open + S.up(S.request()) + S.down(S.response(1, [("content-length", "9")]), "①")
        + S.down(S.data(1, "body", ends: true), "②") + S.end, at: [1, 2], .toClient, cost: .lost(bytes: 5),
      says: "Content-Length is 9, and 4 B came"),
    .silent(
      "h2/content-length-mismatch", "The capture lacks a frame of it.",
      S.open + S.up(S.request()) + S.down(S.response(1, [("content-length", "9")]) + S.data(1, "four"))
        + S.down(S.data(1, "five!"), "!lost") + S.down(S.data(1, "", ends: true)) + "> ACK\n" + S.end),
    .silent(
      "h2/content-length-mismatch", "HEAD.",
      asks([(":method", "HEAD"), (":scheme", "http"), (":path", "/")])
        + S.down(S.response(1, [("content-length", "9")], ends: true)) + S.end),
    .silent(
      "h2/content-length-mismatch", "The client had enough.",
      S.open + S.up(S.request()) + S.down(S.response(1, [("content-length", "9")]) + S.data(1, "body"))
        + S.up(S.frame(3, 0, 1, S.word(8))) + S.end),
  ]
}
