import Testing

/// Sizes that are not what comes, or no sizes.
@Suite("HTTP/1 rows: chunk sizes") struct ChunkSizeRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
    Row(
      name: "a size too small", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "3\r\nxyz!?\r\n2\r\nxy\r\n0\r\n\r\n",
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
      name: "a size too small, and its rest looks like a size", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "3\r\nabcd\r\n2\r\nxy\r\n0\r\n\r\n",
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
      name: "a size too large", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "a\r\nhello!\r\n5\r\nworld\r\n0\r\n\r\n",
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
      name: "a body that is not chunked", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "<html>\r\n<p>no chunks in here at all</p>\r\nadd\r\nHTTP/1.1 204 No\r\n\r\n",
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
      name: "a malformed size behind good chunks", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "1\r\nx\r\n-1\r\ny\r\n2\r\nab\r\n0\r\n\r\n",
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
      name: "an empty size line", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "1\r\nx\r\n\r\n0\r\n\r\n",
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
      name: "a size of 64 bits", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "FFFFFFFFFFFFFFFF\r\nx",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "lenience chunkSizeHuge in chunkSize 47-65",
        "size 18446744073709551615 47-65",
        "body 65-66 @0",
        "broken 66 body 1 fin in chunkData -18446744073709551614",
      ]),
    Row(
      name: "a size beyond 64 bits", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "10000000000000000\r\nx",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "error chunkSizeOverflow 47-67 '10000000000000000\\r\\nx'",
        "broken 47 body 0 framingError in chunkSize",
      ]),
    Row(
      name: "many zeros are no overflow", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "00000000000000000000000001\r\nx\r\n0\r\n\r\n",
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
  ]
}
