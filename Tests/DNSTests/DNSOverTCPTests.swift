import Citation
import DNS
import Support
import Testing

@Suite("DNS responses over TCP")
struct DNSOverTCPTests {
  private static let answer = DNSWire.response("shop.example", ["10.0.0.2", "10.0.0.3"])
  private static let other = DNSWire.response("www.example", ["2001:db8::7"])
  /// Nobody asks for its text, but it stands between two others.
  private static let text: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 16, 0, 1]

  private static func framed(_ messages: [UInt8]...) -> [UInt8] {
    messages.flatMap { UInt16($0.count).wire + $0 }
  }

  /// The tokens of bytes in pieces of a size, each in a packet of its own.
  private static func tokens(_ bytes: [UInt8], every size: Int) -> [DNSOverTCP.Token] {
    var stream = DNSOverTCP()
    var tokens: [DNSOverTCP.Token] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      let packet = PacketRef(number: UInt64(start + piece.count), time: .zero)
      stream.consume(CitedBytes(piece.span, at: UInt64(start), in: packet, released: packet), into: &tokens)
    }
    stream.finish(.fin, into: &tokens)
    return tokens
  }

  /// Without the packets, which depend on the cut.
  private static func names(_ tokens: [DNSOverTCP.Token]) -> [String] {
    tokens.map { token in
      guard case .response(let message, _) = token else { return "lost" }
      return "\(message.question) \(message.addresses)"
    }
  }

  @Test("The same answers at every cut.", arguments: 1...160)
  func cut(every size: Int) {
    let bytes = Self.framed(Self.answer, Self.text, Self.other)
    let tokens = Self.tokens(bytes, every: size)
    #expect(Self.names(tokens) == ["shop.example [10.0.0.2, 10.0.0.3]", "www.example [2001:db8::7]"])
    guard case .response(_, let packet) = tokens.first else { return }
    // The packet that brought its last byte.
    #expect(packet.number == UInt64(min(bytes.count, (Self.answer.count + 2 + size - 1) / size * size)))
  }

  @Test(
    "What is no response ends it, at every cut.",
    arguments: [
      framed(DNSWire.response("a.example", ["10.0.0.9"], flags: 0x0100)), [0, 0, 0, 0, 0x80], [0, 11, 1],
      Array("HTTP/1.1 200 OK\r\n\r\n".utf8), [1, 0, 9, 9, 0x80, 0, 0, 2],
    ] as [[UInt8]])
  func nonsense(_ bytes: [UInt8]) {
    for size in 1...(bytes.count + 80) {
      let tokens = Self.tokens(Self.framed(Self.answer) + bytes + Self.framed(Self.other), every: size)
      #expect(Self.names(tokens) == ["shop.example [10.0.0.2, 10.0.0.3]", "lost"])
    }
  }

  @Test("A hole ends it, and the largest message is kept whole.")
  func bounds() {
    var stream = DNSOverTCP()
    var tokens: [DNSOverTCP.Token] = []
    stream.skip(gap: 0..<5, into: &tokens)
    let bytes = Self.framed(Self.answer)
    stream.consume(CitedBytes(bytes.span, at: 5, in: .none, released: .none), into: &tokens)
    #expect(tokens == [.lost])
    let large = Self.answer + [UInt8](repeating: 0, count: 65_535 - Self.answer.count)
    #expect(Self.names(Self.tokens(Self.framed(large, Self.other), every: 1_000)).count == 2)
  }

  @Test("No bytes make it trap, and every cut tells the same.")
  func hostile() {
    var random = SplitMix64(seed: 7_766)
    let whole = Self.framed(Self.answer, Self.other, Self.text, Self.answer)
    for _ in 0..<2_000 {
      var bytes = Array(whole.prefix(Int(random.next() % UInt64(whole.count + 1))))
      for _ in 0..<(random.next() % 4) where !bytes.isEmpty {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let size = Int(random.next() % 40) + 1
      #expect(Self.names(Self.tokens(bytes, every: size)) == Self.names(Self.tokens(bytes, every: 1_000)))
    }
  }
}
