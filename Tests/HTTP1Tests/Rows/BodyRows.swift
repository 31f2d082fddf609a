import HTTP1
import Testing

/// Whether a message has a body, and whose the bytes behind it are.
@Suite("HTTP/1 rows: bodies") struct BodyRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
    Row(
      name: "HEAD, then GET", role: .response, requests: [RequestContext(method: .head), RequestContext(method: .get)],
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab",
      expected: [
        "start 0",
        "head 200 1.1 none headRequest",
        "end 38 body 0",
        "start 38",
        "head 200 1.1 length 2 contentLength",
        "body 76-78 @0",
        "end 78 body 2",
      ]),
    Row(
      name: "204 and 304 with framing fields", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get)],
      wire: "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nHTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n",
      expected: [
        "start 0",
        "lenience contentLengthForbidden in fields 17-34",
        "head 204 1.1 none status",
        "end 38 body 0",
        "start 38",
        "head 304 1.1 none status",
        "end 85 body 0",
      ]),
    Row(
      name: "interim responses before the final one", role: .response, requests: [RequestContext(method: .head)],
      wire:
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
      expected: [
        "start 0",
        "head 100 1.1 none status",
        "end 25 body 0",
        "start 25",
        "head 103 1.1 none status",
        "end 64 body 0",
        "start 64",
        "head 200 1.1 none headRequest",
        "end 102 body 0",
      ]),
    Row(
      name: "a response whose request nobody saw", role: .response,
      wire: "HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\n\r\n",
      expected: [
        "start 0",
        "head 408? 1.1 length 0 contentLength",
        "end 43 body 0",
      ]),
    Row(
      name: "a body until the end of the connection", role: .response, requests: Row.get,
      wire: "HTTP/1.0 200 OK\r\n\r\nall of it\r\n",
      expected: [
        "start 0",
        "head 200 1.0 close untilClose",
        "body 19-30 @0",
        "end 30 body 11",
      ]),
    Row(
      name: "101 hands over the bytes behind it", role: .response, requests: Row.get,
      wire: "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n\u{81}\u{2}hi",
      expected: [
        "start 0",
        "head 101 1.1 tunnel upgrade",
        "end 46 body 0",
        "tunnel 46 agreed",
      ]),
    Row(
      name: "200 to CONNECT hands over the bytes behind it", role: .response,
      requests: [RequestContext(method: .connect)],
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\u{16}\u{3}",
      expected: [
        "start 0",
        "lenience contentLengthForbidden in fields 17-34",
        "head 200 1.1 tunnel connect",
        "end 38 body 0",
        "tunnel 38 agreed",
      ]),
    Row(
      name: "407 to CONNECT is a response like others", role: .response,
      requests: [RequestContext(method: .connect), RequestContext(method: .get)],
      wire: "HTTP/1.1 407 Auth\r\nContent-Length: 2\r\n\r\nnoHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\ny",
      expected: [
        "start 0",
        "head 407 1.1 length 2 contentLength",
        "body 40-42 @0",
        "end 42 body 2",
        "start 42",
        "head 200 1.1 length 1 contentLength",
        "body 80-81 @0",
        "end 81 body 1",
      ]),
    Row(
      name: "bytes behind CONNECT that are not HTTP", role: .request,
      wire: "CONNECT h:443 HTTP/1.1\r\nContent-Length: 9\r\n\r\n\u{16}\u{3}\u{1}",
      expected: [
        "start 0",
        "head CONNECT h:443 1.1 none connect",
        "end 45 body 0",
        "tunnel 45 presumed",
      ]),
    Row(
      name: "a second request behind an upgrade that was refused", role: .request,
      wire: "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET /2 HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "head GET / 1.1 none noFields",
        "end 53 body 0",
        "start 53",
        "head GET /2 1.1 none noFields",
        "end 72 body 0",
      ]),
    Row(
      name: "frames behind an upgrade", role: .request,
      wire: "GET / HTTP/1.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\nab cd",
      expected: [
        "start 0",
        "head GET / 1.1 none noFields",
        "end 71 body 0",
        "tunnel 71 presumed",
      ]),
    Row(
      name: "a message after Connection: close", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get)],
      wire: "HTTP/1.1 204 No\r\nConnection: close\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 204 1.1 none status",
        "end 38 body 0",
        "start 38",
        "lenience messageAfterClose in between 38-39",
        "head 204 1.1 none status",
        "end 57 body 0",
      ]),
  ]
}
