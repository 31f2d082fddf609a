import Testing

/// How long a body is where a length says so.
@Suite("HTTP/1 rows: Content-Length") struct LengthRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
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
      name: "an empty length", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthInvalid in fields 17-32",
        "head 200 1.1 close untilClose",
        "body 36-39 @0",
        "end 39 body 3",
      ]),
    Row(
      name: "a length beyond 64 bits", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthOverflow in fields 17-56",
        "head 200 1.1 length 18446744073709551615 contentLength",
        "body 60-63 @0",
        "broken 63 body 3 fin in body -18446744073709551612",
      ]),
    Row(
      name: "the greatest length", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nabc",
      expected: [
        "start 0",
        "head 200 1.1 length 18446744073709551615 contentLength",
        "body 57-60 @0",
        "broken 60 body 3 fin in body -18446744073709551612",
      ]),
    Row(
      name: "the same length twice", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3, 3\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthRepeated in fields 36-56 x2",
        "head 200 1.1 length 3 contentLength",
        "body 60-63 @0",
        "end 63 body 3",
      ]),
    Row(
      name: "lengths that differ", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
      expected: [
        "start 0",
        "lenience contentLengthConflicting in fields 36-53",
        "head 200 1.1 length 3 conflictingLengths",
        "body 57-60 @0",
        "end 60 body 3",
      ]),
    Row(
      name: "length and chunked", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      expected: [
        "start 0",
        "lenience contentLengthAndTransferEncoding in fields 17-34",
        "head 200 1.1 chunked transferEncoding",
        "last 66-69",
        "end 71 body 0",
      ]),
    Row(
      name: "a body cut short", role: .response, requests: Row.get,
      wire: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
      expected: [
        "start 0",
        "head 200 1.1 length 5 contentLength",
        "body 38-41 @0",
        "broken 41 body 3 fin in body -2",
      ]),
  ]
}
