import Citation
import Support
import Testing

@testable import Decode

@Suite("Mutated frames")
struct MutationTests {
  /// A trap would end the test run; what is checked is that nothing is lost and no range leaves the bytes.
  @Test("give a result or a count", arguments: 0..<8)
  func mutated(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var trial = Trial()
    var results: UInt64 = 0
    var frames: UInt64 = 0
    let datagrams = [false, true].map { isV6 -> [UInt8] in
      var packet =
        isV6
        ? PacketBuilder(from: "[2001:db8::1]:1", to: "[2001:db8::2]:2")
        : PacketBuilder(from: "1.2.3.4:1", to: "4.3.2.1:2")
      packet.payload = random.bytes(100)
      return packet.datagram
    }
    for carrier in Carrier.all {
      for datagram in datagrams + Wire.fragments(of: datagrams[0], every: 64)
        + Wire.fragments(of: datagrams[1], every: 64)
      {
        let original = carrier.wrap(datagram)
        for _ in 0..<60 {
          var bytes = original
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            let at = Int.random(in: 0..<min(bytes.count, 120), using: &random)
            bytes[at] = UInt8.random(in: 0...255, using: &random)
          }
          let kept = Int.random(in: bytes.count / 2...bytes.count, using: &random)
          trial.decode(
            Array(bytes[..<kept]), linkType: carrier.linkType, wireLength: Int.random(in: 0...2000, using: &random),
            at: Int64.random(in: 0...Int64.max, using: &random))
          frames += 1
          if case .none = trial.frame.kind { continue }
          results += 1
          guard let segment = trial.segment else { continue }
          let room = trial.frame.isReassembled ? trial.decoder.reassembled.count : kept
          #expect(segment.payloadRange.upperBound <= room)
          #expect(segment.optionsRange.upperBound <= room)
          #expect(segment.payloadCaptured <= segment.payloadLength)
        }
      }
    }
    let counted = trial.decoder.undecoded.reduce(0) { $0 + $1.count }
    #expect(results + counted + trial.decoder.joinedFragments == frames)
    #expect(results > 0 && counted > 0)
  }
  /// Frames as they are, and with a byte changed or cut off: the short way declines what is not plain.
  @Test("give the same on the short way as on the long one", arguments: 0..<8)
  func ways(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var short = FrameDecoder()
    var long = FrameDecoder()
    var segments = 0
    var others = 0
    for carrier in Carrier.all {
      for isV6 in [false, true] {
        var packet =
          isV6
          ? PacketBuilder(from: "[2001:db8::1]:1", to: "[2001:db8::2]:2")
          : PacketBuilder(from: "1.2.3.4:1", to: "4.3.2.1:2")
        packet.payload = random.bytes(30)
        packet.options = TCPOption.nop + TCPOption.nop + TCPOption.timestamps(7, echo: 9)
        packet.identification = 0xBEEF
        let original = carrier.wrap(packet.datagram)
        for turn in 0..<400 {
          var bytes = original
          if turn > 0 {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random) / Int.random(in: 1...20, using: &random))
          }
          var frames = [DecodedFrame(), DecodedFrame()]
          let at = PacketRef(number: UInt64(turn), time: Timestamp(nanoseconds: Int64(turn)))
          let wireLength = bytes.count + Int.random(in: 0...1, using: &random) * 700
          short.decode(
            bytes.span, linkType: carrier.linkType, packet: at, wireLength: wireLength, interface: 3, base: 1_000,
            into: &frames[0])
          long.walk(
            through: bytes.span, linkType: carrier.linkType, packet: at, wireLength: wireLength, interface: 3,
            base: 1_000, into: &frames[1])
          #expect(frames[0].content == frames[1].content)
          guard frames[0].content == .segment else {
            others += 1
            continue
          }
          segments += 1
          #expect(frames[0].segment == frames[1].segment, "\(carrier): \(bytes)")
        }
      }
    }
    #expect(short.undecoded.map(\.name) == long.undecoded.map(\.name))
    #expect(short.undecoded.map(\.count) == long.undecoded.map(\.count))
    #expect(segments > 1_000 && others > 1_000)
  }
}
