import HTTP1
import HTTPSemantics
import Testing

/// A stream and the tokens it must give, at every cut.
struct Row: Sendable, CustomTestStringConvertible {
  var name: String
  var role: HTTP1Role
  var requests: [RequestContext] = []
  var wire: String
  var expected: [String] = []

  var testDescription: String { name }
  var feeding: Feeding { Feeding(role: role, requests: requests) }
}

private let get = [RequestContext(method: .get)]
private let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

enum Rows {
  static let all = startLines + fields + lengths + codings + bodies + chunks + recovery

  static let startLines: [Row] = [
    Row(
      name: "a plain request", role: .request,
      wire: "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n",
      expected: [
        "start 0",
        "head GET /a?b=c 1.1 none noFields",
        "end 32 body 0",
      ]),
    Row(
      name: "a plain response of known length", role: .response, requests: get,
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
      name: "a body that is a status line, of a request that was seen", role: .response, requests: get,
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
      name: "no reason and no space before it", role: .response, requests: get,
      wire: "HTTP/1.1 204\r\n\r\n",
      expected: [
        "start 0",
        "lenience reasonSeparatorMissing in startLine 0-14",
        "head 204 1.1 none status",
        "end 16 body 0",
      ]),
    Row(
      name: "an empty reason", role: .response, requests: get,
      wire: "HTTP/1.1 204 \r\n\r\n",
      expected: [
        "start 0",
        "head 204 1.1 none status",
        "end 17 body 0",
      ]),
    Row(
      name: "a status of four digits", role: .response, requests: get,
      wire: "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
      expected: [
        "start 0",
        "lenience statusMalformed in startLine 0-18",
        "head 2000 1.1 length 0 contentLength",
        "end 39 body 0",
      ]),
    Row(
      name: "a status out of range", role: .response, requests: get,
      wire: "HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n",
      expected: [
        "start 0",
        "lenience statusUnusual in startLine 0-21",
        "head 999 1.1 length 0 contentLength",
        "end 42 body 0",
      ]),
    Row(
      name: "a bare CR for a line end", role: .response, requests: get,
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

  static let fields: [Row] = [
    Row(
      name: "a folded line", role: .request,
      wire: "GET / HTTP/1.1\r\nA: b\r\n  c\r\n\r\n",
      expected: [
        "start 0",
        "lenience foldedLine in fields 22-27",
        "head GET / 1.1 none noFields",
        "end 29 body 0",
      ]),
    Row(
      name: "a folded framing field", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience foldedLine in fields 37-47",
        "head POST / 1.1 chunked transferEncoding",
        "last 49-52",
        "end 54 body 0",
      ]),
    Row(
      name: "space before the colon", role: .request,
      wire: "POST / HTTP/1.1\r\nContent-Length : 2\r\n\r\nab",
      expected: [
        "start 0",
        "lenience spaceBeforeColon in fields 17-37",
        "head POST / 1.1 length 2 contentLength",
        "body 39-41 @0",
        "end 41 body 2",
      ]),
    Row(
      name: "a blank before the first field", role: .request,
      wire: "POST / HTTP/1.1\r\n Content-Length: 2\r\nA: b\r\n\r\n",
      expected: [
        "start 0",
        "lenience spaceBeforeFirstField in fields 17-37",
        "head POST / 1.1 none noFields",
        "end 45 body 0",
      ]),
    Row(
      name: "an empty name", role: .request,
      wire: "GET / HTTP/1.1\r\n: x\r\n\r\n",
      expected: [
        "start 0",
        "lenience nameEmpty in fields 16-21",
        "head GET / 1.1 none noFields",
        "end 23 body 0",
      ]),
    Row(
      name: "a name with odd bytes", role: .request,
      wire: "GET / HTTP/1.1\r\nA(b: x\r\nC\u{E9}: y\r\n\r\n",
      expected: [
        "start 0",
        "lenience nameInvalid in fields 16-24 x2",
        "head GET / 1.1 none noFields",
        "end 33 body 0",
      ]),
    Row(
      name: "a line without colon", role: .request,
      wire: "GET / HTTP/1.1\r\nnothing\r\n\r\n",
      expected: [
        "start 0",
        "lenience colonMissing in fields 16-25",
        "head GET / 1.1 none noFields",
        "end 27 body 0",
      ]),
    Row(
      name: "NUL, control and Latin-1 in values", role: .request,
      wire: "GET / HTTP/1.1\r\nA: x\u{0}\r\nB: \u{1}\r\nC: \u{E9}\r\nD: a\tb\r\n\r\n",
      expected: [
        "start 0",
        "lenience valueNUL in fields 16-23",
        "lenience valueControl in fields 23-29",
        "lenience valueNotASCII in fields 29-35",
        "head GET / 1.1 none noFields",
        "end 45 body 0",
      ]),
    Row(
      name: "a bare CR in a value", role: .request,
      wire: "GET / HTTP/1.1\r\nA: x\ry\r\n\r\n",
      expected: [
        "start 0",
        "lenience bareCR in fields 16-24",
        "head GET / 1.1 none noFields",
        "end 26 body 0",
      ]),
    Row(
      name: "a head cut by FIN", role: .request,
      wire: "GET / HTTP/1.1\r\nHost: h\r\nCook",
      expected: [
        "start 0",
        "partial head GET / 1.1 none noFields",
        "broken 29 body 0 fin in fields",
      ]),
    Row(
      name: "a start line cut by FIN", role: .request,
      wire: "GET / HTTP/1.1",
      expected: [
        "start 0",
        "partial head GET / 1.1 none noFields",
        "broken 14 body 0 fin in startLine",
      ]),
    Row(
      name: "a method cut by FIN", role: .request,
      wire: "GE",
      expected: [
        "start 0",
        "broken 2 body 0 fin in startLine",
      ]),
  ]

  static let lengths: [Row] = [
    Row(
      name: "a length with zeros in front", role: .request,
      wire: "POST / HTTP/1.1\r\nContent-Length: 003\r\n\r\nabc",
      expected: [
        "start 0",
        "head POST / 1.1 length 3 contentLength",
        "body 40-43 @0",
        "end 43 body 3",
      ]),
    Row(
      name: "a signed length", role: .request,
      wire: "POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthInvalid in fields 17-35",
        "head POST / 1.1 length 3 contentLength",
        "body 39-42 @0",
        "end 42 body 3",
      ]),
    Row(
      name: "a negative length", role: .request,
      wire: "POST / HTTP/1.1\r\nContent-Length: -3\r\n\r\n",
      expected: [
        "start 0",
        "lenience contentLengthInvalid in fields 17-35",
        "head POST / 1.1 none noFields",
        "end 39 body 0",
      ]),
    Row(
      name: "a length in two pieces", role: .request,
      wire: "POST / HTTP/1.1\r\nContent-Length: 3 3\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthInvalid in fields 17-36",
        "head POST / 1.1 length 3 contentLength",
        "body 40-43 @0",
        "end 43 body 3",
      ]),
    Row(
      name: "an empty length", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthInvalid in fields 17-32",
        "head 200 1.1 close untilClose",
        "body 36-39 @0",
        "end 39 body 3",
      ]),
    Row(
      name: "a length beyond 64 bits", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthOverflow in fields 17-56",
        "head 200 1.1 length 18446744073709551615 contentLength",
        "body 60-63 @0",
        "broken 63 body 3 fin in body -18446744073709551612",
      ]),
    Row(
      name: "the greatest length", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nabc",
      expected: [
        "start 0",
        "head 200 1.1 length 18446744073709551615 contentLength",
        "body 57-60 @0",
        "broken 60 body 3 fin in body -18446744073709551612",
      ]),
    Row(
      name: "the same length twice", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3, 3\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthRepeated in fields 36-56 x2",
        "head 200 1.1 length 3 contentLength",
        "body 60-63 @0",
        "end 63 body 3",
      ]),
    Row(
      name: "lengths that differ", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthConflicting in fields 36-53",
        "head 200 1.1 length 3 conflictingLengths",
        "body 57-60 @0",
        "end 60 body 3",
      ]),
    Row(
      name: "length and chunked", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience contentLengthAndTransferEncoding in fields 17-34",
        "head 200 1.1 chunked transferEncoding",
        "last 66-69",
        "end 71 body 0",
      ]),
    Row(
      name: "a body cut short", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
      expected: [
        "start 0",
        "head 200 1.1 length 5 contentLength",
        "body 38-41 @0",
        "broken 41 body 3 fin in body -2",
      ]),
  ]

  static let codings: [Row] = [
    Row(
      name: "chunked in another case", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience chunkedCase in fields 17-43",
        "head POST / 1.1 chunked transferEncoding",
        "last 47-50",
        "end 52 body 0",
      ]),
    Row(
      name: "chunked behind gzip", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head POST / 1.1 chunked transferEncoding",
        "last 53-56",
        "end 58 body 0",
      ]),
    Row(
      name: "chunked before gzip in a request", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience chunkedNotLast in fields 17-49",
        "head POST / 1.1 chunked chunkedNotLast",
        "last 53-56",
        "end 58 body 0",
      ]),
    Row(
      name: "chunked before gzip in a response", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience chunkedNotLast in fields 17-49",
        "head 200 1.1 close codingWithoutChunked",
        "body 53-58 @0",
        "end 58 body 5",
      ]),
    Row(
      name: "chunked twice", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience transferEncodingRepeated in fields 45-71",
        "lenience chunkedTwice in fields 45-71",
        "head POST / 1.1 chunked transferEncoding",
        "last 75-78",
        "end 80 body 0",
      ]),
    Row(
      name: "an unknown coding in a request", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: pigeons\r\n\r\ncoo\r\nGET / HTTP/1.1\r\n\r\n",
      expected: [
        "start 0",
        "lenience codingUnknown in fields 17-43",
        "head POST / 1.1 none undecidable",
        "end 47 body 0",
        "error unexpectedBytes 47-52 'coo\\r\\n'",
        "resync 52 skipped 5",
        "start 52",
        "head GET / 1.1 none noFields",
        "end 70 body 0",
      ]),
    Row(
      name: "an unknown coding in a response", role: .response, requests: get,
      wire: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunkedchunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience codingUnknown in fields 17-50",
        "head 200 1.1 close codingWithoutChunked",
        "body 54-59 @0",
        "end 59 body 5",
      ]),
    Row(
      name: "identity with a length", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nab",
      expected: [
        "start 0",
        "lenience codingIdentity in fields 17-44",
        "lenience contentLengthAndTransferEncoding in fields 46-63",
        "head POST / 1.1 length 2 contentLength",
        "body 67-69 @0",
        "end 69 body 2",
      ]),
    Row(
      name: "an empty element", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: , chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience transferEncodingEmptyElement in fields 17-45",
        "head POST / 1.1 chunked transferEncoding",
        "last 49-52",
        "end 54 body 0",
      ]),
    Row(
      name: "a byte that is no token", role: .request,
      wire: "POST / HTTP/1.1\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n",
      expected: [
        "start 0",
        "lenience valueControl in fields 17-46",
        "lenience transferEncodingMalformed in fields 17-44",
        "lenience codingUnknown in fields 17-44",
        "head POST / 1.1 none undecidable",
        "end 48 body 0",
      ]),
    Row(
      name: "chunked in HTTP/1.0", role: .response, requests: get,
      wire: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience transferEncodingInHTTP10 in fields 17-43",
        "head 200 1.0 chunked transferEncoding",
        "last 47-50",
        "end 52 body 0",
      ]),
  ]

  static let bodies: [Row] = [
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
      name: "a body until the end of the connection", role: .response, requests: get,
      wire: "HTTP/1.0 200 OK\r\n\r\nall of it\r\n",
      expected: [
        "start 0",
        "head 200 1.0 close untilClose",
        "body 19-30 @0",
        "end 30 body 11",
      ]),
    Row(
      name: "101 hands over the bytes behind it", role: .response, requests: get,
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

  static let chunks: [Row] = [
    Row(
      name: "chunks and trailers", role: .response, requests: get,
      wire: chunkedHead + "5\r\nhello\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\nEtag: \"a\"\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 5 47-50",
        "body 50-55 @0",
        "chunk 0 47-57",
        "size 10 57-60",
        "body 60-70 @5",
        "chunk 1 57-72",
        "last 72-75",
        "trailers X-Sum,Etag",
        "end 98 body 15",
      ]),
    Row(
      name: "extensions", role: .response, requests: get,
      wire: chunkedHead + "1;a\r\nx\r\n1 ; b=\"q;\\\"\" ;c=d\r\ny\r\n0;e\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience chunkExtension in chunkSize 47-52",
        "size 1 47-52",
        "body 52-53 @0",
        "chunk 0 47-55",
        "lenience chunkExtension in chunkSize 55-74",
        "size 1 55-74",
        "body 74-75 @1",
        "chunk 1 55-77",
        "lenience chunkExtension in chunkSize 77-82",
        "last 77-82",
        "end 84 body 2",
      ]),
    Row(
      name: "malformed extensions", role: .response, requests: get,
      wire: chunkedHead + "1;\r\nx\r\n1;a=\"b\r\ny\r\n1;a=\r\nz\r\n1;a\rb\r\nw\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience chunkExtension in chunkSize 47-51",
        "lenience chunkExtensionMalformed in chunkSize 47-51",
        "size 1 47-51",
        "body 51-52 @0",
        "chunk 0 47-54",
        "lenience chunkExtension in chunkSize 54-62",
        "lenience chunkExtensionMalformed in chunkSize 54-62",
        "size 1 54-62",
        "body 62-63 @1",
        "chunk 1 54-65",
        "lenience chunkExtension in chunkSize 65-71",
        "lenience chunkExtensionMalformed in chunkSize 65-71",
        "size 1 65-71",
        "body 71-72 @2",
        "chunk 2 65-74",
        "lenience chunkExtension in chunkSize 74-81",
        "lenience chunkExtensionMalformed in chunkSize 74-81",
        "lenience bareCR in chunkSize 74-81",
        "size 1 74-81",
        "body 81-82 @3",
        "chunk 3 74-84",
        "last 84-87",
        "end 89 body 4",
      ]),
    Row(
      name: "blanks around the size", role: .response, requests: get,
      wire: chunkedHead + " 1\r\nx\r\n1 \t\r\ny\r\n0 \r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience chunkSizeLeadingSpace in chunkSize 47-51",
        "size 1 47-51",
        "body 51-52 @0",
        "chunk 0 47-54",
        "lenience chunkSizeTrailingSpace in chunkSize 54-59",
        "size 1 54-59",
        "body 59-60 @1",
        "chunk 1 54-62",
        "lenience chunkSizeTrailingSpace in chunkSize 62-66",
        "last 62-66",
        "end 68 body 2",
      ]),
    Row(
      name: "0x, plus, leading zeros", role: .response, requests: get,
      wire: chunkedHead + "0x1\r\nx\r\n+1\r\ny\r\n001\r\nz\r\n000\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience chunkSizePrefix in chunkSize 47-52",
        "size 1 47-52",
        "body 52-53 @0",
        "chunk 0 47-55",
        "lenience chunkSizeSign in chunkSize 55-59",
        "size 1 55-59",
        "body 59-60 @1",
        "chunk 1 55-62",
        "lenience chunkSizeLeadingZeros in chunkSize 62-67",
        "size 1 62-67",
        "body 67-68 @2",
        "chunk 2 62-70",
        "lenience chunkSizeLeadingZeros in chunkSize 70-75",
        "last 70-75",
        "end 77 body 3",
      ]),
    Row(
      name: "bare LF everywhere", role: .response, requests: get,
      wire: chunkedHead + "1\nx\n1\ny\n0\n\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience bareLF in chunkSize 47-49",
        "size 1 47-49",
        "body 49-50 @0",
        "lenience bareLF in chunkEnd 50-51",
        "chunk 0 47-51 lf",
        "lenience bareLF in chunkSize 51-53",
        "size 1 51-53",
        "body 53-54 @1",
        "lenience bareLF in chunkEnd 54-55",
        "chunk 1 51-55 lf",
        "lenience bareLF in chunkSize 55-57",
        "last 55-57",
        "lenience bareLF in trailers 57-58",
        "end 58 body 2",
      ]),
    Row(
      name: "bare CR behind size and data", role: .response, requests: get,
      wire: chunkedHead + "1\rx\r\n1\r\ny\r0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience bareCR in chunkSize 47-49",
        "size 1 47-49",
        "body 49-50 @0",
        "chunk 0 47-52",
        "size 1 52-55",
        "body 55-56 @1",
        "lenience bareCR in chunkEnd 56-57",
        "chunk 1 52-57 cr",
        "last 57-60",
        "end 62 body 2",
      ]),
    Row(
      name: "no line end behind the data", role: .response, requests: get,
      wire: chunkedHead + "1\r\nx1\r\ny\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 1 47-50",
        "body 50-51 @0",
        "chunk 0 47-51 missing",
        "lenience chunkEndMissing in chunkEnd 51-54",
        "size 1 51-54",
        "body 54-55 @1",
        "chunk 1 51-57",
        "last 57-60",
        "end 62 body 2",
      ]),
    Row(
      name: "a size too small", role: .response, requests: get,
      wire: chunkedHead + "3\r\nxyz!?\r\n2\r\nxy\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 3 47-50",
        "body 50-53 @0",
        "chunk 0 47-53 mismatch",
        "error chunkDataMismatch 53-57 '!?\\r\\n'",
        "resync 57 skipped 4",
        "size 2 57-60",
        "body 60-62 @3",
        "chunk 1 57-64",
        "last 64-67",
        "end 69 body 5",
      ]),
    Row(
      name: "a size too small, and its rest looks like a size", role: .response, requests: get,
      wire: chunkedHead + "3\r\nabcd\r\n2\r\nxy\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 3 47-50",
        "body 50-53 @0",
        "chunk 0 47-53 missing",
        "lenience chunkEndMissing in chunkEnd 53-56",
        "size 13 53-56",
        "body 56-68 @3",
        "broken 68 body 15 fin in chunkData -1",
      ]),
    Row(
      name: "a size too large", role: .response, requests: get,
      wire: chunkedHead + "a\r\nhello!\r\n5\r\nworld\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 10 47-50",
        "body 50-60 @0",
        "chunk 0 47-60 mismatch",
        "error chunkDataMismatch 60-68 '\\nworld\\r\\n'",
        "resync 68 skipped 8",
        "last 68-71",
        "end 73 body 10",
      ]),
    Row(
      name: "a body that is not chunked", role: .response, requests: get,
      wire: chunkedHead + "<html>\r\n<p>no chunks in here at all</p>\r\nadd\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "error chunkSizeMalformed 47-79 '<html>\\r\\n<p>no chunks in here at '",
        "broken 47 body 0 framingError in chunkSize",
        "resync 93 skipped 46",
        "start 93",
        "head 204? 1.1 none status",
        "end 112 body 0",
      ]),
    Row(
      name: "a malformed size behind good chunks", role: .response, requests: get,
      wire: chunkedHead + "1\r\nx\r\n-1\r\ny\r\n2\r\nab\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 1 47-50",
        "body 50-51 @0",
        "chunk 0 47-53",
        "error chunkSizeMalformed 53-60 '-1\\r\\ny\\r\\n'",
        "resync 60 skipped 7",
        "size 2 60-63",
        "body 63-65 @1",
        "chunk 1 60-67",
        "last 67-70",
        "end 72 body 3",
      ]),
    Row(
      name: "an empty size line", role: .response, requests: get,
      wire: chunkedHead + "1\r\nx\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 1 47-50",
        "body 50-51 @0",
        "chunk 0 47-53",
        "error chunkSizeEmpty 53-55 '\\r\\n'",
        "resync 55 skipped 2",
        "last 55-58",
        "end 60 body 1",
      ]),
    Row(
      name: "a size of 64 bits", role: .response, requests: get,
      wire: chunkedHead + "FFFFFFFFFFFFFFFF\r\nx",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience chunkSizeHuge in chunkSize 47-65",
        "size 18446744073709551615 47-65",
        "body 65-66 @0",
        "broken 66 body 1 fin in chunkData -18446744073709551614",
      ]),
    Row(
      name: "a size beyond 64 bits", role: .response, requests: get,
      wire: chunkedHead + "10000000000000000\r\nx",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "error chunkSizeOverflow 47-67 '10000000000000000\\r\\nx'",
        "broken 47 body 0 framingError in chunkSize",
      ]),
    Row(
      name: "many zeros are no overflow", role: .response, requests: get,
      wire: chunkedHead + "00000000000000000000000001\r\nx\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience chunkSizeLeadingZeros in chunkSize 47-75",
        "size 1 47-75",
        "body 75-76 @0",
        "chunk 0 47-78",
        "last 78-81",
        "end 83 body 1",
      ]),
    Row(
      name: "no last chunk", role: .response, requests: get,
      wire: chunkedHead + "1\r\nx\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 1 47-50",
        "body 50-51 @0",
        "chunk 0 47-53",
        "broken 53 body 1 fin in chunkSize",
      ]),
    Row(
      name: "cut inside a chunk", role: .response, requests: get,
      wire: chunkedHead + "5\r\nxy",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 5 47-50",
        "body 50-52 @0",
        "broken 52 body 2 fin in chunkData -3",
      ]),
    Row(
      name: "cut before the line end of a chunk", role: .response, requests: get,
      wire: chunkedHead + "2\r\nxy",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 2 47-50",
        "body 50-52 @0",
        "broken 52 body 2 fin in chunkEnd",
      ]),
    Row(
      name: "an LF at the end of the stream", role: .response, requests: get,
      wire: chunkedHead + "2\r\nxy\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 2 47-50",
        "body 50-52 @0",
        "lenience bareLF in chunkEnd 52-53",
        "chunk 0 47-53 lf",
        "broken 53 body 2 fin in chunkSize",
      ]),
    Row(
      name: "cut inside the terminator", role: .response, requests: get,
      wire: chunkedHead + "0\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "last 47-50",
        "broken 50 body 0 fin in trailers",
      ]),
    Row(
      name: "cut inside the trailers", role: .response, requests: get,
      wire: chunkedHead + "0\r\nA: b\r\nC",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "last 47-50",
        "trailers A",
        "broken 57 body 0 fin in trailers",
      ]),
    Row(
      name: "no empty line before the next head", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get)],
      wire: chunkedHead + "0\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "last 47-50",
        "lenience finalLineMissing in trailers 50-67",
        "end 50 body 0",
        "start 50",
        "head 204 1.1 none status",
        "end 69 body 0",
      ]),
    Row(
      name: "an early terminator", role: .response,
      requests: [RequestContext(method: .get), RequestContext(method: .get)],
      wire: chunkedHead + "1\r\nx\r\n0\r\n\r\n3\r\nabc\r\n0\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 1 47-50",
        "body 50-51 @0",
        "chunk 0 47-53",
        "last 53-56",
        "end 58 body 1",
        "error chunkAfterLastChunk 58-71 '3\\r\\nabc\\r\\n0\\r\\n\\r\\n'",
        "resync 71 skipped 13",
        "start 71",
        "head 204 1.1 none status",
        "end 90 body 0",
      ]),
  ]

  static let recovery: [Row] = [
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
      name: "a second error before a message is whole", role: .response, requests: get,
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
      name: "a start line inside rubbish is not taken from later lines", role: .response, requests: get,
      wire: "rub\r\nsay HTTP/1.1 200 OK\r\n",
      expected: [
        "error unexpectedBytes 0-26 'rub\\r\\nsay HTTP/1.1 200 OK\\r\\n'"
      ]),
  ]
}
