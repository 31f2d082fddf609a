import Capture
import Testing

@Suite struct PcapNGParserTests {
  /// Two sections of different byte order, interfaces of different kinds, and every kind of block.
  static let everything: [UInt8] = {
    var file = CaptureBytes()
    file.section()
    file.interface(linkType: 1, snapLength: 100) { options in
      options.option(2, Array("eth0".utf8))
      options.option(3, Array("uplink".utf8))
      options.option(11, [0] + Array("tcp".utf8))
      options.option(12, Array("Linux\0".utf8))
      options.option(15, Array("card".utf8))
      options.option(0, [])
    }
    file.interface(linkType: 113) { $0.option(9, [9]) }
    file.enhanced([1, 2, 3], units: 5)
    file.enhanced([4, 5], interface: 1, units: 6, wire: 90)
    file.block(4) { $0.u32(0) }
    file.block(10) { body in
      body.u32(DecryptionSecrets.tlsKeyLog)
      body.u32(5)
      body.raw(Array("hello".utf8))
    }
    file.block(3) { body in
      body.u32(4)
      body.raw([9, 9, 9, 9])
    }
    file.block(0x1234_5678) { $0.raw([1, 2, 3]) }
    file.block(0x1234_5678) { $0.raw([]) }
    file.block(0xBAD) { $0.u32(32473) }
    file.enhanced([1], interface: 7)
    file.statistics { options in
      options.option(4, [100, 0, 0, 0, 0, 0, 0, 0])
      options.option(5, [3, 0, 0, 0, 0, 0, 0, 0])
      options.option(7, [4, 0, 0, 0, 0, 0, 0, 0])
    }
    file.section(isBig: true)
    file.interface(linkType: 101)
    file.block(2) { body in
      body.u16(0)
      body.u16(0)
      body.u64(7)
      body.u32(2)
      body.u32(2)
      body.raw([6, 6])
    }
    return file.bytes
  }()

