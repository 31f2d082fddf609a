import Citation
import Support
import Testing

@testable import Decode

/// A datagram of either family whose payload is long enough for many fragments.
private func sample(isV6: Bool) -> PacketBuilder {
  var packet =
    isV6
    ? PacketBuilder(from: "[2001:db8::1]:40000", to: "[2001:db8::2]:80")
    : PacketBuilder(from: "10.1.2.3:40000", to: "10.9.8.7:80")
  packet.payload = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  packet.sequence = 77
  return packet
}

@Suite("Fragments")
struct FragmentTests {
  /// What the delivered segment carried, out of the decoder's datagram.
  private func payload(_ trial: Trial) -> [UInt8]? {
    guard let segment = trial.segment, trial.frame.isReassembled else { return nil }
    return Array(trial.decoder.reassembled[segment.payloadRange])
  }

  @Test("make their datagram in any order", arguments: [false, true], 0..<40)
  func anyOrder(isV6: Bool, seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let packet = sample(isV6: isV6)
    let pieces = Wire.fragments(of: packet.datagram, every: Int.random(in: 8...200, using: &random))
    var order = pieces + (seed % 2 == 0 ? [] : [try #require(pieces.randomElement(using: &random))])
    order.shuffle(using: &random)
    // The datagram may be whole before the last frame, where that one is a copy.
    var delivered: [UInt64] = []
    var trial = Trial()
    for piece in order {
      trial.decode(Wire.ethernet(piece), base: 5000)
      guard let segment = trial.segment else { continue }
      delivered.append(segment.packet.number)
      #expect(payload(trial) == packet.payload)
      #expect(segment.payloadLength == 300)
      #expect(segment.sequence == 77)
      #expect(segment.encapsulation == .fragments)
      #expect(segment.identification == (isV6 ? nil : 1))
    }
    #expect(delivered.count == 1)
    #expect(trial.decoder.problems.isEmpty)
    let counted = trial.decoder.undecoded.reduce(0) { $0 + $1.count }
    #expect(1 + trial.decoder.joinedFragments + counted == UInt64(order.count))
  }

  @Test("are not delivered before their datagram is whole")
  func noneEarly() {
    var trial = Trial()
    let pieces = Wire.fragments(of: sample(isV6: false).datagram, every: 200)
    trial.decode(Wire.ethernet(pieces[0]))
    #expect(trial.segment == nil)
    #expect(trial.undecoded == ["fragments never completed: 1"])
    trial.decode(Wire.ethernet(pieces[1]))
    #expect(trial.segment?.packet.number == 2)
    #expect(trial.undecoded.isEmpty)
  }

  @Test("of different datagrams do not mix")
  func interleaved() {
    var first = sample(isV6: false)
    let second = sample(isV6: false)
    first.payload = first.payload.map { ~$0 }
    let a = Wire.fragments(of: first.datagram, every: 160, identification: 1)
    let b = Wire.fragments(of: second.datagram, every: 160, identification: 2)
    var trial = Trial()
    for piece in [a[0], b[0], b[1]] { trial.decode(Wire.ethernet(piece)) }
    #expect(payload(trial) == second.payload)
    trial.decode(Wire.ethernet(a[1]))
    #expect(payload(trial) == first.payload)
  }

  @Test("that overlap with other bytes: IPv4 keeps the first, IPv6 drops the datagram", arguments: [false, true])
  func overlap(isV6: Bool) {
    let packet = sample(isV6: isV6)
    let datagram = packet.datagram
    let body = packet.segment
    func piece(_ range: Range<Int>, more: Bool, flipped: Bool = false) -> [UInt8] {
      let bytes = body[range].map { flipped ? ~$0 : $0 }
      return Wire.ethernet(Wire.fragment(of: datagram, offset: range.lowerBound, bytes: bytes, hasMore: more))
    }
    var trial = Trial()
    trial.decode(piece(0..<80, more: true))
    trial.decode(piece(160..<240, more: true))
    trial.decode(piece(40..<200, more: true, flipped: true))
    trial.decode(piece(240..<320, more: false))
    #expect(trial.decoder.problems.map(\.kind) == [isV6 ? .overlapIPv6 : .overlapIPv4])
    #expect(trial.decoder.problems.first?.first.number == 3)
    #expect(trial.decoder.problems.first?.source == packet.source.address)
    if isV6 {
      #expect(trial.segment == nil)
      #expect(trial.undecoded == ["fragments of IPv6 datagrams dropped for an overlap: 4"])
    } else {
      let expected = body.enumerated().map { (80..<160).contains($0.offset) ? ~$0.element : $0.element }
      #expect(payload(trial) == Array(expected[20...]))
      #expect(trial.undecoded.isEmpty)
    }
  }

  @Test("with a second end of the datagram are malformed")
  func twoEnds() {
    let datagram = sample(isV6: false).datagram
    var trial = Trial()
    let bytes = [UInt8](repeating: 1, count: 16)
    for (offset, more) in [(32, false), (64, false), (64, true), (16, false)] {
      trial.decode(Wire.ethernet(Wire.fragment(of: datagram, offset: offset, bytes: bytes, hasMore: more)))
    }
    #expect(trial.undecoded == ["malformed fragment: 3", "fragments never completed: 1"])
  }

  @Test("are forgotten after thirty seconds of the packet clock", arguments: [(30, true), (31, false)])
  func timeout(seconds: Int, isDelivered: Bool) {
    let pieces = Wire.fragments(of: sample(isV6: false).datagram, every: 200)
    var trial = Trial()
    trial.decode(Wire.ethernet(pieces[0]), at: 1_000_000_000)
    trial.decode(Wire.ethernet(pieces[1]), at: Int64(seconds + 1) * 1_000_000_000)
    #expect((trial.segment != nil) == isDelivered)
    #expect(trial.undecoded == (isDelivered ? [] : ["fragments never completed: 2"]))
  }

  @Test("over the limit push out the oldest datagram")
  func fragmentLimit() {
    let packet = sample(isV6: false)
    var trial = Trial()
    let extra = 10
    for number in 0..<FragmentTable.fragmentLimit + extra {
      let piece = Wire.fragments(of: packet.datagram, every: 200, identification: UInt32(number + 1))[0]
      trial.decode(Wire.ethernet(piece))
    }
    #expect(
      trial.undecoded == [
        "fragments given up at the limit: \(extra)", "fragments never completed: \(FragmentTable.fragmentLimit)",
      ])
    #expect(trial.decoder.problems.map(\.kind) == [.fragmentLimit])
    #expect(trial.decoder.problems.first?.first.number == UInt64(FragmentTable.fragmentLimit + 1))
    for (number, isDelivered) in [(1, false), (extra + 2, true)] {
      let pieces = Wire.fragments(of: packet.datagram, every: 200, identification: UInt32(number))
      trial.decode(Wire.ethernet(pieces[1]))
      #expect((trial.segment != nil) == isDelivered)
    }
  }

  @Test("never hold more bytes than the limit, and one datagram of too many pieces is given up")
  func byteLimit() {
    var big = sample(isV6: false)
    big.payload = [UInt8](repeating: 1, count: 65_000)
    var trial = Trial()
    for number in 1...80 {
      trial.decode(Wire.ethernet(Wire.fragments(of: big.datagram, every: 64_000, identification: UInt32(number))[0]))
    }
    let held = FragmentTable.byteLimit / 64_000
    #expect(
      trial.undecoded == ["fragments given up at the limit: \(80 - held)", "fragments never completed: \(held)"])

    var second = Trial()
    let pieces = Wire.fragments(of: big.datagram, every: 8)
    for piece in pieces { second.decode(Wire.ethernet(piece)) }
    #expect(second.segment == nil)
    #expect(second.decoder.undecoded.reduce(0) { $0 + $1.count } == UInt64(pieces.count))
    #expect(second.decoder.problems.map(\.kind) == [.fragmentLimit])
  }

