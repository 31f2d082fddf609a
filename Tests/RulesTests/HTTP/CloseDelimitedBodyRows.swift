import Events

enum CloseDelimitedBodyRows {
  private static let rule: RuleID = "http/close-delimited-body"
  private static let get = handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
  private static let plain = "< \"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\n\\r\\n{}\" ①\n"
  private static let kept = "< \"HTTP/1.1 200 OK\\r\\nConnection: keep-alive\\r\\n\\r\\n{}\" ①\n"

  /// Frames of a camera, each with its length.
  private static func frames(_ last: Int, announced: Int = 900) -> String {
    let head = "HTTP/1.0 200 OK\\r\\nContent-Type: multipart/x-mixed-replace; boundary=f\\r\\n\\r\\n"
    let part = "--f\\r\\nContent-Type: image/jpeg\\r\\nContent-Length: 900\\r\\n\\r\\n"
    return get + "< \"\(head)\" ①\n< \"\(part)\" len=\(announced) \"\\r\\n\"\n+40ms\n< \"\(part)\" len=\(last) ②\n"
      + "> ACK\n+1s\n< FIN ③\n> FIN\n"
  }

  static let rows: [RuleRow] = [
    .fires(
      rule, "A camera that goes away within a frame.", frames(700), at: [1, 2, 3], .toClient, severity: .error,
      cost: .failed(.exchange), says: "closed 200 B before the end of the part"),
    .fires(rule, "A camera that ends with a frame.", frames(900), at: [1, 2, 3], .toClient),
    .fires(
      rule, "A camera whose lengths were wrong before.", frames(880, announced: 880), at: [1, 2, 3], .toClient),
    .fires(
      rule, "The close is the end: true, and nobody was hurt.", get + plain + "> ACK\n< FIN ②\n> FIN\n< ACK\n",
      at: [1, 1, 2], .toClient, says: "the body of 2 B has no announced end; a cut would look like success"),
    .fires(
      rule, "A reset in its place: what came may not be all.", get + plain + "+2s\n< RST ②\n", at: [1, 1, 2], .toClient,
      severity: .error, cost: .failed(.exchange), says: "a reset ended it"),
    .fires(
      rule, "Keep-alive was promised, and the end came with an idle timer.",
      get + kept + "> ACK\n+4999ms\n< FIN ②\n> FIN\n< ACK\n", at: [1, 1, 2], .toClient,
      severity: .warning, cost: .delay(nanoseconds: 5_001_000_000),
      says: "promises keep-alive: the end came with the close, 5.001 s"),
    .fires(
      rule, "Keep-alive was promised, but the server closed at once.", get + kept + "> ACK\n< FIN ②\n> FIN\n< ACK\n",
      at: [1, 1, 2], .toClient, severity: .warning),
    .fires(
      rule, "The client gives up waiting for the end.", get + plain + "> ACK\n+9999ms\n> FIN ②\n< FIN\n> ACK\n",
      at: [1, 1, 2], .toClient, severity: .warning, cost: .delay(nanoseconds: 10_001_000_000),
      says: "the client closed first, 10.001 s"),
    .fires(
      rule, "The client leaves a stream of events; it was not waiting for an end.",
      get
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: 1\\n\\n\" ①\n> ACK\n+10s\n> FIN ②\n"
        + "< FIN\n> ACK\n", at: [1, 1, 2], .toClient, severity: .warning),
    .fires(
      rule, "The client leaves a stream of events, and the server resets what is left of the connection.",
      get
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: 1\\n\\n\" ①\n> ACK\n+10s\n> FIN ②\n"
        + "< RST\n", at: [1, 1, 2], .toClient, severity: .warning, says: "the client closed first"),
    .fires(
      rule, "The client shuts its own side down and reads on.",
      handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n> FIN\n" + plain + "+2s\n< FIN\n> ACK\n",
      at: [1, 1],
      .toClient),
    .fires(rule, "The capture ends first.", get + plain + "> ACK\n", at: [1, 1], .toClient),
    .silent(
      rule, "Chunks need no close.",
      get
        + "< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\n{}\\r\\n0\\r\\n\\r\\n\"\n> ACK\n< FIN\n> FIN\n"
    ),
    .silent(
      rule, "A length is announced, and the connection closes.",
      get + "< \"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: 2\\r\\n\\r\\n{}\"\n> ACK\n< FIN\n> FIN\n"),
    .silent(
      rule, "There is no body.",
      get + "< \"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\n\"\n> ACK\n< FIN\n> FIN\n"),
    .silent(
      rule, "The answer to HEAD has none either.",
      handshake
        + "> \"HEAD /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n< \"HTTP/1.1 200 OK\\r\\n\\r\\n\"\n> ACK\n< FIN\n> FIN\n"),
  ]
}
