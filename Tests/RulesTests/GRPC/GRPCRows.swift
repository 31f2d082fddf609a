import Events
import Support

/// All rows of the family.
enum GRPCRows {
  private typealias S = HTTP2Script

  static let rows: [RuleRow] = status + requests + messages + held

  private static let type = ("content-type", "application/grpc")
  private static let asked = [
    (":method", "POST"), (":scheme", "http"), (":path", "/shop.Cart/Add"), (":authority", "h.example"), type,
    ("te", "trailers"), ("user-agent", "grpc-go/1.60"),
  ]

  /// A call with its message, and what answers it.
  private static func call(_ answer: String) -> String { call(asked, "", answer) }

  private static func call(_ fields: [(String, String)], _ marker: String, _ answer: String) -> String {
    S.open + S.up(S.request(1, fields, ends: false), marker) + S.up(S.frame(0, 1, 1, [0, 0, 0, 0, 0])) + answer + S.end
  }

  private static func trailers(_ code: String, _ marker: String = "") -> String {
    S.down(S.response(1, [type]) + S.frame(0, 0, 1, [0, 0, 0, 0, 0]))
      + S.down(S.headers(1, [("grpc-status", code)], ends: true), marker)
  }

  private static let webAnswer = S.down(S.response(1, [("content-type", "application/grpc-web")]))
  /// The trailers of a page's call, as the last frame of the body.
  private static func trailerFrame(_ code: String) -> [UInt8] {
    let line = Array("grpc-status:\(code)\r\n".utf8)
    return prefix(UInt32(line.count), flag: 0x80) + line
  }
  private static func ended(_ code: String) -> String { S.down(S.frame(0, 1, 1, trailerFrame(code))) }

