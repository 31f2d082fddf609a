import Events

/// What only two captures show together: the same traffic at two points, or two runs.
enum ComparedRows {
  private static let diff: RuleID = "proxy/capture-diff"

  /// At the client, and behind a proxy of its own connection: the exchange that the argument is.
  private static func client(_ exchange: String) -> String { "== 10.0.0.1:40000 10.0.0.2:80\n\(handshake)\(exchange)" }
  private static func origin(_ exchange: String) -> String {
    "== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n\(handshake)\(exchange)"
  }
  /// Another run, of another time.
  private static func later(_ exchange: String) -> String {
    "== 10.0.0.1:40001 10.0.0.2:80 +100s\n\(handshake)\(exchange)"
  }

  private static let answer = "HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\n"
  private static let get = "\"GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\""
  private static func upload(_ coding: String) -> String {
    "\"POST /up HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: \(coding)\\r\\n\\r\\n\""
  }

  static let rows: [RuleRow] = runs + points + swallowed + upgrades + handshakes + others

  private static let runs: [RuleRow] = [
    RuleRow.fires(
      diff, "One letter of the request differs, and the answers do.",
      client("> \(upload("Chunked")) ①\n< \"HTTP/1.1 500 No\\r\\nContent-Length: 0\\r\\n\\r\\n\" ②\n"),
      at: [1, 1, 2, 2], severity: .error, cost: .failed(.exchange),
      says: "one thing differs: Transfer-Encoding is \"Chunked\" in A and \"chunked\" in B"
    ).comparedWith(
      later("> \(upload("chunked")) ①\n> \"0\\r\\n\\r\\n\"\n< \"\(answer)123456789\" ②\n")),
    RuleRow.fires(
      diff, "The same is asked, and answered otherwise.",
      client("> \(get)\n< \"HTTP/1.1 503 No\\r\\nContent-Length: 0\\r\\n\\r\\n\" ①\n"), at: [1, 1], severity: .error,
      cost: .failed(.exchange), says: "The requests are the same"
    ).comparedWith(later("> \(get)\n< \"\(answer)123456789\" ①\n")),
    RuleRow.fires(
      diff, "The second run waits for what the first had at once.",
      client("> \(get) ①\n+20ms\n< \"\(answer)123456789\" ②\n"), at: [1, 2, 1, 2],
      cost: .delay(nanoseconds: 480_000_000), says: "slower in B"
    ).comparedWith(later("> \(get) ①\n+500ms\n< \"\(answer)123456789\" ②\n")),
    RuleRow.silent(
      diff, "The second run takes longer, and not by much.", client("> \(get)\n+20ms\n< \"\(answer)123456789\"\n")
    ).comparedWith(later("> \(get)\n+110ms\n< \"\(answer)123456789\"\n")),
    RuleRow.silent(
      diff, "Only the date differs.",
      client(
        "> \(get)\n< \"HTTP/1.1 200 OK\\r\\nDate: Tue, 14 Nov 2023 22:13:20 GMT\\r\\nContent-Length: 1\\r\\n\\r\\na\"\n"
      )
    ).comparedWith(
      later(
        "> \(get)\n< \"HTTP/1.1 200 OK\\r\\nDate: Tue, 14 Nov 2023 22:15:00 GMT\\r\\nContent-Length: 1\\r\\n\\r\\na\"\n"
      )),
  ]

