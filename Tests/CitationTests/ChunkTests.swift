import Citation
import Testing

private func packet(_ number: UInt64) -> PacketRef {
  PacketRef(number: number, time: Timestamp(nanoseconds: Int64(number) * 10))
}

@Suite struct ChunkTests {
  private let bytes: [UInt8] = Array(100..<110)

  @Test("a slice keeps the packets and moves the offset", arguments: 0...10)
  func slices(start: Int) {
    let chunk = CitedBytes(bytes.span, at: 1000, in: packet(3), released: packet(5))
    for end in start...10 {
      let slice = chunk.slice(start..<end)
      let values = slice.bytes.indices.map { slice.bytes[$0] }
      let place = (slice.offset, slice.packet, slice.released)
      #expect(values == Array(bytes[start..<end]))
      #expect(place == (1000 + UInt64(start), packet(3), packet(5)))
    }
  }

  @Test("a slice of a slice counts from the slice")
  func nested() {
    let chunk = CitedBytes(bytes.span, at: 7, in: packet(1), released: packet(1))
    let inner = chunk.slice(2..<9).slice(3..<5)
    let place = (inner.offset, inner.bytes.count, inner.bytes[0])
    #expect(place == (12, 2, 105))
  }

  @Test("an offset at the end of its range wraps instead of trapping")
  func wraps() {
    let chunk = CitedBytes(bytes.span, at: .max, in: packet(1), released: packet(1))
    let offset = chunk.slice(1..<2).offset
    #expect(offset == 0)
  }
}

@Suite struct ExcerptTests {
  @Test("an excerpt holds at most its limit and knows the whole length", arguments: [0, 1, 63, 64, 65, 1000])
  func limits(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for isPayload in [false, true] {
      let excerpt = Excerpt(bytes.span, isPayload: isPayload)
      #expect(excerpt.bytes == Array(bytes.prefix(64)))
      #expect(excerpt.length == count)
      #expect(excerpt.isPayload == isPayload)
    }
  }
}

@Suite struct DirectionTests {
  @Test("opposites, and a value for each direction", arguments: Direction.allCases)
  func directions(direction: Direction) {
    #expect(direction.opposite != direction)
    #expect(direction.opposite.opposite == direction)
    var both = BothDirections(repeating: 0)
    both[direction] += 1
    #expect(
      both == (direction == .toServer ? BothDirections(toServer: 1, toClient: 0) : .init(toServer: 0, toClient: 1)))
  }

  @Test("a span counts its bytes")
  func span() {
    #expect(ByteSpan(3..<10, first: packet(1), last: packet(2)).count == 7)
    #expect(ByteSpan(0..<UInt64.max, first: .none, last: .none).count == .max)
  }
}
