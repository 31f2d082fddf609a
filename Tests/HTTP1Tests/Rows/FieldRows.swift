import Testing

/// Lines between the start line and the empty line.
@Suite("HTTP/1 rows: field sections") struct FieldRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
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
}
