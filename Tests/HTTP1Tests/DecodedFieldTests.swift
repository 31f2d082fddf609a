import Citation
import HTTPSemantics
import Testing

@Suite("Field sections that were decoded")
struct DecodedFieldTests {
  private static func field(_ name: String, _ value: String, at offset: UInt64, in packet: UInt64)
    -> HeaderBlock.DecodedField
  {
    let packet = PacketRef(number: packet, time: .zero)
    return HeaderBlock.DecodedField(
      name: Array(name.utf8), value: Array(value.utf8),
      citation: ByteSpan(offset..<offset + 2, first: packet, last: packet))
  }

  private static let block = HeaderBlock(decoded: [
    field(":authority", "example", at: 100, in: 4), field("accept", "*/*", at: 102, in: 4),
    field("x-id", "7", at: 300, in: 6),
  ])

  @Test("Names and values are asked for as in any other section.")
  func values() {
    #expect(Self.block.value("accept") == "*/*" && Self.block.value("x-id") == "7")
    #expect(Self.block.first("host") == nil && Self.block.fields.count == 3)
    #expect(Self.block.contains("7", in: "x-id"))
  }

  @Test("Each field is cited where it was encoded, and several from the first to the last.")
  func citations() throws {
    let accept = try #require(Self.block.first("accept"))
    let id = try #require(Self.block.first("x-id"))
    #expect(Self.block.span(of: accept.value).range == 102..<104)
    #expect(Self.block.span(of: id.name).first.number == 6)
    let both = Self.block.span(of: accept.name.lowerBound..<id.value.upperBound)
    #expect(both.range == 102..<302 && both.first.number == 4 && both.last.number == 6)
    #expect(Self.block.span(of: 0..<0).range == 100..<102)
  }

  @Test("Fields beyond the limits are counted.")
  func limits() {
    let many = HeaderBlock(decoded: Array(repeating: Self.field("a", "b", at: 0, in: 1), count: 1_003), fieldsCut: 2)
    #expect(many.fields.count == HeaderBlock.fieldLimit && many.fieldsCut == 5)
    let long = HeaderBlock(decoded: [Self.field("a", String(repeating: "b", count: 70_000), at: 0, in: 1)])
    #expect(long.fields.isEmpty && long.fieldsCut == 1)
  }

  @Test("The authority stands where the version puts it.")
  func authority() {
    func head(_ version: HTTPVersion, _ block: HeaderBlock) -> MessageHead {
      MessageHead(
        line: .request(method: .get, name: 0..<0, target: 0..<0), version: version, block: block,
        span: ByteSpan(0..<1, first: .none, last: .none), released: .none)
    }
    let host = HeaderBlock(decoded: [Self.field("Host", "old", at: 0, in: 1)])
    let two = head(HTTPVersion(2, 0), Self.block)
    #expect(two.authority.map { Self.block.value($0) } == "example")
    #expect(head(HTTPVersion(2, 0), host).authority.map { host.value($0) } == "old")
    #expect(head(.http11, host).authority.map { host.value($0) } == "old")
    #expect(head(.http11, Self.block).authority == nil)
  }

  @Test(
    "A value is the number that its text is, by its bytes or otherwise.",
    arguments: [
      "0", "007", "4294967295", "999999999999999999", "18446744073709551615", "18446744073709551616", "+5", "-0", "-1",
      "", " 5", "5 ", "5a", "0x10", "5,5",
    ])
  func number(text: String) {
    let block = HeaderBlock(decoded: [Self.field("content-length", text, at: 0, in: 1)])
    #expect(block.number("content-length") == UInt64(text))
    #expect(block.number("age") == nil)
  }

  @Test("An element is found in any field of the name, and no comma inside of quotes divides.")
  func element() {
    let block = HeaderBlock(decoded: [
      Self.field("cache-control", "private=\"a, no-store\"", at: 0, in: 1),
      Self.field("accept", "no-store", at: 1, in: 1),
      Self.field("Cache-Control", "max-age=1 , NO-CACHE", at: 2, in: 1),
    ])
    func holds(_ word: StaticString) -> Bool { block.hasElement("cache-control") { block.reads(word, at: $0) } }
    #expect(holds("no-cache"))
    #expect(holds("max-age=1"))
    #expect(!holds("no-store"))
    var seen = 0
    #expect(
      !block.hasElement("cache-control") { _ in
        seen += 1
        return false
      })
    #expect(seen == 3)
  }
}