  private static let points: [RuleRow] = [
    RuleRow.fires(
      diff, "A proxy keeps an upload back until it is whole.",
      client(
        "> \(upload("chunked")) ①\n+20ms\n> \"3\\r\\none\\r\\n\" ②\n+200ms\n> \"3\\r\\ntwo\\r\\n\"\n+200ms\n> \"3\\r\\nsix\\r\\n0\\r\\n\\r\\n\"\n+30ms\n< \"\(answer)123456789\"\n"
      ), at: [2, 1], .toServer, cost: .delay(nanoseconds: 399_000_000), says: "upload buffered"
    ).comparedWith(
      origin(
        "+410ms\n> \"POST /up HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 9\\r\\n\\r\\nonetwosix\" ①\n+5ms\n< \"\(answer)123456789\"\n"
      )),
    RuleRow.fires(
      diff, "A proxy loses the end of a response.",
      client("> \(get)\n+30ms\n< \"\(answer)1234\" ①\n< FIN\n> FIN\n< ACK\n"), at: [1, 1, 1, 1], .toClient,
      severity: .error, cost: .lost(bytes: 5), says: "A has 5 B less"
    ).comparedWith(origin("+5ms\n> \(get)\n+5ms\n< \"\(answer)123456789\" ①\n")),
    RuleRow.fires(
      diff, "One event of a stream that goes on is held, and those after it come with it.",
      client(
        "> \(get)\n+30ms\n< \(begun)\n< \(event)\n+1s\n< \(event)\n+3s\n< \(event) ②\n< \(event)\n< \(event)\n"
      ), at: [2, 2], .toClient, cost: .delay(nanoseconds: 2_010_000_000), says: "held for up to 2.010 s"
    ).comparedWith(
      origin(
        "+5ms\n> \(get)\n+5ms\n< \(begun)\n< \(event)\n+1s\n< \(event)\n+1s\n< \(event) ②\n+1s\n< \(event)\n+1s\n< \(event)\n"
      )),
    RuleRow.fires(
      diff, "The same, and the proxy retransmits: it may have been the way to the client.",
      client(
        "> \(get)\n+30ms\n< \(begun)\n< \(event)\n+1s\n< \(event)\n+3s\n< \(event) ②\n< \(event)\n< \(event)\n"
          + "+300ms\n< \(event) seq-30\n"
      ), at: [2, 2], .toClient, confidence: .medium, cost: .delay(nanoseconds: 2_010_000_000),
      says: "or on the way from there to the client, where"
    ).comparedWith(
      origin(
        "+5ms\n> \(get)\n+5ms\n< \(begun)\n< \(event)\n+1s\n< \(event)\n+1s\n< \(event) ②\n+1s\n< \(event)\n+1s\n< \(event)\n"
      )),
    RuleRow.fires(
      diff, "The same, and the client did not read meanwhile.",
      client(
        "> \(get)\n+30ms\n< \(begun)\n< \(event)\n+1s\n< \(event)\n> ACK win=0\n+2900ms\n> ACK win=5000\n+100ms\n"
          + "< \(event) ②\n< \(event)\n< \(event)\n"
      ), at: [2, 2], .toClient, cost: .delay(nanoseconds: 2_012_000_000),
      says: "on the way to the client, which did not read for"
    ).comparedWith(
      origin(
        "+5ms\n> \(get)\n+5ms\n< \(begun)\n< \(event)\n+1s\n< \(event)\n+1s\n< \(event) ②\n+1s\n< \(event)\n+1s\n< \(event)\n"
      )),
    RuleRow.silent(
      diff, "A proxy says 100 for the server, and passes all of it on.",
      client(
        "> \(asking("Expect: 100-continue\\r\\n"))\n+20ms\n< \"HTTP/1.1 100 Continue\\r\\n\\r\\n\"\n> \"hi\"\n+30ms\n< \"\(answer)123456789\"\n"
      )
    ).comparedWith(
      origin("+15ms\n> \(asking("Expect: 100-continue\\r\\n"))\n> \"hi\"\n+5ms\n< \"\(answer)123456789\"\n")),
    RuleRow.silent(
      diff, "A proxy adds what proxies add, and passes all of it on.",
      client("> \(get)\n+30ms\n< \"\(answer)123456789\"\n")
    ).comparedWith(
      origin(
        "+5ms\n> \"GET /s HTTP/1.1\\r\\nHost: a\\r\\nX-Forwarded-For: 10.0.0.1\\r\\nConnection: close\\r\\n\\r\\n\"\n+5ms\n< \"\(answer)123456789\"\n"
      )),
  ]

  private static func asking(_ fields: String) -> String {
    "\"PUT /up HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\(fields)\\r\\n\""
  }

  private static let swallowed: [RuleRow] = [
    RuleRow.fires(
      "proxy/100-continue-swallowed", "The proxy says 100 itself, and asks nobody.",
      client(
        "> \(asking("Expect: 100-continue\\r\\n")) ①\n+20ms\n< \"HTTP/1.1 100 Continue\\r\\n\\r\\n\" ②\n> \"hi\"\n+30ms\n< \"\(answer)123456789\"\n"
      ), at: [1, 1, 2], .toServer, says: "the proxy answered 100 after"
    ).comparedWith(origin("+15ms\n> \(asking("")) ①\n> \"hi\"\n+5ms\n< \"\(answer)123456789\"\n")),
    RuleRow.silent(
      "proxy/100-continue-swallowed", "The proxy passes it on.",
      client(
        "> \(asking("Expect: 100-continue\\r\\n"))\n+20ms\n< \"HTTP/1.1 100 Continue\\r\\n\\r\\n\"\n> \"hi\"\n+30ms\n< \"\(answer)123456789\"\n"
      )
    ).comparedWith(
      origin(
        "> \(asking("Expect: 100-continue\\r\\n"))\n< \"HTTP/1.1 100 Continue\\r\\n\\r\\n\"\n+15ms\n> \"hi\"\n+5ms\n< \"\(answer)123456789\"\n"
      )),
  ]

