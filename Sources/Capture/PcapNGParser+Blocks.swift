/// Blocks that are not packets.
extension PcapNGParser {
  enum SectionField { static let mark = 8, major = 12, minor = 14, length = 28 }
  private enum InterfaceField { static let linkType = 8, snapLength = 12, options = 16, length = 20 }
  private enum StatisticsField { static let interface = 8, options = 20, length = 24 }
  private enum SecretsField { static let type = 8, count = 12, bytes = 16, length = 20 }

  private enum Option {
    static let name: UInt16 = 2
    static let about: UInt16 = 3
    static let resolution: UInt16 = 9
    static let filter: UInt16 = 11
    static let system: UInt16 = 12
    static let clockOffset: UInt16 = 14
    static let hardware: UInt16 = 15
    static let received: UInt16 = 4
    static let droppedByInterface: UInt16 = 5
    static let droppedBySystem: UInt16 = 7
  }

  /// The byte order of the section that begins at `at`, twelve bytes of which are there.
  static func sectionOrder(_ bytes: RawSpan, at: Int) -> ByteOrder? {
    switch ByteOrder.little.u32(bytes, at &+ SectionField.mark) {
    case 0x1A2B_3C4D: .little
    case 0x4D3C_2B1A: .big
    default: nil
    }
  }

  mutating func readSection(_ bytes: RawSpan, _ at: Int, _ length: Int) -> String? {
    guard length >= SectionField.length else { return "a section header of \(length) bytes" }
    let major = order.u16(bytes, at &+ SectionField.major)
    guard major == 1 else { return "a section of the unknown version \(major)" }
    formerInterfaces = interfaces
    interfaces = []
    return nil
  }

  mutating func readInterface(_ bytes: RawSpan, _ at: Int, _ length: Int, info: inout CaptureInfo) -> String? {
    guard length >= InterfaceField.length else { return "an interface block of \(length) bytes" }
    guard interfaces.count < CaptureLimits.interfaces else {
      info.note(.interfacesCut(count: 1))
      return nil
    }
    var interface = CaptureInterface(
      linkType: order.u16(bytes, at &+ InterfaceField.linkType),
      snapLength: order.u32(bytes, at &+ InterfaceField.snapLength))
    var resolution: UInt8 = 6
    var offset: Int64 = 0
    var options = OptionList(at &+ InterfaceField.options..<at &+ length &- 4)
    while let (code, value) = options.next(bytes, order) {
      switch code {
      case Option.name: interface.name = text(bytes, value)
      case Option.about: interface.about = text(bytes, value)
      case Option.system: interface.system = text(bytes, value)
      case Option.hardware: interface.hardware = text(bytes, value)
      // The first byte tells a filter's language; 0 is text.
      case Option.filter where value.count > 1 && byte(bytes, value.lowerBound) == 0:
        interface.filter = text(bytes, value.lowerBound + 1..<value.upperBound)
      case Option.resolution where value.count >= 1: resolution = byte(bytes, value.lowerBound)
      case Option.clockOffset where value.count >= 8:
        offset = Int64(bitPattern: order.u64(bytes, value.lowerBound))
      default: break
      }
    }
    if options.isDamaged { info.note(.optionsDamaged(blocks: 1)) }
    interface.clock = CaptureClock(resolution: resolution, offset: offset)
    interfaces.append(
      SectionInterface(
        clock: interface.clock, linkType: interface.linkType, place: place(of: interface, info: &info),
        snapLength: interface.snapLength))
    return nil
  }