  @Test("cut by the snapshot length give the bytes up to the first one missing")
  func cut() throws {
    let packet = sample(isV6: false)
    let pieces = Wire.fragments(of: packet.datagram, every: 160).map { Wire.ethernet($0) }
    var trial = Trial()
    trial.decode(Array(pieces[0][..<94]), wireLength: pieces[0].count)
    trial.decode(pieces[1])
    let segment = try #require(trial.segment)
    #expect(segment.payloadLength == 300)
    #expect(payload(trial) == Array(packet.payload[..<40]))
  }

  @Test("inside a tunnel inside fragments are found")
  func nested() {
    let packet = sample(isV6: true)
    var trial = Trial()
    var delivered = 0
    for (number, piece) in Wire.fragments(of: packet.datagram, every: 120).enumerated() {
      let tunnel = Wire.ip(from: "192.0.2.1", to: "192.0.2.2", protocol: 41, payload: piece)
      for outer in Wire.fragments(of: tunnel, every: 64, identification: UInt32(number + 9)) {
        trial.decode(Wire.ethernet(outer))
        if trial.segment != nil { delivered += 1 }
      }
    }
    #expect(delivered == 1)
    #expect(payload(trial) == packet.payload)
    #expect(trial.segment?.encapsulation == [.fragments, .ipInIP])
    #expect(trial.undecoded.isEmpty)
  }

  @Test("of IPv6 may begin with extension headers")
  func extensionsInside() {
    let packet = sample(isV6: true)
    let options = Wire.extensionHeader(next: 6, body: [1, 4, 0, 0, 0, 0], payload: packet.segment)
    let datagram = Wire.ip(from: packet.source.address, to: packet.destination.address, protocol: 60, payload: options)
    var trial = Trial()
    for piece in Wire.fragments(of: datagram, every: 96) { trial.decode(Wire.ethernet(piece)) }
    #expect(payload(trial) == packet.payload)
  }
}
