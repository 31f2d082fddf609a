import Citation
import Decode
import Support
import Testing

@testable import Engine

@Suite("Packets that several points recorded")
struct PointCopyTests {
  @Test("What was seen of a stream is what a set of bytes says, across the end of numbers", arguments: 1...20)
  func coverage(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var coverage = SequenceCoverage()
    var bytes: Set<UInt32> = []
    let start: UInt32 = .max - 300
    // The first byte is known, so that nothing comes before it.
    _ = coverage.add(start, 1)
    bytes.insert(start)
    for _ in 0..<60 {
      let from = start &+ UInt32.random(in: 0..<600, using: &random)
      let length = UInt32.random(in: 1...40, using: &random)
      let added = (0..<length).map { from &+ $0 }
      let isNew = added.contains { !bytes.contains($0) }
      #expect(coverage.covers(from, length) == !isNew)
      let isAdded = coverage.add(from, length)
      #expect(isAdded == isNew)
      bytes.formUnion(added)
    }
  }

  private static let (key, isLower) = FlowKey.of(
    source: Endpoint(address: IPAddress(v4: 0x0A00_0001), port: 4000),
    destination: Endpoint(address: IPAddress(v4: 0x0A00_0002), port: 80))

  private static func segment(_ sequence: UInt32, _ length: Int, ack: UInt32 = 1, flags: UInt8 = 0x18) -> TCPSegment {
    var segment = TCPSegment(packet: PacketRef(number: 1, time: .zero), key: key, sentByLower: isLower)
    segment.sequence = sequence
    segment.acknowledgment = ack
    segment.payloadLength = length
    segment.flags = TCPFlags(rawValue: flags)
    return segment
  }

  /// Which of these are copies, in this order.
  private static func copies(_ segments: [(TCPSegment, Int)]) -> [Bool] {
    var copies = PointCopies(points: 2)
    return segments.map { (segment, point) in
      var segment = segment
      return copies.isCopy(&segment, at: point)
    }
  }

  @Test("A reset is compared with what its sender's packets look like at the same point.")
  func usualTimeToLive() {
    var copies = PointCopies(points: 2)
    let seen = { (segment: TCPSegment, timeToLive: UInt8, point: Int) -> UInt8 in
      var segment = segment
      segment.timeToLive = timeToLive
      _ = copies.isCopy(&segment, at: point)
      return segment.usualTimeToLive
    }
    #expect(seen(Self.segment(110, 0, flags: 0x04), 64, 1) == 0)
    #expect(seen(Self.segment(100, 10), 64, 0) == 0)
    #expect(seen(Self.segment(100, 10), 63, 1) == 0)
    #expect(seen(Self.segment(110, 0, flags: 0x04), 64, 1) == 63)
    #expect(seen(Self.segment(110, 0, flags: 0x04), 64, 0) == 64)
    // Another way, which some of its packets took.
    #expect(seen(Self.segment(110, 10), 61, 1) == 0)
    #expect(seen(Self.segment(120, 0, flags: 0x11), 63, 1) == 63)
    #expect(seen(Self.segment(120, 0, flags: 0x11), 64, 1) == 61)
  }

  @Test("The first record of a segment counts, whatever the point")
  func firstCounts() {
    let (one, two) = (Self.segment(100, 10), Self.segment(110, 10))
    #expect(Self.copies([(one, 0), (one, 1), (two, 1), (two, 0)]) == [false, true, false, true])
  }

  @Test("A segment that one card splits is the same bytes")
  func split() {
    let parts = [Self.segment(100, 1_448), Self.segment(1_548, 1_552)]
    #expect(Self.copies([(Self.segment(100, 3_000), 0), (parts[0], 1), (parts[1], 1)]) == [false, true, true])
    #expect(Self.copies([(parts[0], 1), (parts[1], 1), (Self.segment(100, 3_000), 0)]) == [false, false, true])
  }

  @Test("A retransmission counts once for each time")
  func resent() {
    let segment = Self.segment(100, 10)
    let found = Self.copies([0, 1, 1, 0, 1, 0, 0, 0, 1, 1].map { (segment, $0) })
    #expect(found == [false, true, false, true, false, true, false, false, true, true])
  }

  @Test("A retransmission that one card splits is the same bytes")
  func resentSplit() {
    let (whole, parts) = (Self.segment(100, 3_000), [Self.segment(100, 1_448), Self.segment(1_548, 1_552)])
    let found = Self.copies([(whole, 0), (whole, 1), (whole, 0), (parts[0], 1), (parts[1], 1)])
    #expect(found == [false, true, false, true, true])
    let other = Self.copies([(whole, 0), (whole, 1), (parts[0], 1), (parts[1], 1), (whole, 0), (whole, 0)])
    #expect(other == [false, true, false, false, true, false])
  }

  @Test("A packet that one point missed comes from the other")
  func missed() {
    let (first, second, third) = (Self.segment(100, 10), Self.segment(110, 10), Self.segment(120, 10))
    #expect(
      Self.copies([(first, 0), (third, 0), (first, 1), (second, 1), (third, 1)]) == [false, false, true, false, true])
  }

  @Test("Acknowledgments that repeat count as often as one point saw them")
  func acknowledgments() {
    let plain = Self.segment(100, 0, ack: 500, flags: 0x10)
    let found = Self.copies([0, 1, 0, 0, 1, 1, 1].map { (plain, $0) })
    #expect(found == [false, true, false, false, true, true, false])
  }

  @Test("A port that is used again begins anew")
  func portReused() {
    let (old, new) = (Self.segment(100, 0, flags: 0x02), Self.segment(90_000, 0, flags: 0x02))
    let data = Self.segment(101, 10)
    let found = Self.copies([(old, 0), (old, 1), (data, 0), (data, 1), (new, 0), (new, 1)])
    #expect(found == [false, true, false, true, false, true])
  }
}
