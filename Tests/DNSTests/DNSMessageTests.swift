import Citation
import DNS
import Support
import Testing

@Suite("DNS responses")
struct DNSMessageTests {
  /// A response to a question for `name` with answer records after it.
  private static func response(
    _ name: String, flags: UInt16 = 0x8180, type: UInt16 = 1, answers: [[UInt8]], count: Int? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x12, 0x34]
    bytes += flags.wire
    bytes += [0, 1]
    bytes += UInt16(count ?? answers.count).wire
    bytes += [0, 0, 0, 0]
    for label in name.split(separator: ".") {
      bytes.append(UInt8(label.utf8.count))
      bytes += Array(label.utf8)
    }
    bytes.append(0)
    bytes += type.wire
    bytes += [0, 1]
    for answer in answers { bytes += answer }
    return bytes
  }

  private static func read(_ bytes: [UInt8]) -> DNSMessage? { DNSMessage(bytes.span) }

  private static func record(_ type: UInt16, _ data: [UInt8], name: [UInt8] = [0xC0, 0x0C]) -> [UInt8] {
    name + type.wire + [0, 1, 0, 0, 0, 60] + UInt16(data.count).wire + data
  }

  @Test("Addresses of both families, behind aliases, belong to the name that was asked for.")
  func addresses() throws {
    let v6: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
    let bytes = Self.response(
      "WWW.Example.com",
      answers: [
        Self.record(5, [3] + Array("cdn".utf8) + [0xC0, 0x10]), Self.record(1, [192, 0, 2, 1]),
        Self.record(1, [192, 0, 2, 2]), Self.record(28, v6), Self.record(1, [192, 0, 2, 1]),
      ])
    let message = try #require(Self.read(bytes))
    #expect(message.question == "www.example.com")
    #expect(message.addresses == ["192.0.2.1", "192.0.2.2", "2001:db8::7"])
    #expect(message.code == 0)
  }

  @Test("The shortest time of an answer counts, and it says whether there may be more.")
  func whole() throws {
    var soon = Self.record(5, [3] + Array("cdn".utf8) + [0xC0, 0x0C])
    soon[7] = 1
    soon[9] = 5
    let two = [soon, Self.record(1, [192, 0, 2, 1])]
    let message = try #require(Self.read(Self.response("a.example", answers: [two[1], two[0]])))
    #expect(message.timeToLive == 60)
    #expect(!message.isPartial)
    soon[7] = 0
    let short = try #require(Self.read(Self.response("a.example", answers: [two[1], soon])))
    #expect(short.timeToLive == 5)
    #expect(try #require(Self.read(Self.response("a.example", flags: 0x8380, answers: two))).isPartial)
    let many = (0..<40).map { Self.record(1, [10, 0, 0, UInt8($0)]) }
    #expect(try #require(Self.read(Self.response("a.example", answers: many))).isPartial)
  }

  @Test("A service binding hints at addresses, or sends the client elsewhere.")
  func service() throws {
    let hints: [UInt8] = [0, 1, 0, 0, 1, 0, 3, 2, 0x68, 0x32, 0, 4, 0, 8, 192, 0, 2, 1, 192, 0, 2, 2]
    let message = try #require(
      Self.read(
        Self.response("a.example", type: 65, answers: [Self.record(65, hints), Self.record(1, [192, 0, 2, 3])]))
    )
    #expect(message.addresses == ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
    #expect(!message.isPartial)
    let alias: [UInt8] = [0, 0, 3] + Array("cdn".utf8) + [0]
    #expect(try #require(Self.read(Self.response("a.example", type: 65, answers: [Self.record(65, alias)]))).isPartial)
    for cut in hints.indices {
      _ = Self.read(Self.response("a", type: 65, answers: [Self.record(65, Array(hints[..<cut]))]))
    }
  }

  @Test("A name that does not exist has no addresses.")
  func noSuchName() throws {
    let message = try #require(Self.read(Self.response("no.example", flags: 0x8183, answers: [])))
    #expect(message.code == 3)
    #expect(message.addresses.isEmpty)
  }

  @Test(
    "What is no answer is none.",
    arguments: [
      [], [0x12], response("a.example", flags: 0x0100, answers: []), response("a.example", type: 16, answers: []),
      response("a.example", answers: [], count: 1), Array(response("a.example", answers: []).dropLast(1)),
      response("a.example", answers: [record(1, [1, 2, 3, 4])].map { Array($0.dropLast()) }),
      // A pointer to itself.
      [0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xC0, 0x0C, 0, 1, 0, 1],
    ] as [[UInt8]])
  func nothing(_ bytes: [UInt8]) {
    #expect(Self.read(bytes) == nil)
  }

  @Test("No bytes make it trap, and what it keeps is bounded.")
  func hostile() {
    var random = SplitMix64(seed: 53)
    let whole = Self.response(
      "www.example.com", answers: (0..<200).map { Self.record(1, [10, 0, UInt8($0), 1]) }, count: 200)
    #expect(Self.read(whole)?.addresses.count == DNSMessage.addressLimit)
    for _ in 0..<20_000 {
      var bytes = Array(whole.prefix(Int(random.next() % UInt64(whole.count))))
      for _ in 0..<(random.next() % 8) where !bytes.isEmpty {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if let message = Self.read(bytes) {
        #expect(message.question.utf8.count <= 255)
        #expect(message.addresses.count <= DNSMessage.addressLimit)
      }
    }
  }
}
