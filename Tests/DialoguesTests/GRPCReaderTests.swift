import Citation
import HTTPSemantics
import Support
import Testing

@testable import Dialogues

@Suite("Messages of gRPC")
struct GRPCReaderTests {
  private static let body: [UInt8] =
    [0, 0, 0, 0, 3, 65, 66, 67] + [1, 0, 0, 0, 1, 120] + [0, 0, 0, 0, 0] + [0x80, 0, 0, 0, 2, 97, 58]

  /// What is read of a body in pieces, each in a packet of its own: `3 ABC #1-2`
  private static func read(_ pieces: [ArraySlice<UInt8>], as type: GRPCType = .web, keeping limit: Int = 8)
    -> (words: [String], reader: GRPCReader)
  {
    var reader = GRPCReader(type, keepingData: limit)
    var words: [String] = []
    for (index, piece) in pieces.enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index)))
      let bytes = Array(piece)
      var position = 0
      while let message = reader.next(in: bytes.span, at: &position, packet) {
        words.append(
          "\(message.length) \(String(decoding: reader.lastData, as: UTF8.self))\(message.isCompressed ? " compressed" : "") #\(message.first.number)-\(packet.number)"
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

  @Test("The status stands in the trailers of the body, whatever the cut and however it is spelled.")
  func status() {
    let trailers = Array("grpc-message: no\r\nGrpc-Status: 14\r\n".utf8)
    let body = [0, 0, 0, 0, 1, 65, 0x80, 0, 0, 0, UInt8(trailers.count)] + trailers
    for cut in 1..<body.count {
      var reader = Self.read([body[..<cut], body[cut...]], keeping: 0).reader
      let side = reader.finish()
      #expect(side.status?.code == 14 && side.status?.packet.number == 2 && side.messages == 1, "cut at \(cut)")
    }
    for cut in stride(from: 1, to: Self.encoded(body[...]).count, by: 3) {
      let text = Self.encoded(body[..<6]) + Self.encoded(body[6...])
      var reader = Self.read([text[..<cut], text[cut...]], as: .webText, keeping: 0).reader
      #expect(reader.finish().status?.code == 14, "in Base64, cut at \(cut)")
    }
  }

  @Test(
    "What is no status is none.",
    arguments: [
      "grpc-status:", "grpc-status: x", "grpc-status: 1 2", "grpc-statu: 1", "xgrpc-status: 1", "grpc-status 1",
      "grpc-status: 12345678901", "",
    ])
  func noStatus(_ line: String) {
    let trailers = Array((line + "\r\n").utf8)
    var reader = Self.read([([0x80, 0, 0, 0, UInt8(trailers.count)] + trailers)[...]]).reader
    let side = reader.finish()
    #expect(side.status == nil && side.hasTrailer)
  }

  @Test("Of long trailers the beginning is looked at, and nothing of it where they are compressed.")
  func longTrailers() {
    let padding = Array(("a: " + String(repeating: "b", count: 2_000) + "\r\n").utf8)
    let status = Array("grpc-status: 5\r\n".utf8)
    let frame = { (flag: UInt8, data: [UInt8]) -> [UInt8] in
      [flag, 0, 0, UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
    }
    for (body, code) in [
      (frame(0x80, status + padding), 5), (frame(0x80, padding + status), nil), (frame(0x81, status), nil),
      ([0, 0, 0, 0, UInt8(status.count)] + status, nil),
    ] as [([UInt8], UInt32?)] {
      var reader = Self.read([body[...]]).reader
      #expect(reader.finish().status?.code == code)
    }
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
    var (words, reader) = Self.read([[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0]], as: .plain)
    #expect(words == [])
    #expect(reader.finish().badPrefix?.bytes == [0x80, 0, 0, 0, 0])
    (words, reader) = Self.read([[0, 0xFF, 0xFF, 0xFF, 0xFF] + [1, 2, 3]], keeping: 2)
    #expect(words == [] && !reader.isAtEdge)
    #expect(reader.finish().open?.need == 0xFFFF_FFFF)
  }

  // MARK: Base64

  private static let symbols = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// A run of its own, padded.
  private static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 3) {
      let group = Array(bytes[start..<min(start + 3, bytes.endIndex)])
      let number = (group + [0, 0]).prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      for index in 0...group.count { text.append(symbols[Int(number >> (18 - UInt32(index) * 6) & 63)]) }
      text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
    }
    return text
  }

  /// What Base64 says; nil where it is none.
  private static func decoded(_ text: String) -> String? {
    var runs = Base64Runs()
    var bytes: [UInt8] = []
    for symbol in text.utf8 {
      switch runs.take(symbol) {
      case .byte(let byte): bytes.append(byte)
      case .none: break
      case .invalid: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "The examples of RFC 4648, and runs that follow each other.",
    arguments: [
      ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
      ("Zm9vYmFy", "foobar"), ("Zg==Zg==", "ff"), ("Zm8=Zm9v", "fofoo"), ("Zm9v\r\nYg ==", "foob"), ("Zg", "f"),
      ("Zg=Zg", "ff"), ("wqA_", "\u{A0}?"), ("wqA/wqA-", "\u{A0}?\u{A0}>"),
    ])
  func runs(text: String, meaning: String) {
    #expect(Self.decoded(text) == meaning)
  }

  @Test("What is none.", arguments: ["=", "Z=", "Zm9v=", "Zg===", "Zm8==", "{", "Zm9v\u{0}", "é"])
  func noRuns(text: String) {
    #expect(Self.decoded(text) == nil)
  }

  @Test("Of a body in Base64 each message is the same, however the runs are cut, and at every cut.")
  func text() {
    let whole = Self.read([Self.body[...]]).words
    var random = SplitMix64(seed: 9)
    for _ in 0..<300 {
      let ends = (0..<4).map { _ in Int.random(in: 0...Self.body.count, using: &random) }.sorted()
      let body = zip([0] + ends, ends + [Self.body.count]).flatMap { Self.encoded(Self.body[$0..<$1]) }
      #expect(Self.read([body[...]], as: .webText).words == whole)
    }
    // A run for each message, and the packets in which its first and its last bits came.
    let ends = [0, 8, 14, 19, Self.body.count]
    let pieces = zip(ends, ends.dropFirst()).map { Self.encoded(Self.body[$0..<$1]) }
    let body = pieces.flatMap { $0 }
    for cut in 1..<body.count {
      var (words, reader) = Self.read([body[..<cut], body[cut...]], as: .webText)
      let side = reader.finish()
      #expect(side.messages == 3 && side.bytes == 4 && side.hasTrailer && side.open == nil && !side.isUnread)
      var start = 0
      let expected = zip(pieces.dropLast(), ["3 ABC", "1 x compressed", "0 "]).map { piece, text in
        defer { start += piece.count }
        let last = start + piece.count { $0 != UInt8(ascii: "=") }
        return "\(text) #\(start < cut ? 1 : 2)-\(last <= cut ? 1 : 2)"
      }
      #expect(words == expected, "cut at \(cut)")
      words = []
    }
  }

  @Test("Something else than Base64 ends the messages, and is shown where one would begin.")
  func noText() {
    var reader = Self.read([Array("{\"code\":5}".utf8)[...]], as: .webText).reader
    var side = reader.finish()
    #expect(side.badPrefix?.bytes == [UInt8(ascii: "{")] && side.isUnread && side.open == nil)
    let message = Self.encoded(Self.body[..<8])
    let read = Self.read([message[...], message[..<6] + Array("<html>".utf8)], as: .webText)
    reader = read.reader
    side = reader.finish()
    #expect(read.words == ["3 ABC #1-1"])
    #expect(side.badPrefix == nil && side.isUnread && side.open == nil)
    reader = Self.read([Self.encoded([0x7B, 1, 2, 3, 4])[...]], as: .webText).reader
    #expect(reader.finish().badPrefix?.bytes == [0x7B, 1, 2, 3, 4])
  }
}