  /// A section that repeats the interfaces of the one before gets their places, as long as nothing was counted there
  /// that the new section's counts would overwrite.
  private func place(of interface: CaptureInterface, info: inout CaptureInfo) -> UInt16? {
    if interfaces.count < formerInterfaces.count, let former = formerInterfaces[interfaces.count].place {
      let known = info.interfaces[Int(former)]
      let isCounted = known.received != nil || known.droppedByInterface != nil || known.droppedBySystem != nil
      if !isCounted, known.isSame(as: interface) { return former }
    }
    guard info.interfaces.count < CaptureLimits.interfaces else {
      info.note(.interfacesCut(count: 1))
      return nil
    }
    info.interfaces.append(interface)
    return UInt16(info.interfaces.count - 1)
  }

  mutating func readStatistics(_ bytes: RawSpan, _ at: Int, _ length: Int, info: inout CaptureInfo) -> String? {
    guard length >= StatisticsField.length else { return "a statistics block of \(length) bytes" }
    let interface = Int(order.u32(bytes, at &+ StatisticsField.interface))
    guard interface < interfaces.count, let place = interfaces[interface].place else { return nil }
    var options = OptionList(at &+ StatisticsField.options..<at &+ length &- 4)
    while let (code, value) = options.next(bytes, order) {
      guard value.count >= 8 else { continue }
      let count = order.u64(bytes, value.lowerBound)
      switch code {
      case Option.received: info.interfaces[Int(place)].received = count
      case Option.droppedByInterface: info.interfaces[Int(place)].droppedByInterface = count
      case Option.droppedBySystem: info.interfaces[Int(place)].droppedBySystem = count
      default: break
      }
    }
    if options.isDamaged { info.note(.optionsDamaged(blocks: 1)) }
    return nil
  }

  mutating func readSecrets(_ bytes: RawSpan, _ at: Int, _ length: Int, info: inout CaptureInfo) -> String? {
    guard length >= SecretsField.length else { return "a secrets block of \(length) bytes" }
    let count = Int(order.u32(bytes, at &+ SecretsField.count))
    guard count <= length &- SecretsField.length else {
      return "secrets claim \(count) bytes in a block of \(length)"
    }
    guard count <= CaptureLimits.secrets - secretsLength else {
      info.note(.secretsCut(bytes: UInt64(count)))
      return nil
    }
    secretsLength += count
    let start = at &+ SecretsField.bytes
    info.secrets.append(
      DecryptionSecrets(
        type: order.u32(bytes, at &+ SecretsField.type),
        bytes: bytes.extracting(start..<start &+ count).withUnsafeBytes { [UInt8]($0) }))
    return nil
  }

  private func byte(_ bytes: RawSpan, _ at: Int) -> UInt8 {
    bytes.unsafeLoad(fromByteOffset: at, as: UInt8.self)
  }

  private mutating func text(_ bytes: RawSpan, _ range: Range<Int>) -> String? {
    let count = min(range.count, CaptureLimits.text, CaptureLimits.texts - textLength)
    guard count > 0 else { return nil }
    textLength += count
    let part = bytes.extracting(range.lowerBound..<range.lowerBound + count)
    return part.withUnsafeBytes { quoted in
      // Some writers count a terminating zero.
      String(decoding: quoted.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The options at the end of a block: a code, a length, a value padded to four bytes.
struct OptionList {
  private var range: Range<Int>
  /// Whether an option claimed more than its block has.
  private(set) var isDamaged = false

  /// The range lies inside the bytes that `next` is given.
  init(_ range: Range<Int>) {
    self.range = range
  }

  mutating func next(_ bytes: RawSpan, _ order: ByteOrder) -> (code: UInt16, value: Range<Int>)? {
    guard range.count >= 4 else { return nil }
    let code = order.u16(bytes, range.lowerBound)
    guard code != 0 else { return nil }
    let start = range.lowerBound &+ 4
    let count = Int(order.u16(bytes, range.lowerBound &+ 2))
    guard count <= range.upperBound &- start else {
      isDamaged = true
      range = range.upperBound..<range.upperBound
      return nil
    }
    range = min(start &+ (count &+ 3) & ~3, range.upperBound)..<range.upperBound
    return (code, start..<start &+ count)
  }
}
