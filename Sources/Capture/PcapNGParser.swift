import Citation

/// The block format: sections, each with its own byte order and interfaces.
/// https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/
///
/// Pure and incremental like `PcapParser`. A block is used only when it is whole and both its lengths agree; blocks
/// of unknown types are skipped and counted.
struct PcapNGParser {
  enum Block {
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    static let oldPacket: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let names: UInt32 = 4
    static let statistics: UInt32 = 5
    static let packet: UInt32 = 6
    static let secrets: UInt32 = 10
    static let custom: UInt32 = 0xBAD
    static let customNotToCopy: UInt32 = 0x4000_0BAD
    /// Journal entries and system calls: no packets, but Wireshark numbers them, and custom blocks, as such.
    static let events: Set<UInt32> = [9, 0x204, 0x208, 0x216, 0x217, 0x221, 0x222]
    /// The shortest block, and the bytes needed to determine a section's byte order.
    static let minimum = 12
  }

  private enum PacketField {
    static let interface = 8, high = 12, low = 16, captured = 20, wire = 24, bytes = 28, length = 32
  }
  private enum SimpleField { static let wire = 8, bytes = 12, length = 16 }

  /// What a packet needs to know of its interface. `place` is its index in `CaptureInfo.interfaces`, nil beyond the
  /// bound of that.
  struct SectionInterface {
    var clock: CaptureClock
    var linkType: UInt16
    var place: UInt16?
    var snapLength: UInt32
  }

  var order: ByteOrder
  var interfaces: [SectionInterface] = []
  /// Those of the section before, which the next one often repeats.
  var formerInterfaces: [SectionInterface] = []
  var textLength = 0
  var secretsLength = 0
  private var lastTime = Timestamp.zero
  private(set) var lastNumber: UInt64 = 0
  private(set) var isOver = false

  static func startsWithMagic(_ head: RawSpan) -> Bool {
    head.byteCount >= 4 && ByteOrder.little.u32(head, 0) == Block.section
  }

  static func open(_ head: RawSpan) -> Result<PcapNGParser, Refusal> {
    guard head.byteCount >= SectionField.length else {
      return .failure(Refusal(what: "cut short inside its file header", fix: "capture again, it holds no packets"))
    }
    guard let order = sectionOrder(head, at: 0) else {
      return .failure(Refusal(what: "a pcapng file whose byte-order mark is damaged", fix: "check the file"))
    }
    let major = order.u16(head, SectionField.major)
    guard major == 1 else {
      return .failure(
        Refusal(
          what: "pcapng version \(major).\(order.u16(head, SectionField.minor)), only 1.x is supported",
          fix: "check the file"))
    }
    return .success(PcapNGParser(order: order))
  }

  private init(order: ByteOrder) {
    self.order = order
  }

  /// Appends the packets of the whole blocks in `range` and answers where the first block that is not whole begins.
  /// `position` is where the range begins in the file.
  mutating func parse(
    _ bytes: RawSpan, _ range: Range<Int>, at position: UInt64, into packets: inout [PacketRecord],
    info: inout CaptureInfo
  ) -> Int {
    let end = range.upperBound
    var at = range.lowerBound
    while end &- at >= Block.minimum {
      let type = order.u32(bytes, at)
      var fault: String?
      if type == Block.section {
        if let order = PcapNGParser.sectionOrder(bytes, at: at) {
          self.order = order
        } else {
          fault = "a section without a byte-order mark"
        }
      }
      let claimed = order.u32(bytes, at &+ 4)
      var length = 0
      if fault == nil {
        if claimed < UInt32(Block.minimum) || claimed > UInt32(CaptureLimits.record) {
          fault = "a block claims \(claimed) bytes"
        } else {
          // The length should be a multiple of four; writers that forget it pad all the same.
          length = Int((claimed &+ 3) & ~3)
          if length > end &- at { break }
          if order.u32(bytes, at &+ length &- 4) != claimed { fault = "the two lengths of a block differ" }
        }
      }
      if fault == nil {
        if type == Block.packet || type == Block.oldPacket {
          fault = readPacket(bytes, at, length, isOld: type == Block.oldPacket, into: &packets, info: &info)
        } else {
          fault = readBlock(type, bytes, at, length, into: &packets, info: &info)
        }
      }
      if let fault {
        info.note(.damaged(atByte: position &+ UInt64(at &- range.lowerBound), what: fault))
        isOver = true
        break
      }
      at &+= length
    }
    return at
  }

