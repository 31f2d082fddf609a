import Codecs
import Testing

@Suite struct ContentCodingTests {
  @Test("names are compared without case and without blanks around them")
  func names() {
    for (field, coding) in [
      ("gzip", ContentCoding.gzip), (" X-GZip\t", .gzip), ("BR", .brotli), ("Deflate", .deflate), ("zstd", .zstd),
    ] { #expect(ContentDecoder(field).codings == [coding]) }
    #expect(ContentCoding(named: Array("gzi".utf8).span) == nil)
    // '@' and 'G' differ from '`' and 'g' in the same bit; only letters have case.
    #expect(ContentCoding(named: Array("x\u{0D}gzip".utf8).span) == nil)
  }

  @Test("codings are undone from the last to the first")
  func order() {
    #expect(ContentDecoder("gzip, identity,, br").codings == [.brotli, .gzip])
  }

  @Test("identity and an empty field hand the body through", arguments: ["identity", "", " , ", "identity, Identity"])
  func identity(_ field: String) {
    let body = Array("as it is".utf8)
    #expect(
      decode(field, body) == Decoded(bytes: body, state: .running, end: .complete, bytesIn: UInt64(body.count)))
    #expect(decode(field, [] as [UInt8]).end == .empty)
  }

  @Test("an unknown coding is named as received and nothing is decoded")
  func unknown() {
    let result = decode("gzip, AWS-Chunked", [1, 2, 3])
    #expect(result == Decoded(state: .unknownCoding(Array("AWS-Chunked".utf8))))
    let long = ContentDecoder(String(repeating: "x", count: 1000))
    #expect(long.state == .unknownCoding([UInt8](repeating: UInt8(ascii: "x"), count: 32)))
  }

  #if Zlib
    @Test("four codings in a row are undone, five are not")
    func chains() {
      var body = Plain.table
      for _ in 0..<4 { body = Deflater.packed(body) }
      let field = "gzip, gzip, x-gzip, gzip"
      #expect(decode(field, body) == whole(Plain.table, from: body.count))
      for pieces in cuts(of: body) { #expect(decode(field, pieces) == whole(Plain.table, from: body.count)) }
      #expect(decode(field + ", gzip", body) == Decoded(state: .tooManyCodings(5)))
    }
  #endif

  #if Zlib && Brotli && Zstd
    @Test("everything is built in")
    func builtIn() {
      #expect(ContentDecoder("gzip, deflate, br, zstd").state == .running)
    }
  #else
    @Test("a coding whose library is left out is named")
    func notBuiltIn() {
      for (name, coding) in [("gzip", ContentCoding.gzip), ("deflate", .deflate), ("br", .brotli), ("zstd", .zstd)]
      where !coding.isBuiltIn {
        #expect(decode(name, [1, 2, 3]) == Decoded(state: .notBuiltIn(coding)))
      }
    }
  #endif
}
