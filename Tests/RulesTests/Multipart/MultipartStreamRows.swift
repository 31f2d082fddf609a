import Events

extension MultipartRows {
  private static let ok = "< \"\(escaped("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))\" ④"
  private static let last = "> \"0\\r\\n\\r\\n\" ③"
  private static let segments = (0..<17).map { "> len=64000\(["": "", "0": " ②", "16": " ③"]["\($0)"] ?? "")" }

  static let lengths: [RuleRow] = [
    .fires(
      "multipart/cl-mismatch", "Two bytes too many are announced, and the server waits.",
      handshake + upload(whole, nil, length: 2) + "+5s\n< FIN ③\n", at: [1, 2, 3], .toServer, cost: .failed(.exchange),
      says: "too large by 2 B"),
    .fires(
      "multipart/cl-mismatch", "The closing delimiter was left out of the sum.",
      handshake + upload("--b0undary\r\n\(a)--b0undary", nil) + "> \"--\\r\\n\" ④\n+10ms\n"
        + "< \"\(escaped("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"))\" ③\n", at: [1, 2, 4, 3], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "the rest follows"),
    .fires(
      "multipart/cl-mismatch", "The length cuts the delimiter.",
      handshake + upload("--b0undary\r\n\(a)--b0und", refused), at: [1, 2, 3], .toServer, confidence: .medium,
      cost: .failed(.exchange),
      says: "5 B before the end"),
    .silent(
      "multipart/cl-mismatch", "The last delimiter was written without its dashes.",
      handshake + upload("--b0undary\r\n\(a)--b0undary", refused)),
    .silent(
      "multipart/cl-mismatch", "The client leaves in the middle of an epilogue's line end.",
      handshake + upload(String(whole.dropLast()), nil, length: 2) + "> FIN\n"),
    .fires(
      "multipart/buffered-upload", "A megabyte in a burst.",
      handshake
        + "> \"\(escaped("POST /up HTTP/1.1\r\nHost: h.example\r\n\(form)\r\nContent-Length: 1088000\r\n\r\n"))\"\n"
        + segments.joined(separator: "\n") + "\n\(ok)\n", at: [2, 3], .toServer, says: "1,088,000 B"),
    .silent(
      "multipart/buffered-upload", "With a pause in the middle.",
      handshake
        + "> \"\(escaped("POST /up HTTP/1.1\r\nHost: h.example\r\n\(form)\r\nContent-Length: 1088000\r\n\r\n"))\"\n"
        + segments.prefix(8).joined(separator: "\n") + "\n+300ms\n" + segments.dropFirst(8).joined(separator: "\n")
        + "\n\(ok)\n"),
  ]

  static let streams: [RuleRow] = [
    .fires(
      "multipart/stream-open-stall", "The last chunk never comes, and the server closes.",
      chunked(whole, "+30s\n< FIN ③"), at: [2, 3], .toServer, cost: .failed(.exchange), says: "had not come"),
    .fires(
      "multipart/stream-open-stall", "It comes late.", chunked(whole, "+2s\n\(last)\n\(ok)"), at: [2, 3], .toServer,
      cost: .delay(nanoseconds: 2_001_000_000)),
    .fires(
      "multipart/stream-open-stall", "The server had answered meanwhile.", chunked(whole, "\(ok)\n+2s\n\(last)"),
      at: [2, 3], .toServer),
    .silent("multipart/stream-open-stall", "It comes at once.", chunked(whole, "+200ms\n\(last)\n\(ok)")),
    .silent(
      "multipart/stream-open-stall", "Another part may follow.", chunked("--b0undary\r\n\(a)", "+30s\n< FIN")),
    .fires(
      "multipart/retry-truncated-stream", "After 401 the stream stands at its end.",
      handshake + upload(whole, "401 Unauthorized", markers: "①④②")
        + upload("", refused, fields: form + "\r\nAuthorization: Basic eA==", markers: "③⑤⑥"), at: [1, 2, 3], .toServer,
      cost: .failed(.exchange), says: "with 0 B of 73 B"),
    .silent(
      "multipart/retry-truncated-stream", "The whole form is sent again.",
      handshake + upload(whole, "401 Unauthorized") + upload(whole, refused, markers: "④⑤⑥")),
    .silent(
      "multipart/retry-truncated-stream", "Another form to another place, long after.",
      handshake + upload(whole, "401 Unauthorized") + "+10s\n" + upload("--b0undary--", refused, markers: "④⑤⑥")),
    .fires(
      "multipart/mixed-replace-client", "A camera and an iPhone.", frames("Cam/1.0 CFNetwork/1410 Darwin/22.6.0"),
      at: [1, 2], .toClient, says: "2 parts"),
    .silent("multipart/mixed-replace-client", "A camera and a browser that shows it.", frames("curl/8.5.0")),
  ]

  private static func frames(_ agent: String) -> String {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
    let frame = "--frame\r\nContent-Type: image/jpeg\r\n\r\nJPEG\r\n"
    return handshake + "> \"\(escaped("GET /cam HTTP/1.1\r\nHost: h.example\r\nUser-Agent: \(agent)\r\n\r\n"))\" ①\n"
      + "< \"\(escaped(head))\" ②\n< \"\(escaped(frame))\"\n+40ms\n< \"\(escaped(frame))\"\n< FIN\n> FIN\n"
  }
}
