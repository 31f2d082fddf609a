import Citation
import Events

extension HTTPExchangeRows {
  private static let post = "POST /up HTTP/1.1\\r\\nHost: im.example\\r\\n"
  private static let ok = "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
  private static let chunked = "> \"\(post)Transfer-Encoding: chunked\\r\\n\\r\\n\"\n"

  /// How request bodies are sent and answered.
  static let uploads: [RuleRow] = [
    .fires(
      "http/early-response-lost", "413, and a reset while the client is sending",
      handshake + """
        > "\(post)Content-Length: 1000\\r\\n\\r\\n" len=100
        < "HTTP/1.1 413 Too Large\\r\\nContent-Length: 0\\r\\n\\r\\n" ①
        > len=100 ②
        < RST ③
        """, at: [1, 2, 3], .toClient, cost: .failed(.exchange)),
    .silent(
      "http/early-response-lost", "413, and the server reads on before it closes",
      handshake + """
        > "\(post)Content-Length: 1000\\r\\n\\r\\n" len=100
        < "HTTP/1.1 413 Too Large\\r\\nContent-Length: 0\\r\\n\\r\\n"
        < FIN
        > len=100
        +2s
        > FIN
        """),
    .silent(
      "http/early-response-lost", "the client has read the answer and closes before the reset",
      handshake + """
        > "\(post)Content-Length: 1000\\r\\n\\r\\n" len=100
        < "HTTP/1.1 302 Found\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n"
        < FIN
        > len=100
        > FIN
        < RST
        """),
    .silent(
      "http/early-response-lost", "the reset comes long after the answer",
      handshake + """
        > "\(post)Content-Length: 1000\\r\\n\\r\\n" len=100
        < "HTTP/1.1 413 Too Large\\r\\nContent-Length: 0\\r\\n\\r\\n"
        +2s
        > len=100
        < RST
        """),
    .fires(
      "http/early-response", "the client sends on after an error",
      handshake + """
        > "\(post)Content-Length: 200\\r\\n\\r\\n" len=100
        < "HTTP/1.1 401 No\\r\\nContent-Length: 0\\r\\n\\r\\n" ①
        +100ms
        > len=100 ②
        """, at: [1, 2], .toClient, cost: .lost(bytes: 100), says: "100 B of 200 B"),
    .fires(
      "http/early-response", "a body is refused for its size",
      handshake + """
        > "\(post)Content-Length: 200\\r\\n\\r\\n" len=100
        < "HTTP/1.1 413 Too Large\\r\\nContent-Length: 0\\r\\n\\r\\n" ①
        +100ms
        > len=100 ②
        """, at: [1, 2], .toClient, cost: .lost(bytes: 100), fix: "nginx: client_max_body_size"),
    .fires(
      "http/early-response", "a body is refused for its size, and the client stops at once",
      handshake + """
        > "\(post)Content-Length: 200\\r\\n\\r\\n" len=100 ②
        < "HTTP/1.1 413 Too Large\\r\\nContent-Length: 0\\r\\n\\r\\n" ①
        > FIN
        """, at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "refused the request's body of 200 B as too large when 100 B had been sent",
      fix: "nginx: client_max_body_size"),
    .fires(
      "http/early-response", "a body is refused that the server had asked for",
      handshake + """
        > "\(post)Content-Length: 200\\r\\nExpect: 100-continue\\r\\n\\r\\n"
        < "HTTP/1.1 100 Continue\\r\\n\\r\\n"
        > len=100
        < "HTTP/1.1 403 No\\r\\nContent-Length: 0\\r\\n\\r\\n" ①
        +100ms
        > len=100 ②
        """, at: [1, 2], .toClient, cost: .lost(bytes: 100), fix: "refuse before it answers 100"),
    .fires(
      "http/early-response", "A library writes head and body apart, and the refusal comes between them.",
      handshake + """
        > "\(post)Content-Length: 100\\r\\n\\r\\n"
        < "HTTP/1.1 401 No\\r\\nContent-Length: 0\\r\\n\\r\\n" ①
        > len=100 ②
        """, at: [1, 2], .toClient, severity: .note, says: "0 B of 100 B"),
    .fires(
      "http/early-response", "the server's timer ends an upload that goes on",
      handshake + """
        > "\(post)Content-Length: 400\\r\\n\\r\\n" len=100
        +500ms
        > len=100 ②
        +500ms
        < "HTTP/1.1 408 Request Timeout\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n" ①
        < FIN
        > FIN
        """, at: [1, 2], .toClient, severity: .error, cost: .failed(.exchange),
      says: "the server gave up the request 1.00"),
    .silent(
      "http/early-response", "the answer comes after the last byte",
      handshake + """
        > "\(post)Content-Length: 200\\r\\n\\r\\n" len=100
        > len=100
        < "HTTP/1.1 401 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        """),
    .silent(
      "http/early-response", "only the last chunk crosses the answer",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n"
        < "\(ok)"
        > "0\\r\\n\\r\\n"
        """),
    .fires(
      "http/expect-stall", "nobody answers Expect, and the client waits for its timer",
      handshake + """
        > "\(post)User-Agent: curl/8.5.0\\r\\nExpect: 100-continue\\r\\nContent-Length: 4\\r\\n\\r\\n" ①
        < ACK
        +1s
        > "body" ②
        < "\(ok)"
        """, at: [1, 2], .toClient, cost: .delay(nanoseconds: 1_002_000_000), says: "curl waits 1 s"),
    .silent(
      "http/expect-stall", "the server says go on, late as it may be",
      handshake + """
        > "\(post)Expect: 100-continue\\r\\nContent-Length: 4\\r\\n\\r\\n"
        +500ms
        < "HTTP/1.1 100 Continue\\r\\n\\r\\n"
        > "body"
        < "\(ok)"
        """),
    .silent(
      "http/expect-stall", "the client does not wait",
      handshake + """
        > "\(post)Expect: 100-continue\\r\\nContent-Length: 4\\r\\n\\r\\n"
        > "body"
        < "\(ok)"
        """),
    .fires(
      "http/expect-100-late", "the body has begun before 100 Continue",
      handshake + """
        > "\(post)Expect: 100-continue\\r\\nContent-Length: 4\\r\\n\\r\\n"
        +400ms
        > "bo" ①
        < "HTTP/1.1 100 Continue\\r\\n\\r\\n" ②
        > "dy"
        < "\(ok)"
        """, at: [1, 2], .toClient),
    .silent(
      "http/expect-100-late", "first 100 Continue, then the body",
      handshake + """
        > "\(post)Expect: 100-continue\\r\\nContent-Length: 4\\r\\n\\r\\n"
        < "HTTP/1.1 100 Continue\\r\\n\\r\\n"
        > "body"
        < "\(ok)"
        """),
    .fires(
      "http/expect-final-then-body", "the body follows a refusal",
      handshake + """
        > "\(post)Expect: 100-continue\\r\\nContent-Length: 4\\r\\n\\r\\n"
        < "HTTP/1.1 417 No\\r\\nContent-Length: 0\\r\\n\\r\\n" ①
        +100ms
        > "body" ②
        """, at: [1, 2], .toServer, cost: .lost(bytes: 4)),
    .silent(
      "http/expect-final-then-body", "the body was on its way when the refusal came",
      handshake + """
        > "\(post)Expect: 100-continue\\r\\nContent-Length: 4\\r\\n\\r\\n"
        < "HTTP/1.1 417 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        > "body"
        """),
    .fires(
      "http/slow-body-rate-limit", "six seconds without a byte, and nobody minds",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n" ①
        +6s
        > "2\\r\\nho\\r\\n" ②
        > "0\\r\\n\\r\\n"
        < "\(ok)"
        """, at: [1, 2], .toServer, says: "no byte of the request's body came in 5.000 s"),
    .fires(
      "http/slow-body-rate-limit", "ten bytes a second, and 408",
      handshake + chunked + """
        > "3\\r\\none\\r\\n" ①
        +1s
        > "3\\r\\ntwo\\r\\n"
        +1s
        > "3\\r\\nthr\\r\\n"
        +1s
        > "3\\r\\nfou\\r\\n"
        +1s
        > "3\\r\\nfiv\\r\\n"
        +1s
        > "3\\r\\nsix\\r\\n" ②
        < "HTTP/1.1 408 Too Slow\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n" ③
        < FIN
        > FIN
        """, at: [1, 2, 3], .toServer, severity: .error, cost: .failed(.exchange), says: "only 40 B"),
    .silent(
      "http/slow-body-rate-limit", "a slow body that is over before the window is",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n"
        +4s
        > "2\\r\\nho\\r\\n"
        > "0\\r\\n\\r\\n"
        < "\(ok)"
        """),
    .silent(
      "http/slow-body-rate-limit", "pauses, but enough bytes in any five seconds",
      handshake + "> \"\(post)Content-Length: 9000\\r\\n\\r\\n\" len=1400\n"
        + (0..<5).map { _ in "+2s\n> len=1400\n" }.joined() + "> len=600\n< \"\(ok)\"\n"),
    .fires(
      "http/upload-stall", "a chunked upload without an end, until the server gives up",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n" ①
        < ACK
        +3s
        < FIN ②
        > FIN
        """, at: [1, 2], .toServer, cost: .failed(.exchange), says: "3.002 s"),
    .fires(
      "http/upload-stall", "the rest comes when the server has given up",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n" ①
        < ACK
        +2s
        < FIN ②
        +1s
        > "2\\r\\nho\\r\\n0\\r\\n\\r\\n"
        < RST
        """, at: [1, 2], .toServer, cost: .failed(.exchange),
      says: "the client sent nothing of the body for 2.00"),
    .silent(
      "http/upload-stall", "what was sent is not acknowledged before it goes on: it waits on the way",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n"
        +3s
        > "2\\r\\nho\\r\\n"
        < ACK
        > "0\\r\\n\\r\\n"
        < "\(ok)"
        """),
    .fires(
      "http/upload-stall", "a pause that does no harm",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n" ①
        < ACK
        +3s
        > "2\\r\\nho\\r\\n0\\r\\n\\r\\n" ②
        < "\(ok)"
        """, at: [1, 2], .toServer),
    .fires(
      "http/upload-stall", "the last segments were captured in another order, and one of them twice",
      handshake + """
        > "POST / HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
        > "ho\\r\\n" @59 id=8
        > "2\\r\\n" @56 id=7 ①
        > "2\\r\\n" @56 id=9
        < ACK
        +3s
        < FIN ②
        > FIN
        """, at: [1, 2], .toServer, cost: .failed(.exchange)),
    .silent(
      "http/upload-stall", "the server's window is closed",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n"
        < ACK win=0
        +3s
        < ACK win=65535
        > "2\\r\\nho\\r\\n0\\r\\n\\r\\n"
        < "\(ok)"
        """),
    .silent(
      "http/upload-stall", "the server is not in the capture: its window is not known",
      chunked + "> \"2\\r\\nhi\\r\\n\"\n+3s\n> \"2\\r\\nho\\r\\n0\\r\\n\\r\\n\"\n"),
    .silent(
      "http/upload-stall", "the answer is not in the capture",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n"
        < "HTTP/1.1 401 No\\r\\nContent-Length: 0\\r\\n\\r\\n" !lost
        > ACK
        +3s
        < FIN
        > FIN
        """),
    .silent(
      "http/upload-stall", "a segment was lost and sent again",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n"
        > "2\\r\\nho\\r\\n" !lost
        +3s
        > "2\\r\\nho\\r\\n" @\(chunked.utf8.count)
        """),
    .silent(
      "http/upload-stall", "the client has its answer and stops",
      handshake + chunked + """
        > "2\\r\\nhi\\r\\n"
        < "HTTP/1.1 401 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        +3s
        < FIN
        > FIN
        """),
    .fires(
      "http/duplex-unsupported", "both bodies in turns",
      handshake + chunked + """
        > "2\\r\\nu1\\r\\n"
        < "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nd1\\r\\n" ①
        > "2\\r\\nu2\\r\\n"
        < "2\\r\\nd2\\r\\n"
        > "2\\r\\nu3\\r\\n" ②
        > "0\\r\\n\\r\\n"
        < "0\\r\\n\\r\\n"
        """, at: [1, 2], .toServer, says: "2 times up and 2 times down"),
    .silent(
      "http/duplex-unsupported", "the response begins early, and the upload then ends",
      handshake + chunked + """
        > "2\\r\\nu1\\r\\n"
        < "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nd1\\r\\n"
        > "2\\r\\nu2\\r\\n0\\r\\n\\r\\n"
        < "2\\r\\nd2\\r\\n0\\r\\n\\r\\n"
        """),
    .silent(
      "http/duplex-unsupported", "an early error answer in two pieces",
      handshake + chunked + """
        > "2\\r\\nu1\\r\\n"
        < "HTTP/1.1 500 No\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nd1\\r\\n"
        > "2\\r\\nu2\\r\\n"
        < "2\\r\\nd2\\r\\n"
        > "2\\r\\nu3\\r\\n"
        > "0\\r\\n\\r\\n"
        < "0\\r\\n\\r\\n"
        """),
  ]
}
