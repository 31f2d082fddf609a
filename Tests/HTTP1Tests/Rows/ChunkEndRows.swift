import HTTP1
import Testing

/// The last chunk and the trailers, and bodies that end without.
@Suite("HTTP/1 rows: the end of chunks") struct ChunkEndRows {
  @Test("the tokens of a stream are these", arguments: rows)
  func whole(_ row: Row) { row.expectTokens() }

  @Test("the same tokens at every cut", arguments: rows)
  func everyCut(_ row: Row) { row.expectSameAtEveryCut() }

  @Test("spans cite the packets of their first and last byte", arguments: rows)
  func provenance(_ row: Row) { row.expectProvenance() }

  static let rows: [Row] = [
    Row(
      name: "no last chunk", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "1\r\nx\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 1 47-50",
        "body 50-51 @0",
        "chunk 0 47-53",
        "broken 53 body 1 fin in chunkSize",
      ]),
    Row(
      name: "cut inside a chunk", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "5\r\nxy",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 5 47-50",
        "body 50-52 @0",
        "broken 52 body 2 fin in chunkData -3",
      ]),
    Row(
      name: "cut before the line end of a chunk", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "2\r\nxy",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "size 2 47-50",
        "body 50-52 @0",
        "broken 52 body 2 fin in chunkEnd",
      ]),
    Row(
      name: "an LF at the end of the stream", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "2\r\nxy\n",
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
      name: "cut inside the terminator", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "0\r\n",
      expected: [
        "start 0",
        "head 200 1.1 chunked transferEncoding",
        "last 47-50",
        "broken 50 body 0 fin in trailers",
      ]),
    Row(
      name: "cut inside the trailers", role: .response, requests: Row.get,
      wire: Row.chunkedHead + "0\r\nA: b\r\nC",
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
      wire: Row.chunkedHead + "0\r\nHTTP/1.1 204 No\r\n\r\n",
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
      wire: Row.chunkedHead + "1\r\nx\r\n0\r\n\r\n3\r\nabc\r\n0\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
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
}