  private static func upgrade(_ fields: String) -> String {
    "\"GET /s HTTP/1.1\\r\\nHost: a\\r\\n\(fields)\\r\\n\""
  }
  private static let asks = "Connection: Upgrade\\r\\nUpgrade: websocket\\r\\n"

  private static let upgrades: [RuleRow] = [
    RuleRow.fires(
      "proxy/upgrade-stripped", "The proxy drops the upgrade, and the server answers as always.",
      client(
        "> \(upgrade("Connection: Upgrade\\r\\nUpgrade: example/1\\r\\n")) ①\n+30ms\n< \"\(answer)123456789\" ②\n"),
      at: [1, 1, 2], .toServer, cost: .failed(.exchange), says: "behind the proxy the request does not"
    ).comparedWith(origin("+5ms\n> \(get) ①\n+5ms\n< \"\(answer)123456789\"\n")),
    RuleRow.silent(
      "proxy/upgrade-stripped", "The proxy passes it on, and the server does not want to.",
      client("> \(upgrade("Connection: Upgrade\\r\\nUpgrade: example/1\\r\\n"))\n+30ms\n< \"\(answer)123456789\"\n")
    ).comparedWith(
      origin(
        "+5ms\n> \(upgrade("Connection: Upgrade\\r\\nUpgrade: example/1\\r\\n"))\n+5ms\n< \"\(answer)123456789\"\n")),
  ]

  private static let key = "Sec-WebSocket-Key: wTsAHoSfPNtBl0dticK0fw==\\r\\nSec-WebSocket-Version: 13\\r\\n"
  private static let refusal = "\"HTTP/1.1 426 Upgrade Required\\r\\nContent-Length: 0\\r\\n\\r\\n\""

  private static let handshakes: [RuleRow] = [
    RuleRow.fires(
      "ws/hs-stripped-by-proxy", "The proxy takes the upgrade out of a handshake.",
      client("> \(upgrade(asks + key)) ①\n+30ms\n< \(refusal)\n"), at: [1, 1, 1, 2], .toServer,
      cost: .failed(.exchange),
      says: "Upgrade is gone, Connection does not name it"
    ).comparedWith(origin("+5ms\n> \(upgrade(key)) ①\n+5ms\n< \(refusal) ②\n")),
    RuleRow.silent(
      "ws/hs-stripped-by-proxy", "The proxy passes the handshake on, and the server refuses it.",
      client("> \(upgrade(asks + key))\n+30ms\n< \(refusal)\n")
    ).comparedWith(origin("+5ms\n> \(upgrade(asks + key))\n+5ms\n< \(refusal)\n")),
  ]

  private static let event = "\"9\\r\\ndata: a\\n\\n\\r\\n\""
  private static let begun = "\"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\""
  private static let stream =
    "> \"GET /e HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\none\\r\\n\"\n> ACK\n+5s\n"

  private static let others: [RuleRow] = [
    RuleRow.fires(
      "proxy/premature-request-terminator", "The client sends six bytes, and the server gets three and an end.",
      client(
        "> \(upload("chunked"))\n> \"3\\r\\none\\r\\n\"\n+50ms\n< \(begun)\n+50ms\n> \"3\\r\\ntwo\\r\\n\" ①\n> \"0\\r\\n\\r\\n\"\n< \"0\\r\\n\\r\\n\"\n"
      ), at: [1, 2, 1], .toServer, confidence: .high, cost: .lost(bytes: 3), says: "the server got 3 B"
    ).comparedWith(
      origin(
        "> \(upload("chunked"))\n> \"3\\r\\none\\r\\n\"\n+20ms\n< \(begun) ①\n> \"0\\r\\n\\r\\n\" ②\n+60ms\n< \"0\\r\\n\\r\\n\"\n"
      )),
    RuleRow.silent(
      "proxy/premature-request-terminator", "Everything that was sent is there.",
      client("> \(upload("chunked"))\n> \"3\\r\\none\\r\\n0\\r\\n\\r\\n\"\n+50ms\n< \"\(answer)123456789\"\n")
    ).comparedWith(
      origin("> \(upload("chunked"))\n> \"3\\r\\none\\r\\n0\\r\\n\\r\\n\"\n+20ms\n< \"\(answer)123456789\"\n")),
    RuleRow.fires(
      "stream/cut-by-middlebox", "Each side is reset in the name of the other.",
      client("\(stream)< RST ①\n"), at: [1, 1], .toClient, confidence: .high, cost: .failed(.connection),
      says: "a middlebox between the two points did"
    ).comparedWith(client("\(stream)> RST ①\n")),
    RuleRow.silent(
      "stream/cut-by-middlebox", "The server resets, and both captures show it.", client("\(stream)< RST\n")
    ).comparedWith(client("\(stream)< RST\n")),
  ]
}
