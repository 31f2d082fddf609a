import Capture
import Testing

@Suite struct PacketFilterTests {
  static let mixed: [UInt8] = {
    var file = CaptureBytes.pcap()
    for port: UInt16 in [80, 443, 80, 22] { file.record(tcpFrame(from: 40_000, to: port)) }
    return file.bytes
  }()

  @Test("a packet the filter drops keeps its number")
  func numbers() throws {
    #expect(try read(PacketFilterTests.mixed, filter: "tcp port 80").numbers == [1, 3])
    #expect(try read(PacketFilterTests.mixed, filter: "tcp port 22").numbers == [4])
    #expect(try read(PacketFilterTests.mixed, filter: "udp").numbers == [])
    #expect(try read(PacketFilterTests.mixed, filter: "  ").numbers == [1, 2, 3, 4])
  }

  @Test("small windows and pieces change nothing")
  func pieces() throws {
    let source = MemorySource(PacketFilterTests.mixed, pieceLength: 7, keepsReady: false)
    #expect(try read(source, window: 100, filter: "tcp port 80").numbers == [1, 3])
  }

  @Test("a wrong filter is an error that quotes it")
  func wrong() throws {
    let message = try #require(refusal(PacketFilterTests.mixed, filter: "tcp prot 80"))
    #expect(message.hasPrefix("test: the filter 'tcp prot 80' cannot be applied to link type 1 (EN10MB): "))
    #expect(message.hasSuffix("; see pcap-filter(7) for the syntax"))
  }

  @Test("a display filter is recognised", arguments: ["tcp.port == 80", "http", "tcp.port eq 80", "ip.addr==10.0.0.1"])
  func displayFilter(_ filter: String) throws {
    let message = try #require(refusal(PacketFilterTests.mixed, filter: filter))
    #expect(message.contains("looks like a Wireshark display filter"))
  }

  @Test("an interface the filter makes no sense for is left out and said")
  func linkTypes() throws {
    var file = CaptureBytes()
    file.section()
    file.interface(linkType: 1)
    file.interface(linkType: 147)
    file.enhanced(tcpFrame(from: 1, to: 80))
    file.enhanced([1, 2, 3], interface: 1)
    file.enhanced([1, 2, 3], interface: 1)
    file.enhanced(tcpFrame(from: 1, to: 80))
    let reading = try read(file.bytes, filter: "ether host 02:02:02:02:02:02 and tcp port 80")
    #expect(reading.numbers == [1, 4])
    #expect(reading.info.problems == [.notFilterable(linkType: 147, packets: 2)])
  }

  @Test("the order of problems does not depend on where windows end", arguments: [64, 128, 4096])
  func problemOrder(capacity: Int) throws {
    var file = CaptureBytes()
    file.section()
    file.interface(linkType: 147)
    file.enhanced([1, 2, 3])
    file.enhanced([1, 2, 3], interface: 9)
    file.block(6, length: 8) { _ in }
    let reading = try read(MemorySource(file.bytes, pieceLength: capacity), window: capacity, filter: "tcp port 80")
    #expect(
      reading.info.problems == [
        .damaged(atByte: 120, what: "a block claims 8 bytes"), .interfaceUnknown(packets: 1, firstPacket: 2),
        .notFilterable(linkType: 147, packets: 1),
      ])
  }

  @Test("raw IP is filtered by the number files have for it", arguments: [UInt16(101), 12, 14, 228])
  func rawIP(_ linkType: UInt16) throws {
    var file = CaptureBytes.pcap(linkType: UInt32(linkType))
    file.record(Array(tcpFrame(from: 1, to: 80)[14...]))
    file.record(Array(tcpFrame(from: 1, to: 81)[14...]))
    #expect(try read(file.bytes, filter: "tcp port 80").numbers == [1])
  }
}
