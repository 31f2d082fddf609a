import Citation
import Testing

@testable import Dialogues

@Suite("Messages of gRPC")
struct GRPCReaderTests {
  private static let body: [UInt8] =
    [0, 0, 0, 0, 3, 65, 66, 67] + [1, 0, 0, 0, 1, 120] + [0, 0, 0, 0, 0] + [0x80, 0, 0, 0, 2, 97, 58]

  /// What is read of a body in pieces, each in a packet of its own: `3 ABC #1-2`
  private static func read(_ pieces: [ArraySlice<UInt8>], isWeb: Bool = true, keeping limit: Int = 8)
    -> (words: [String], reader: GRPCReader)
  {
    var reader = GRPCReader(isWeb: isWeb, keepingData: limit)
    var words: [String] = []
    for (index, piece) in pieces.enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index)))
      let bytes = Array(piece)
      var position = 0
      while let message = reader.next(in: bytes.span, at: &position, packet) {
        words.append(
          "\(message.length) \(String(decoding: message.data, as: UTF8.self))\(message.isCompressed ? " compressed" : "") #\(message.first.number)-\(packet.number)"
        )
      }
    }
    return (words, reader)
  }

  @Test("Each has its length, its first bytes, and the packets of its first and last byte, whatever the cut.")
  func cuts() {
    let all = Self.body.count
    #expect(Self.read([Self.body[...]]).words == ["3 ABC #1-1", "1 x compressed #1-1", "0  #1-1"])
    for cut in 1..<all {
      var (words, reader) = Self.read([Self.body[..<cut], Self.body[cut...]])
      let side = reader.finish()
      #expect(side.messages == 3 && side.bytes == 4 && side.largest == 3 && side.hasTrailer && side.open == nil)
      let ends = [(0, 8), (8, 14), (14, 19)]
      let expected = zip(ends, ["3 ABC", "1 x compressed", "0 "]).map { end, text in
        "\(text) #\(end.0 < cut ? 1 : 2)-\(end.1 <= cut ? 1 : 2)"
      }
      #expect(words == expected, "cut at \(cut)")
      words = []
    }
    #expect(Self.read(Self.body.indices.map { Self.body[$0...$0] }).words.count == 3)
  }

  @Test("A body that ends early says what it had and what it needed.")
  func ends() {
    for length in 0..<8 {
      var reader = Self.read([Self.body[..<length]]).reader
      let open = reader.finish().open
      switch length {
      case 0: #expect(open == nil)
      case 1...4: #expect(open?.have == UInt64(length) && open?.need == 5)
      default: #expect(open?.have == UInt64(length - 5) && open?.need == 3)
      }
      #expect(reader.isAtEdge == (length == 0))
    }
  }

  @Test("A flag that cannot be ends the messages; no length on the wire takes memory.")
  func faults() {
    var (words, reader) = Self.read([[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0]], isWeb: false)
    #expect(words == [])
    #expect(reader.finish().badPrefix?.bytes == [0x80, 0, 0, 0, 0])
    (words, reader) = Self.read([[0, 0xFF, 0xFF, 0xFF, 0xFF] + [1, 2, 3]], keeping: 2)
    #expect(words == [] && !reader.isAtEdge)
    #expect(reader.finish().open?.need == 0xFFFF_FFFF)
  }
}
