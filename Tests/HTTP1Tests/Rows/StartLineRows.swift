import HTTP1
import Testing

/// How messages begin: request lines and status lines, and what stands where one should be.
@Suite("HTTP/1 rows: start lines") struct StartLineRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
    Row(
      name: "a plain request", role: .request,
      wire: "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n",
      expected: [
        "start 0",
        "head GET /a?b=c 1.1 none noFields",
        "end 32 body 0",
      ]),
    Row(
      name: "a plain response of known length", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
      expected: [
        "start 0",
        "head 200 1.1 length 5 contentLength",
        "body 38-43 @0",
        "end 43 body 5",
      ]),
    Row(
      name: "a status line where a body should be: the request that was not seen was HEAD", role: .response,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
      expected: [
        "start 0",
        "head 200? 1.1 length 500 contentLength",
        "end 40 body 0",
        "start 40",
        "head 204? 1.1 none status",
        "end 67 body 0",
      ]),
    Row(
      name: "a body that begins almost like a status line", role: .response,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\nHTTP/1.1 20x OK\n",
      expected: [
        "start 0",
        "head 200? 1.1 length 16 contentLength",
        "body 39-55 @0",
        "end 55 body 16",
      ]),
    Row(
      name: "a body that is a status line, of a request that was seen", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\nHTTP/1.1 200 OK\r\n",
      expected: [
        "start 0",
        "head 200 1.1 length 17 contentLength",
        "body 39-56 @0",
        "end 56 body 17",
      ]),
    Row(
      name: "pipelined requests", role: .request,
      wire: "GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\ncontent-length:3\r\n\r\nabcGET /3 HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "head GET /1 1.1 none noFields",
        "end 19 body 0",
        "start 19",
        "head POST /2 1.1 length 3 contentLength",
        "body 57-60 @0",
        "end 60 body 3",
        "start 60",
        "head GET /3 1.1 none noFields",
        "end 79 body 0",
      ]),
    Row(
      name: "empty lines before a request", role: .request,
      wire: "\r\n\r\n\nGET / HTTP/1.1\r\n\r\n",
      expected: [
        "lenience leadingEmptyLines in between 0-5 x3",
        "start 5",
        "head GET / 1.1 none noFields",
        "end 23 body 0",
      ]),
    Row(
      name: "a blank before the request line", role: .request,
      wire: " GET / HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "lenience startLineLeadingSpace in startLine 0-17",
        "head GET / 1.1 none noFields",
        "end 19 body 0",
      ]),
    Row(
      name: "blanks and tabs between the words", role: .request,
      wire: "GET  /\tHTTP/1.1 \r\n\r\n",
      expected: [
        "start 0",
        "lenience startLineSpacing in startLine 0-18 x3",
        "head GET / 1.1 none noFields",
        "end 20 body 0",
      ]),
    Row(
      name: "a raw space in the target", role: .request,
      wire: "GET /a b HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "lenience spaceInTarget in startLine 0-19",
        "head GET /a b 1.1 none noFields",
        "end 21 body 0",
      ]),
    Row(
      name: "bytes after the version", role: .request,
      wire: "GET / HTTP/1.1 x\r\n\r\n",
      expected: [
        "start 0",
        "lenience startLineTrailingBytes in startLine 0-18",
        "head GET / 1.1 none noFields",
        "end 20 body 0",
      ]),
    Row(
      name: "a lower-case method", role: .request,
      wire: "get / HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "lenience methodCase in startLine 0-16",
        "head get / 1.1 none noFields",
        "end 18 body 0",
      ]),
    Row(
      name: "an unknown method", role: .request,
      wire: "FROBNICATE / HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "lenience methodUnknown in startLine 0-23",
        "head FROBNICATE / 1.1 none noFields",
        "end 25 body 0",
      ]),
    Row(
      name: "HTTP/0.9", role: .request,
      wire: "GET /old\r\n",
      expected: [
        "start 0",
        "lenience simpleMessage in startLine 0-10",
        "head GET /old 0.9 none simple",
        "end 10 body 0",
      ]),
    Row(
      name: "a reply of HTTP/0.9", role: .response, requests: [RequestContext(method: .get, version: .simple)],
      wire: "<p>HTML of old</p>",
      expected: [
        "start 0",
        "lenience simpleMessage in startLine 0-1",
        "head 0 0.9 close simple",
        "body 0-18 @0",
        "end 18 body 18",
      ]),
    Row(
      name: "a lower-case version", role: .request,
      wire: "GET / http/1.1\r\n\r\n",
      expected: [
        "start 0",
        "lenience versionCase in startLine 0-16",
        "head GET / 1.1 none noFields",
        "end 18 body 0",
      ]),
    Row(
      name: "version 1.10", role: .request,
      wire: "GET / HTTP/1.10\r\n\r\n",
      expected: [
        "start 0",
        "lenience versionMalformed in startLine 0-17",
        "head GET / 1.10 none noFields",
        "end 19 body 0",
      ]),
    Row(
      name: "version 2.0", role: .request,
      wire: "GET / HTTP/2.0\r\n\r\n",
      expected: [
        "start 0",
        "lenience versionUnusual in startLine 0-16",
        "head GET / 2.0 none noFields",
        "end 18 body 0",
      ]),
    Row(
      name: "the preface of HTTP/2", role: .request,
      wire: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{0}\u{0}\u{0}",
      expected: [
        "tunnel 0 http2Preface"
      ]),
    Row(
      name: "a request line without a target", role: .request,
      wire: "GET HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "error startLineMalformed 0-32 'GET HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.1\\r\\n'",
        "broken 0 body 0 framingError in startLine",
        "resync 16 skipped 16",
        "start 16",
        "head GET / 1.1 none noFields",
        "end 34 body 0",
      ]),
    Row(
      name: "no reason and no space before it", role: .response, requests: Row.get,
      wire: "HTTP/1.1 204\r\n\r\n",
      expected: [
        "start 0",
        "lenience reasonSeparatorMissing in startLine 0-14",
        "head 204 1.1 none status",
        "end 16 body 0",
      ]),
    Row(
      name: "an empty reason", role: .response, requests: Row.get,
      wire: "HTTP/1.1 204 \r\n\r\n",
      expected: [
        "start 0",
        "head 204 1.1 none status",
        "end 17 body 0",
      ]),
    Row(
      name: "a status of four digits", role: .response, requests: Row.get,
      wire: "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
      expected: [
        "start 0",
        "lenience statusMalformed in startLine 0-18",
        "head 2000 1.1 length 0 contentLength",
        "end 39 body 0",
      ]),
    Row(
      name: "a status out of range", role: .response, requests: Row.get,
      wire: "HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n",
      expected: [
        "start 0",
        "lenience statusUnusual in startLine 0-21",
        "head 999 1.1 length 0 contentLength",
        "end 42 body 0",
      ]),
    Row(
      name: "a bare CR for a line end", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\rX: y\r\nContent-Length: 0\r\n\r\n",
      expected: [
        "start 0",
        "lenience bareCR in startLine 0-22",
        "head 200 1.1 length 0 contentLength",
        "end 43 body 0",
      ]),
    Row(
      name: "bare LF everywhere", role: .request,
      wire: "GET / HTTP/1.1\nHost: h\nX: y\n\n",
      expected: [
        "start 0",
        "lenience bareLF in startLine 0-15 x4",
        "head GET / 1.1 none noFields",
        "end 29 body 0",
      ]),
    Row(
      name: "TLS where a request should be", role: .request,
      wire:
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      expected: [
        "error unexpectedBytes 0-32 '\\x16\\x3\\x1\\x2\\x0\\x1\\x0\\x1\\xfc\\x3\\x3aaaaaaaaaaaaaaaaaaaaa'"
      ]),
  ]
}
