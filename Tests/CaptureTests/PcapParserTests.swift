import Capture
import Testing

/// One way a classic file can be written.
struct PcapFlavour: CustomTestStringConvertible {
  var magic: UInt32
  var isBig: Bool
  var nanoseconds: Int64
  var patched = false

  var testDescription: String { "\(String(magic, radix: 16)) \(isBig ? "big" : "little") endian" }

  static let all: [PcapFlavour] = [false, true].flatMap { isBig in
    [
      PcapFlavour(magic: 0xA1B2_C3D4, isBig: isBig, nanoseconds: 7_000_123_000),
      PcapFlavour(magic: 0xA1B2_3C4D, isBig: isBig, nanoseconds: 7_000_000_123),
      PcapFlavour(magic: 0xA1B2_CD34, isBig: isBig, nanoseconds: 7_000_123_000, patched: true),
    ]
  }

  func file(packets: Int) -> [UInt8] {
    var file = CaptureBytes.pcap(magic: magic, isBig: isBig)
    for index in 0..<packets {
      let packet = [UInt8](repeating: UInt8(index), count: index * 3)
      file.record(packet, seconds: 7, fraction: 123, wire: UInt32(index * 3 + 1), patched: patched)
    }
    return file.bytes
  }
}

@Suite struct PcapParserTests {
  @Test("every magic number and byte order gives the same packets", arguments: PcapFlavour.all)
  func flavours(_ flavour: PcapFlavour) throws {
    let reading = try read(flavour.file(packets: 3))
    #expect(reading.numbers == [1, 2, 3])
    #expect(reading.packets.map(\.nanoseconds) == Array(repeating: flavour.nanoseconds, count: 3))
    #expect(reading.packets.map(\.bytes) == [[], [1, 1, 1], [2, 2, 2, 2, 2, 2]])
    #expect(reading.packets.map(\.wireLength) == [1, 4, 7])
    #expect(reading.info.problems.isEmpty)
    #expect(reading.info.format.isBigEndian == flavour.isBig)
    #expect(reading.info.format.name == "pcap")
  }

  @Test("a file cut at any byte gives the whole packets and says where it ends", arguments: PcapFlavour.all)
  func everyLength(_ flavour: PcapFlavour) throws {
    let whole = flavour.file(packets: 4)
    let all = try read(whole).packets
    for length in 24...whole.count {
      let reading = try read(Array(whole[..<length]))
      #expect(reading.packets == Array(all.prefix(reading.packets.count)))
      let boundary = flavour.file(packets: reading.packets.count).count
      if length == boundary {
        #expect(reading.info.problems.isEmpty)
      } else {
        let last = UInt64(reading.packets.count)
        #expect(reading.info.problems == [.cutShort(atByte: UInt64(length), lastWholePacket: last)])
        #expect(!reading.info.isComplete)
      }
    }
    for length in 0..<24 {
      #expect(refusal(Array(whole[..<length])) != nil)
    }
  }

  @Test("the result does not depend on how the bytes arrive", arguments: PcapFlavour.all)
  func everyCut(_ flavour: PcapFlavour) throws {
    let whole = flavour.file(packets: 40)
    let all = try read(whole).packets
    #expect(all.count == 40)
    for length in [1, 2, 3, 5, 7, 16, 23, 24, 25, 64, 1000] {
      for capacity in [0, 65, 100, 4096] {
        let source = MemorySource(whole, pieceLength: length, keepsReady: length % 2 == 0)
        #expect(try read(source, window: capacity).packets == all)
      }
    }
  }

  @Test("a record that claims too much is damage, and what came before is kept")
  func damage() throws {
    var file = CaptureBytes.pcap()
    file.record([1, 2, 3])
    file.record([], captured: 16 << 20 | 1)
    file.record([4])
    let reading = try read(file.bytes)
    #expect(reading.numbers == [1])
    #expect(reading.info.problems == [.damaged(atByte: 43, what: "a record claims 16777217 bytes")])
  }

  @Test("zeros where a record should begin are not packets")
  func zeros() throws {
    var file = CaptureBytes.pcap()
    file.record([1, 2, 3])
    file.raw([UInt8](repeating: 0, count: 5000))
    let reading = try read(file.bytes)
    #expect(reading.numbers == [1])
    #expect(!reading.info.isComplete)
  }

  @Test("a snapshot length above the usual bound is believed, a length above both is not")
  func longPackets() throws {
    let packet = [UInt8](repeating: 7, count: 300_000)
    var usual = CaptureBytes.pcap()
    usual.record(packet)
    #expect(try read(usual.bytes).packets.isEmpty)
    var long = CaptureBytes.pcap(snapLength: 400_000)
    long.record(packet)
    let reading = try read(long.bytes)
    #expect(reading.packets.first?.bytes == packet)
    #expect(reading.windowLength < 2 * 300_016 + 65_536)
  }

  @Test("times of any 32-bit number are taken", arguments: [UInt32.max, 0x8000_0000, 0x7FFF_FFFF, 1])
  func times(_ value: UInt32) throws {
    var file = CaptureBytes.pcap()
    file.record([0], seconds: value, fraction: value)
    #expect(try read(file.bytes).packets[0].nanoseconds == Int64(value) * 1_000_001_000)
  }

  @Test("a wire length below the captured one is raised")
  func wireLength() throws {
    var file = CaptureBytes.pcap()
    file.record([1, 2, 3], wire: 0)
    #expect(try read(file.bytes).packets[0].wireLength == 3)
  }

  @Test("before version 2.3 the lengths stand the other way round", arguments: [UInt16(2), 3, 4])
  func oldVersions(_ minor: UInt16) throws {
    var file = CaptureBytes.pcap(minor: minor)
    if minor < 4 {
      file.record([1, 2, 3], captured: 9, wire: 3)
    } else {
      file.record([1, 2, 3], captured: 3, wire: 9)
    }
    let reading = try read(file.bytes)
    #expect(reading.packets.map(\.bytes) == [[1, 2, 3]])
    #expect(reading.packets.map(\.wireLength) == [9])
    #expect(reading.info.problems.isEmpty)
  }

  @Test("the length of a check sequence is no part of the link type, reserved bits are an error")
  func linkTypeField() throws {
    let reading = try read(CaptureBytes.pcap(linkType: 0xF400_0001).bytes)
    #expect(reading.info.interfaces.map(\.linkType) == [1])
    #expect(refusal(CaptureBytes.pcap(linkType: 0x0030_0000).bytes)?.contains("reserved bits") == true)
  }

  @Test("an unknown version is refused")
  func version() {
    var bytes = CaptureBytes.pcap().bytes
    bytes[4] = 1
    #expect(refusal(bytes) == "test: pcap version 1.4, only 2.x is supported; check the file")
  }
}
