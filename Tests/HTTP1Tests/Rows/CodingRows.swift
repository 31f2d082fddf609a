import Testing

/// Which transfer codings frame a body, and which cannot.
@Suite("HTTP/1 rows: Transfer-Encoding") struct CodingRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
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
      name: "chunked before gzip in a response", role: .response, requests: Row.get,
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
      name: "an unknown coding in a response", role: .response, requests: Row.get,
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
      name: "chunked in HTTP/1.0", role: .response, requests: Row.get,
      wire: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience transferEncodingInHTTP10 in fields 17-43",
        "head 200 1.0 chunked transferEncoding",
        "last 47-50",
        "end 52 body 0",
      ]),
  ]
}
