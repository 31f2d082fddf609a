import Citation

extension IncrementalParser {
  /// The tokens of one direction, cut before the given offsets. Every segment is a packet of its own, numbered from 1,
  /// where asked for; else all bytes are in packet 1.
  package mutating func tokens(
    of bytes: [UInt8], cutAt cuts: [Int] = [], numbersPackets: Bool = false, end: DirectionEnd? = .fin
  ) -> [Token] {
    var tokens: [Token] = []
    var position = 0
    var number: UInt64 = 1
    for cut in cuts + [bytes.count] where cut > position {
      let packet = PacketRef.numbered(numbersPackets ? number : 1)
      let chunk = CitedBytes(bytes.span.extracting(position..<cut), at: UInt64(position), in: packet, released: packet)
      consume(chunk, into: &tokens)
      position = cut
      number += 1
    }
    if let end { finish(end, into: &tokens) }
    return tokens
  }

  /// The tokens of one direction in segments of so many bytes, as fuzz drivers cut it. A byte of the value `hole` stands
  /// for three bytes that are missing.
  package mutating func tokens(of bytes: [UInt8], every segment: Int, hole: UInt8?) -> [Token] {
    var tokens: [Token] = []
    var offset: UInt64 = 0
    var position = 0
    while position < bytes.count {
      if bytes[position] == hole {
        skip(gap: offset..<offset + 3, into: &tokens)
        position += 1
        offset += 3
        continue
      }
      var end = position
      while end < bytes.count, end - position < segment, bytes[end] != hole { end += 1 }
      let packet = PacketRef.numbered(1)
      consume(
        CitedBytes(bytes.span.extracting(position..<end), at: offset, in: packet, released: packet), into: &tokens)
      offset += UInt64(end - position)
      position = end
    }
    finish(.fin, into: &tokens)
    return tokens
  }
}

extension PacketRef {
  /// A microsecond after the one before.
  package static func numbered(_ number: UInt64) -> PacketRef {
    PacketRef(number: number, time: Timestamp(nanoseconds: Int64(number) * 1000))
  }
}