  private static let status: [RuleRow] = [
    .silent(
      "http/early-response", "Both sides of a call talk at once.",
      S.open + S.up(S.request(1, asked, ends: false)) + S.up(S.frame(0, 0, 1, [0, 0, 0, 0, 0]))
        + S.down(S.response(1, [type]) + S.frame(0, 0, 1, [0, 0, 0, 0, 0])) + "+1s\n"
        + S.up(S.frame(0, 1, 1, [0, 0, 0, 0, 0])) + S.down(S.headers(1, [("grpc-status", "0")], ends: true)) + S.end),
    .fires(
      "grpc/status-missing", "A proxy dropped the trailers.",
      call(S.down(S.response(1, [type])) + S.down(S.frame(0, 1, 1, [0, 0, 0, 0, 0]), "①")), at: [1], .toClient,
      cost: .failed(.exchange)),
    .silent("grpc/status-missing", "It stands in the trailers.", call(trailers("0"))),
    .silent(
      "grpc/status-missing", "It stands in a head without a body.",
      call(S.down(S.response(1, [type, ("grpc-status", "0")], ends: true)))),
    .silent(
      "grpc/status-missing", "The trailers refer to an entry that is in a hole.",
      S.open + S.up(S.headers(1, asked) + S.frame(0, 1, 1, prefix(0)))
        + S.down(
          S.response(1, [type]) + S.frame(1, 5, 1, [0x40, 11] + Array("grpc-status".utf8) + [1, 0x30]), "!lost")
        + S.up(S.headers(3, asked) + S.frame(0, 1, 3, prefix(0)))
        + S.down(S.response(3, [type]) + S.frame(0, 0, 3, prefix(0)) + S.frame(1, 5, 3, [0xBE])) + S.end),
    .fires(
      "grpc/status-in-headers", "Split by a proxy.",
      call(S.down(S.response(1, [type, ("grpc-status", "0")]), "①") + S.down(S.frame(0, 1, 1))), at: [1], .toClient,
      cost: .failed(.exchange)),
    .silent(
      "grpc/status-in-headers", "One block.", call(S.down(S.response(1, [type, ("grpc-status", "12")], ends: true)))),
    .fires(
      "grpc/status-error", "The server is not there.", call(trailers("14", "①")), at: [1], .toClient,
      cost: .failed(.exchange), says: "ended with UNAVAILABLE (14)"),
    .fires(
      "grpc/status-error", "The server says why.",
      call(
        S.down(S.response(1, [type]) + S.frame(0, 0, 1, [0, 0, 0, 0, 0]))
          + S.down(S.headers(1, [("grpc-status", "14"), ("grpc-message", "max connection age")], ends: true), "①")),
      at: [1, 1], .toClient, cost: .failed(.exchange)),
    .silent("grpc/status-error", "Not found is an answer.", call(trailers("5"))),
    .fires(
      "grpc/status-error", "A page's call, whose status is in the body.",
      call(web, "", webAnswer + S.down(S.frame(0, 1, 1, trailerFrame("14")), "①")), at: [1], .toClient,
      cost: .failed(.exchange), says: "ended with UNAVAILABLE (14)"),
    .silent("grpc/status-error", "A page's call that went well.", call(web, "", webAnswer + ended("0"))),
    .fires(
      "grpc/status-error", "The same in Base64, over HTTP/1.", overHTTP1("gAAAAA5ncnBjLXN0YXR1czoxMw==", "①"), at: [1],
      .toClient, cost: .failed(.exchange), says: "ended with INTERNAL (13)"),
    .silent(
      "grpc/status-error", "Over HTTP/1 a message that looks like it.", overHTTP1("AAAAAA5ncnBjLXN0YXR1czoxMw==")),
    .silent(
      "grpc/status-error", "The client leaves in the middle of the answer, and the status reaches nobody.",
      S.open + S.up(S.request(1, asked)) + S.down(S.response(1, [type]) + S.frame(0, 0, 1, [0, 0, 0, 0, 0])) + "> FIN\n"
        + S.down(S.headers(1, [("grpc-status", "14")], ends: true)) + "> RST\n"),
    .fires("grpc/status-outcome", "Not found.", call(trailers("5", "①")), at: [1], .toClient, says: "NOT_FOUND (5)"),
    .fires(
      "grpc/status-outcome", "A page asks for what is not there.",
      call(web, "", webAnswer + S.down(S.frame(0, 1, 1, trailerFrame("5")), "①")), at: [1], .toClient,
      says: "NOT_FOUND (5)"),
    .silent("grpc/status-outcome", "OK.", call(trailers("0"))),
    .fires(
      "grpc/http-error", "A page of a proxy.",
      call(S.down(S.headers(1, [(":status", "502"), ("content-type", "text/html")], ends: true), "①")), at: [1],
      .toClient, cost: .failed(.exchange), says: "502 text/html, which clients take for UNAVAILABLE",
      fix: "no server took the call"),
    .fires(
      "grpc/http-error", "A server that refuses a method without a type.",
      call(S.down(S.headers(1, [(":status", "200"), ("grpc-status", "12")], ends: true), "①")), at: [1], .toClient,
      cost: .failed(.exchange), says: "200 without a Content-Type, which clients take for UNKNOWN"),
    .silent("grpc/http-error", "A call.", call(trailers("0"))),
    .silent(
      "grpc/status-error", "The client has left: nobody gets it.",
      S.open + S.up(S.request(1, asked)) + "< ACK\n+2s\n> FIN\n" + trailers("14") + "> RST\n"),
  ]

  private static func without(_ name: String) -> [(String, String)] { asked.filter { $0.0 != name } }

