import Capture
import Citation
import Testing

@Suite struct PcapNGWriterTests {
  @Test("what is written can be read", arguments: 0...9)
  func roundTrip(length: Int) throws {
    var writer = PcapNGWriter()
    var file: [UInt8] = []
    writer.begin(application: "test 1.0", into: &file)
    let first = writer.interface(linkType: 1, snapLength: 65535, name: "eth0", into: &file)
    let second = writer.interface(linkType: 113, snapLength: 0, name: nil, into: &file)
    #expect([first, second] == [0, 1])
    let packet = [UInt8](repeating: 0x55, count: length)
    let time = Timestamp(nanoseconds: 1_700_000_000_123_456_789)
    writer.packet(packet.span, interface: second, time: time, wireLength: 1500, comments: ["a", "b é"], into: &file)
    writer.packet(packet.span, interface: first, time: Timestamp(nanoseconds: -5), wireLength: length, into: &file)
    let reading = try read(file)
    #expect(
      reading.packets == [
        ReadPacket(
          number: 1, nanoseconds: time.nanoseconds, bytes: packet, wireLength: 1500, linkType: 113, interface: 1),
        ReadPacket(number: 2, nanoseconds: 0, bytes: packet, wireLength: length, linkType: 1, interface: 0),
      ])
    #expect(reading.info.problems.isEmpty)
    #expect(reading.info.interfaces.map(\.name) == ["eth0", nil])
    #expect(reading.info.interfaces.map(\.snapLength) == [65535, 0])
  }

  @Test("a comment too long for an option is cut between two characters")
  func longComment() throws {
    var writer = PcapNGWriter()
    var file: [UInt8] = []
    writer.begin(application: "test", into: &file)
    let interface = writer.interface(linkType: 1, snapLength: 0, name: nil, into: &file)
    let comment = String(repeating: "€", count: 30_000)
    writer.packet([1].span, interface: interface, time: .zero, wireLength: 1, comments: [comment], into: &file)
    #expect(try read(file).packets.count == 1)
    #expect(file.count < 66_000)
    let euro = Array("€".utf8)
    let cut = file.dropLast(8).last { $0 != 0 }
    #expect(cut == euro[2])
  }
}
