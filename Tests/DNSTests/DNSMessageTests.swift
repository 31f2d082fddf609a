import DNS
import Support
import Testing
import Trace

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