  private static let requests: [RuleRow] = [
    .fires("grpc/te-missing", "A hop removed it.", call(without("te"), "①", trailers("0")), at: [1], .toServer),
    .silent("grpc/te-missing", "It is there.", call(trailers("0"))),
    .fires(
      "grpc/content-type", "JSON.",
      call(
        without("content-type") + [("content-type", "application/json")], "①",
        S.down(S.headers(1, [(":status", "415")], ends: true))), at: [1], .toServer, cost: .failed(.exchange)),
    .silent(
      "grpc/content-type", "With the name of a coding.",
      call(without("content-type") + [("content-type", "application/grpc+json")], "", trailers("0"))),
    .fires(
      "grpc/encoding-unaccepted", "gzip.",
      call(
        asked + [("grpc-accept-encoding", "identity")], "②",
        S.down(S.response(1, [type, ("grpc-encoding", "gzip")]), "①")
          + S.down(S.headers(1, [("grpc-status", "0")], ends: true))), at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent(
      "grpc/encoding-unaccepted", "Named.",
      call(
        asked + [("grpc-accept-encoding", "identity,gzip")], "",
        S.down(S.response(1, [type, ("grpc-encoding", "gzip")]))
          + S.down(S.headers(1, [("grpc-status", "0")], ends: true)))),
    .fires(
      "grpc/timeout-invalid", "A fraction.", call(asked + [("grpc-timeout", "2.5S")], "①", trailers("0")), at: [1],
      .toServer),
    .silent("grpc/timeout-invalid", "Milliseconds.", call(asked + [("grpc-timeout", "2500m")], "", trailers("0"))),
    .fires(
      "grpc/deadline-exceeded", "The client gives up in time.",
      S.open + S.up(S.request(1, asked + [("grpc-timeout", "1S")]), "①") + "+1s\n"
        + S.up(S.frame(3, 0, 1, S.word(8)), "②") + S.end, at: [1, 2], .toServer, cost: .failed(.exchange),
      says: "the deadline of 1"),
    .fires(
      "grpc/deadline-exceeded", "A client on a busy machine is late.",
      S.open + S.up(S.request(1, asked + [("grpc-timeout", "1S")]), "①") + "+1200ms\n"
        + S.up(S.frame(3, 0, 1, S.word(8)), "②") + S.end, at: [1, 2], .toServer, cost: .failed(.exchange),
      says: "given up after 1.20"),
    .fires(
      "grpc/deadline-exceeded", "The server gives up a page's call, and says so in the body.",
      call(
        web + [("grpc-timeout", "1S")], "①", "+1s\n" + webAnswer + S.down(S.frame(0, 1, 1, trailerFrame("4")), "②")),
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "the deadline of 1"),
    .silent(
      "grpc/deadline-exceeded", "A page's call that ended well at that time.",
      call(web + [("grpc-timeout", "1S")], "", "+1s\n" + webAnswer + ended("0"))),
    .silent(
      "grpc/deadline-exceeded", "A user gives up.",
      S.open + S.up(S.request(1, asked + [("grpc-timeout", "30S")])) + "+1s\n" + S.up(S.frame(3, 0, 1, S.word(8)))
        + S.end),
    .fires(
      "grpc/over-http1", "A proxy speaks HTTP/1 to the server.",
      handshake
        + #"> "POST /shop.Cart/Add HTTP/1.0\r\nHost: h\r\nContent-Type: application/grpc\r\nContent-Length: 5\r\n\r\n" ①"#
        + "\n> x\"0000000000\"\n< FIN\n> FIN\n", at: [1], .toServer, cost: .failed(.exchange)),
    .silent(
      "grpc/over-http1", "Another type.",
      handshake
        + #"> "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}""#
        + "\n" + #"< "HTTP/1.1 204 No Content\r\n\r\n""# + "\n> FIN\n< FIN\n"),
  ]

  private static func prefix(_ length: UInt32, flag: UInt8 = 0) -> [UInt8] { [flag] + S.word(length) }
  private static let answer = S.down(S.response(1, [type]))
  private static let good = S.down(S.headers(1, [("grpc-status", "0")], ends: true))
  private static let web = [
    (":method", "POST"), (":scheme", "http"), (":path", "/a.B/C"), ("content-type", "application/grpc-web"),
  ]

  /// A call whose messages are in Base64.
  private static func asText(_ body: String, _ marker: String = "") -> String {
    let type = ("content-type", "application/grpc-web-text+proto")
    return S.open + S.up(S.headers(1, web.dropLast() + [type]) + S.data(1, "AAAAAAA=", ends: true))
      + S.down(S.response(1, [type])) + S.down(S.data(1, body, ends: true), marker) + S.end
  }

  /// A page's call over HTTP/1.
  private static func overHTTP1(_ body: String, _ marker: String = "", type: String = "application/grpc-web-text")
    -> String
  {
    let asked = #"POST /a.B/C HTTP/1.1\r\nHost: h\r\nContent-Type: \#(type)\r\nContent-Length: 8\r\n\r\nAAAAAAA="#
    let answer = #"HTTP/1.1 200 OK\r\nContent-Type: \#(type)\r\nContent-Length: \#(body.utf8.count)\r\n\r\n"#
    return handshake + "> \"\(asked)\"\n< \"\(answer)\"\n< \"\(body)\" \(marker)\n> FIN\n< FIN\n"
  }

  private static func ping(_ value: UInt8, _ marker: String = "") -> String {
    let bytes = [UInt8](repeating: value, count: 8)
    return S.up(S.frame(6, 0, 0, bytes), marker) + S.down(S.frame(6, 1, 0, bytes))
  }

  /// A call, and pings behind it.
  private static func kept(_ between: String, _ behind: String = "") -> String {
    S.open + S.up(S.headers(1, asked, ends: true)) + answer + good + ping(1, "①") + "+10s\n" + between + ping(2, "②")
      + "+10s\n" + ping(3) + behind + S.end
  }

  /// Six messages of a byte, in one frame each.
  private static func six(_ between: String = "", _ marker: String = "") -> String {
    (1...6).map { S.down(S.frame(0, 0, 1, prefix(1) + [$0]), $0 == 1 ? marker : "") }.joined(separator: between)
  }

  private static let held: [RuleRow] = [
    .fires(
      "stream/buffered-until-end", "Six messages at once, after six seconds.",
      S.open + S.up(S.headers(1, asked) + S.frame(0, 1, 1, prefix(0)), "②") + "+6s\n" + answer
        + S.down((1...6).flatMap { S.frame(0, 0, 1, prefix(1) + [$0]) }, "①") + good + S.end, at: [2, 1, 1], .toClient,
      cost: .delay(nanoseconds: 6_002_000_000), says: "6 messages came in one packet, 6.002 s after the request"),
    .silent(
      "stream/buffered-until-end", "They begin late, and come one by one.",
      S.open + S.up(S.headers(1, asked) + S.frame(0, 1, 1, prefix(0))) + "+6s\n" + answer + six("+300ms\n") + good
        + S.end),
    .silent(
      "stream/buffered-until-end", "One message is the answer of a slow call.",
      S.open + S.up(S.headers(1, asked) + S.frame(0, 1, 1, prefix(0))) + "+6s\n" + answer
        + S.down(S.frame(0, 0, 1, prefix(1) + [1])) + good + S.end),
  ]

  private static let messages: [RuleRow] = [
    .fires(
      "grpc/message-truncated", "Four bytes are missing.",
      call(
        answer + S.down(S.frame(0, 0, 1, prefix(9) + [1, 2, 3, 4, 5]))
          + S.down(S.headers(1, [("grpc-status", "0")], ends: true), "①")),
      at: [1], .toClient, cost: .lost(bytes: 4)),
    .silent(
      "grpc/message-truncated", "Cut into frames.",
      call(answer + S.down(S.frame(0, 0, 1, prefix(2) + [1])) + S.down(S.frame(0, 0, 1, [2])) + good)),
    .fires(
      "grpc/message-prefix", "JSON.", call(answer + S.down(S.frame(0, 0, 1, Array("{\"a\":1}".utf8)), "①") + good),
      at: [1], .toClient, cost: .failed(.exchange), says: "begins with the byte 123"),
    .silent(
      "grpc/message-prefix", "Compressed.", call(answer + S.down(S.frame(0, 0, 1, prefix(1, flag: 1) + [1])) + good)),
    .fires(
      "grpc/message-large", "Five mebibytes, and the client gives up.",
      call(answer + S.down(S.frame(0, 0, 1, prefix(5_242_880)), "①") + S.up(S.frame(3, 0, 1, S.word(8)))), at: [1],
      .toClient, severity: .error, cost: .failed(.exchange)),
    .silent("grpc/message-large", "A small one.", call(answer + S.down(S.frame(0, 0, 1, prefix(1) + [1])) + good)),
    .fires(
      "grpc/message-stall", "The second half comes late.",
      call(
        answer + S.down(S.frame(0, 0, 1, prefix(2) + [1]), "①") + "+2s\n" + S.down(S.frame(0, 0, 1, [2]), "②") + good),
      at: [1, 2], .toClient, cost: .delay(nanoseconds: 2_001_000_000)),
    .silent(
      "grpc/message-stall", "A slow link: a message takes two seconds, and something of it comes all the time.",
      call(
        answer + S.down(S.frame(0, 0, 1, prefix(21) + [0]))
          + String(repeating: "+100ms\n" + S.down(S.frame(0, 0, 1, [1])), count: 20) + good)),
    .silent(
      "grpc/message-stall", "Two messages.",
      call(
        answer + S.down(S.frame(0, 0, 1, prefix(1) + [1])) + "+2s\n" + S.down(S.frame(0, 0, 1, prefix(1) + [2])) + good)
    ),
    .fires(
      "grpc/web-trailer-missing", "The body ends early.",
      call(
        web, "",
        S.down(S.response(1, [("content-type", "application/grpc-web")]))
          + S.down(S.frame(0, 1, 1, prefix(1) + [1]), "①")), at: [1], .toClient, cost: .failed(.exchange)),
    .silent(
      "grpc/web-trailer-missing", "With its trailers.",
      call(
        web, "",
        S.down(S.response(1, [("content-type", "application/grpc-web")]))
          + S.down(S.frame(0, 1, 1, prefix(1) + [1] + prefix(2, flag: 0x80) + [1, 2])))),
    .fires(
      "grpc/web-trailer-missing", "In Base64, a run that is whole.", asText("AAAAAAEB", "①"), at: [1], .toClient,
      cost: .failed(.exchange)),
    .silent(
      "grpc/web-trailer-missing", "In Base64, its trailers in a run of their own.", asText("AAAAAAICAg==gAAAAAIBAg==")),
    .silent("grpc/web-trailer-missing", "What is no Base64 cannot be read to its end.", asText("AAAAAAEB<html>")),
    .silent(
      "grpc/web-trailer-missing", "Nor can a coding that nobody knows.",
      call(
        web, "",
        S.down(S.response(1, [("content-type", "application/grpc-web"), ("content-encoding", "x-own")]))
          + S.down(S.frame(0, 1, 1, [1, 2, 3])))),
    .fires(
      "grpc/web-trailer-missing", "Over HTTP/1.", overHTTP1("AAAAAAEB", "①"), at: [1], .toClient,
      cost: .failed(.exchange)),
    .silent("grpc/web-trailer-missing", "Over HTTP/1, with its trailers.", overHTTP1("AAAAAAEBgAAAAAIBAg==")),
    .fires(
      "grpc/message-truncated", "Over HTTP/1.", overHTTP1("AAAAAAkBAgMEBQ==", "①"), at: [1], .toClient,
      cost: .lost(bytes: 4)),
    .silent(
      "grpc/message-truncated", "A page that is no call.", overHTTP1("AAAAAAkBAgMEBQ==", type: "text/plain")),
    .fires(
      "grpc/message-prefix", "A page in place of Base64.", asText("<html>", "①"), at: [1], .toClient,
      cost: .failed(.exchange), says: "begins with the byte 60"),
    .fires(
      "grpc/message-truncated", "In Base64.", asText("AAAAAAkBAgMEBQ==", "①"), at: [1], .toClient, cost: .lost(bytes: 4)
    ),
    .fires(
      "grpc/too-many-pings", "Every few seconds.",
      S.open + S.up(S.frame(6, 0, 0, [UInt8](repeating: 1, count: 8)), "②")
        + S.down(S.frame(7, 0, 0, S.word(0) + S.word(11) + Array("too_many_pings".utf8)), "①") + S.end, at: [1, 2],
      .toClient, cost: .failed(.connection)),
    .silent(
      "grpc/too-many-pings", "Another flood.",
      S.open + S.down(S.frame(7, 0, 0, S.word(0) + S.word(11))) + S.end),
    .fires(
      "grpc/half-close-late", "A call that is made as a stream.",
      S.open + S.up(S.headers(1, asked) + S.frame(0, 0, 1, prefix(1) + [9]), "①") + "+2s\n"
        + S.up(S.frame(0, 1, 1), "②") + S.down(S.response(1, [type]), "③") + good + S.end, at: [1, 2, 3], .toServer,
      cost: .delay(nanoseconds: 2_001_000_000)),
    .silent(
      "grpc/half-close-late", "The response did not wait for it.",
      S.open + S.up(S.headers(1, asked) + S.frame(0, 0, 1, prefix(1) + [9])) + answer + "+2s\n"
        + S.up(S.frame(0, 1, 1)) + good + S.end),
    .fires(
      "grpc/keepalive-aggressive", "Every ten seconds.", kept(""), at: [1, 2], .toServer, count: 2,
      says: "sent 2 PINGs too early and without data in between, the first 10.00"),
    .fires(
      "grpc/keepalive-aggressive", "One more after five minutes, which servers allow.", kept("", "+300s\n" + ping(4)),
      at: [1, 2], .toServer, count: 2, says: "2 PINGs too early"),
    .silent(
      "grpc/keepalive-aggressive", "Behind data.",
      kept(
        S.up(S.headers(3, asked, ends: true))
          + S.down(S.headers(3, [(":status", "200"), type, ("grpc-status", "0")], ends: true)))),
  ]
}
