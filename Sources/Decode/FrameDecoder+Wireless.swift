import Citation

/// 802.11 data frames, and the radiotap header capture tools put before them.
extension FrameDecoder {
  /// Byte 1 of the frame control field (IEEE 802.11 §9.2.4.1).
  private enum Control {
    static let toSystem: UInt8 = 0x01, fromSystem: UInt8 = 0x02, moreFragments: UInt8 = 0x04
    static let isProtected: UInt8 = 0x40, order: UInt8 = 0x80
  }

  mutating func radiotap(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 8 else { return .undecoded(.cutLink) }
    guard bytes[walk.offset] == 0 else { return .undecoded(.badLink) }
    let length = Int(bytes.u16LittleEndian(walk.offset &+ 2))
    guard length >= 8 else { return .undecoded(.badLink) }
    guard length <= walk.captured else { return .undecoded(.cutLink) }
    let isPadded = radiotapFlags(bytes, at: walk.offset, length: length) & 0x20 != 0
    walk.offset &+= length
    return wlan(bytes, &walk, isPadded: isPadded)
  }

  /// The flags field, zero where there is none. Bit 29 of a presence word starts the fields anew, bit 31 says that
  /// another word follows; only the first word's fields are of interest.
  private func radiotapFlags(_ bytes: Span<UInt8>, at start: Int, length: Int) -> UInt8 {
    let present = bytes.u32LittleEndian(start &+ 4)
    var fields = 8
    var word = present
    while word & 0x8000_0000 != 0 {
      guard fields &+ 4 <= length else { return 0 }
      word = bytes.u32LittleEndian(start &+ fields)
      fields &+= 4
    }
    if present & 0x1 != 0 { fields = (fields &+ 7) & ~7 &+ 8 }
    guard present & 0x2 != 0, fields < length else { return 0 }
    return bytes[start &+ fields]
  }

  mutating func wlan(_ bytes: Span<UInt8>, _ walk: inout Walk, isPadded: Bool = false) -> Layer {
    guard walk.captured >= 2 else { return .undecoded(.cutLink) }
    let at = walk.offset
    let subtype = bytes[at] >> 4
    let control = bytes[at &+ 1]
    switch bytes[at] >> 2 & 3 {
    case 0: return .undecoded(.wlanManagement)
    case 1: return .undecoded(.wlanControl)
    case 2: break
    default: return .undecoded(.badLink)
    }
    if subtype & 0x4 != 0 { return .undecoded(.wlanWithoutData) }
    if control & Control.isProtected != 0 { return .undecoded(.wlanProtected) }

    let isBridged = control & (Control.toSystem | Control.fromSystem) == Control.toSystem | Control.fromSystem
    let hasQuality = subtype & 0x8 != 0
    var header = 24 &+ (isBridged ? 6 : 0)
    let quality = header
    if hasQuality { header &+= control & Control.order != 0 ? 6 : 2 }
    if isPadded { header = (header &+ 3) & ~3 }
    guard walk.captured >= header else { return .undecoded(.cutLink) }
    let fragmentNumber = bytes[at &+ 22] & 0x0F
    if control & Control.moreFragments != 0 || fragmentNumber != 0 { return .undecoded(.wlanFragment) }
    if hasQuality, bytes[at &+ quality] & 0x80 != 0 { return .undecoded(.wlanAggregate) }
    // The second address is the transmitter.
    walk.seeLinkSource(bytes, at: at &+ 10)
    walk.offset &+= header
    return .logicalLink
  }
}