  /// Readers of blocks return the reason why a block is invalid, or nil.
  @inline(__always)
  private mutating func readPacket(
    _ bytes: RawSpan, _ at: Int, _ length: Int, isOld: Bool, into packets: inout [PacketRecord],
    info: inout CaptureInfo
  ) -> String? {
    guard length >= PacketField.length else { return "a packet block of \(length) bytes" }
    let captured = order.u32(bytes, at &+ PacketField.captured)
    guard Int(captured) <= length &- PacketField.length else {
      return "a packet claims \(captured) bytes in a block of \(length)"
    }
    let interface =
      isOld
      ? Int(order.u16(bytes, at &+ PacketField.interface)) : Int(order.u32(bytes, at &+ PacketField.interface))
    lastNumber &+= 1
    guard interface < interfaces.count, let place = interfaces[interface].place else {
      info.note(.interfaceUnknown(packets: 1, firstPacket: lastNumber))
      return nil
    }
    let units =
      UInt64(order.u32(bytes, at &+ PacketField.high)) << 32 | UInt64(order.u32(bytes, at &+ PacketField.low))
    lastTime = interfaces[interface].clock.time(units: units)
    packets.append(
      PacketRecord(
        number: lastNumber, time: lastTime, offset: at &+ PacketField.bytes, capturedLength: Int(captured),
        wireLength: Int(max(order.u32(bytes, at &+ PacketField.wire), captured)),
        linkType: interfaces[interface].linkType, interface: place))
    return nil
  }

  @inline(never)
  private mutating func readBlock(
    _ type: UInt32, _ bytes: RawSpan, _ at: Int, _ length: Int, into packets: inout [PacketRecord],
    info: inout CaptureInfo
  ) -> String? {
    switch type {
    case Block.section: return readSection(bytes, at, length)
    case Block.interface: return readInterface(bytes, at, length, info: &info)
    case Block.simplePacket: return readSimplePacket(bytes, at, length, into: &packets, info: &info)
    case Block.statistics: return readStatistics(bytes, at, length, info: &info)
    case Block.secrets: return readSecrets(bytes, at, length, info: &info)
    case Block.names: return nil
    case Block.custom, Block.customNotToCopy:
      lastNumber &+= 1
      return nil
    default:
      if Block.events.contains(type) { lastNumber &+= 1 }
      skip(type, info: &info)
      return nil
    }
  }

  /// A packet of the section's first interface, without a time of its own: it takes that of the packet before.
  private mutating func readSimplePacket(
    _ bytes: RawSpan, _ at: Int, _ length: Int, into packets: inout [PacketRecord], info: inout CaptureInfo
  ) -> String? {
    guard length >= SimpleField.length else { return "a packet block of \(length) bytes" }
    lastNumber &+= 1
    guard let interface = interfaces.first, let place = interface.place else {
      info.note(.interfaceUnknown(packets: 1, firstPacket: lastNumber))
      return nil
    }
    let wire = order.u32(bytes, at &+ SimpleField.wire)
    let limit = interface.snapLength == 0 ? wire : min(wire, interface.snapLength)
    packets.append(
      PacketRecord(
        number: lastNumber, time: lastTime, offset: at &+ SimpleField.bytes,
        capturedLength: min(Int(limit), length &- SimpleField.length), wireLength: Int(wire),
        linkType: interface.linkType, interface: place))
    return nil
  }

  private func skip(_ type: UInt32, info: inout CaptureInfo) {
    let kinds = info.problems.count { if case .blocksSkipped = $0 { true } else { false } }
    let isKnown = info.problems.contains { if case .blocksSkipped(type, _) = $0 { true } else { false } }
    info.note(
      isKnown || kinds < CaptureLimits.blockKinds
        ? .blocksSkipped(type: type, count: 1) : .moreBlocksSkipped(count: 1))
  }
}