  @Test("every kind of block is read or counted")
  func everyBlock() throws {
    let reading = try read(PcapNGParserTests.everything)
    #expect(
      reading.packets == [
        ReadPacket(number: 1, nanoseconds: 5000, bytes: [1, 2, 3], wireLength: 3, linkType: 1, interface: 0),
        ReadPacket(number: 2, nanoseconds: 6, bytes: [4, 5], wireLength: 90, linkType: 113, interface: 1),
        ReadPacket(number: 3, nanoseconds: 6, bytes: [9, 9, 9, 9], wireLength: 4, linkType: 1, interface: 0),
        // 4 is the custom block, which Wireshark numbers, and 5 has no interface.
        ReadPacket(number: 6, nanoseconds: 7000, bytes: [6, 6], wireLength: 2, linkType: 101, interface: 2),
      ])
    let info = reading.info
    #expect(info.format.name == "pcapng")
    #expect(
      info.problems == [
        .interfaceUnknown(packets: 1, firstPacket: 5), .blocksSkipped(type: 0x1234_5678, count: 2),
      ])
    #expect(info.isComplete)
    #expect(info.secrets == [DecryptionSecrets(type: DecryptionSecrets.tlsKeyLog, bytes: Array("hello".utf8))])
    #expect(info.interfaces.map(\.linkType) == [1, 113, 101])
    let first = info.interfaces[0]
    #expect(
      [first.name, first.about, first.filter, first.system, first.hardware] == [
        "eth0", "uplink", "tcp", "Linux", "card",
      ])
    #expect(first.snapLength == 100)
    #expect(first.received == 100)
    #expect(info.dropped == 7)
  }

  @Test("the result does not depend on how the bytes arrive")
  func everyCut() throws {
    let all = try read(PcapNGParserTests.everything)
    for length in 1...40 {
      for capacity in [0, 65, 200, 4096] {
        let source = MemorySource(PcapNGParserTests.everything, pieceLength: length, keepsReady: length % 3 == 0)
        let reading = try read(source, window: capacity)
        #expect(reading.packets == all.packets)
        #expect(reading.info.problems == all.info.problems)
      }
    }
  }

  @Test("a file cut at any byte gives the whole packets and says so")
  func everyLength() throws {
    let whole = PcapNGParserTests.everything
    let all = try read(whole).packets
    var complete = 0
    for length in 28...whole.count {
      let reading = try read(Array(whole[..<length]))
      #expect(reading.packets == Array(all.prefix(reading.packets.count)))
      if reading.info.isComplete { complete += 1 }
    }
    // One for the end of each of the blocks.
    #expect(complete == 16)
    for length in 0..<28 {
      #expect(refusal(Array(whole[..<length])) != nil)
    }
  }

  @Test("a later section that repeats an interface gets its place, one that differs its own")
  func sections() throws {
    var file = CaptureBytes()
    for linkType: UInt16 in [1, 1, 113] {
      file.section()
      file.interface(linkType: linkType)
      file.enhanced([1])
    }
    let reading = try read(file.bytes)
    #expect(reading.packets.map(\.interface) == [0, 0, 1])
    #expect(reading.info.interfaces.map(\.linkType) == [1, 113])
  }

  @Test("counts of later sections are added, not written over")
  func droppedOverSections() throws {
    var file = CaptureBytes()
    for count: UInt8 in [2, 3] {
      file.section()
      file.interface()
      file.statistics { $0.option(5, [count, 0, 0, 0, 0, 0, 0, 0]) }
    }
    #expect(try read(file.bytes).info.dropped == 5)
  }

  @Test("lengths that contradict each other are damage at a byte")
  func damage() throws {
    let damages: [((inout CaptureBytes) -> Void, String)] = [
      ({ $0.block(6, length: 8) { _ in } }, "a block claims 8 bytes"),
      ({ $0.block(6, length: 0x0100_0004) { _ in } }, "a block claims 16777220 bytes"),
      ({ $0.block(9, tail: 16) { $0.u64(0) } }, "the two lengths of a block differ"),
      ({ $0.block(6) { $0.u64(0) } }, "a packet block of 20 bytes"),
      ({ $0.enhanced([1], captured: 5) }, "a packet claims 5 bytes in a block of 36"),
      ({ $0.section(major: 2) }, "a section of the unknown version 2"),
      ({ $0.block(0x0A0D_0D0A) { $0.raw([UInt8](repeating: 0, count: 16)) } }, "a section without a byte-order mark"),
      ({ $0.block(10) { $0.raw([0, 0, 0, 0, 1, 0, 0, 0]) } }, "secrets claim 1 bytes in a block of 20"),
    ]
    for (damage, what) in damages {
      var file = CaptureBytes()
      file.section()
      file.interface()
      file.enhanced([1, 2, 3, 4])
      let good = file.bytes.count
      damage(&file)
      file.isBig = false
      file.enhanced([5])
      let reading = try read(file.bytes)
      #expect(reading.numbers == [1])
      #expect(reading.info.problems == [.damaged(atByte: UInt64(good), what: what)])
    }
  }

  @Test("options that do not fit their block are said and otherwise left aside")
  func damagedOptions() throws {
    var file = CaptureBytes()
    file.section()
    file.interface { options in
      options.option(2, Array("eth0".utf8))
      options.option(3, [1, 2, 3, 4], claiming: 400)
    }
    file.enhanced([1])
    let reading = try read(file.bytes)
    #expect(reading.numbers == [1])
    #expect(reading.info.interfaces[0].name == "eth0")
    #expect(reading.info.problems == [.optionsDamaged(blocks: 1)])
  }

  @Test("texts and kinds of unknown blocks are bounded")
  func bounds() throws {
    var file = CaptureBytes()
    file.section()
    file.interface { $0.option(2, [UInt8](repeating: 0x61, count: 60_000)) }
    for type in 0..<100 { file.block(0x8000_0000 + UInt32(type)) { _ in } }
    let info = try read(file.bytes).info
    #expect(info.interfaces[0].name?.utf8.count == CaptureLimits.text)
    #expect(info.problems.count == CaptureLimits.blockKinds + 1)
    #expect(info.problems.last == .moreBlocksSkipped(count: UInt64(100 - CaptureLimits.blockKinds)))
  }

  @Test("a simple packet is as long as the snapshot length lets it be")
  func simplePackets() throws {
    var file = CaptureBytes()
    file.section()
    file.interface(snapLength: 2)
    file.block(3) { body in
      body.u32(1000)
      body.raw([1, 2, 0, 0])
    }
    let packet = try read(file.bytes).packets[0]
    #expect(packet.bytes == [1, 2])
    #expect(packet.wireLength == 1000)
  }
}
