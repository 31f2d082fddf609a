import HTTP1
import Testing

/// Finding the next message behind bytes that are none.
@Suite("HTTP/1 rows: recovery") struct RecoveryRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
    Row(
      name: "more bytes than the length", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get)],
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab}\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 length 2 contentLength",
        "body 38-40 @0",
        "end 40 body 2",
        "error unexpectedBytes 40-43 '}\\r\\n'",
        "resync 43 skipped 3",
        "start 43",
        "head 204 1.1 none status",
        "end 62 body 0",
      ]),
    Row(
      name: "more bytes than the length, head on the same line", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get)],
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab}HTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 length 2 contentLength",
        "body 38-40 @0",
        "end 40 body 2",
        "error unexpectedBytes 40-41 '}'",
        "resync 41 skipped 1",
        "start 41",
        "head 204 1.1 none status",
        "end 60 body 0",
      ]),
    Row(
      name: "a request behind bytes of nobody", role: .request,
      wire: "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab=42 }GET / HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "head POST / 1.1 length 2 contentLength",
        "body 38-40 @0",
        "end 40 body 2",
        "error unexpectedBytes 40-45 '=42 }'",
        "resync 45 skipped 5",
        "start 45",
        "head GET / 1.1 none noFields",
        "end 63 body 0",
      ]),
    Row(
      name: "a body behind 204", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get)],
      wire: "HTTP/1.1 204 No\r\n\r\nsurprise, a body that nobody announced\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 204 1.1 none status",
        "end 19 body 0",
        "error unexpectedBytes 19-51 'surprise, a body that nobody ann'",
        "resync 59 skipped 40",
        "start 59",
        "head 204 1.1 none status",
        "end 78 body 0",
      ]),
    Row(
      name: "a second error before a message is whole", role: .response, requests: Row.get,
      wire:
        "rubbish at first, and a good deal of it\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunks, and more than a few bytes of it\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "error unexpectedBytes 0-32 'rubbish at first, and a good dea'",
        "resync 41 skipped 41",
        "start 41",
        "head 200 1.1 chunked transferEncoding",
        "error chunkSizeMalformed 88-120 'no chunks, and more than a few b'",
        "broken 88 body 0 framingError in chunkSize",
        "opaque 88",
      ]),
    Row(
      name: "each whole message allows another search", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get), RequestContext(method: .get)],
      wire: "HTTP/1.1 204 No\r\n\r\nx\r\nHTTP/1.1 204 No\r\n\r\ny\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 204 1.1 none status",
        "end 19 body 0",
        "error unexpectedBytes 19-22 'x\\r\\n'",
        "resync 22 skipped 3",
        "start 22",
        "head 204 1.1 none status",
        "end 41 body 0",
        "error unexpectedBytes 41-44 'y\\r\\n'",
        "resync 44 skipped 3",
        "start 44",
        "head 204 1.1 none status",
        "end 63 body 0",
      ]),
    Row(
      name: "a start line inside rubbish is not taken from later lines", role: .response, requests: Row.get,
      wire: "rub\r\nsay HTTP/1.1 200 OK\r\n",
      expected: [
        "error unexpectedBytes 0-26 'rub\\r\\nsay HTTP/1.1 200 OK\\r\\n'"
      ]),
  ]
}
