import Citation

/// The first header of a frame, by the link type of its interface.
extension FrameDecoder {
  mutating func link(_ linkType: UInt16, _ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    switch linkType {
    case LinkType.ethernet: return ethernet(bytes, &walk)
    case LinkType.raw, LinkType.raw12, LinkType.raw14: return ip(bytes, &walk)
    case LinkType.ipv4: return ipv4(bytes, &walk)
    case LinkType.ipv6: return ipv6(bytes, &walk)
    case LinkType.null, LinkType.loop: return loopback(bytes, &walk)
    case LinkType.cooked: return cooked(bytes, &walk)
    case LinkType.cooked2: return cooked2(bytes, &walk)
    case LinkType.netfilterLog: return netfilterLog(bytes, &walk)
    case LinkType.wlan: return wlan(bytes, &walk)
    case LinkType.radiotap: return radiotap(bytes, &walk)
    case LinkType.ppp: return pointToPoint(bytes, &walk)
    case LinkType.pppHDLC, LinkType.ciscoHDLC: return hdlc(bytes, &walk)
    case LinkType.pppoe: return pppoe(bytes, &walk)
    case LinkType.pppWithDirection:
      guard walk.captured >= 1 else { return .undecoded(.cutLink) }
      walk.offset &+= 1
      return pointToPoint(bytes, &walk)
    case LinkType.pktap: return processTap(bytes, &walk) ?? .undecoded(.badLink)
    // Old systems wrote PKTAP under a number that is anybody's: believed only if the header makes sense.
    case LinkType.user2: return processTap(bytes, &walk) ?? .unknown(.linkType, UInt32(linkType))
    default: return .unknown(.linkType, UInt32(linkType))
    }
  }

  mutating func ethernet(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 14 else { return .undecoded(.cutLink) }
    walk.seeLinkSource(bytes, at: walk.offset &+ 6)
    let type = bytes.u16(walk.offset &+ 12)
    walk.offset &+= 14
    return typeOrLength(type, &walk)
  }

  /// IEEE 802.3 §3.2.6: up to 1,500 the field is a length and LLC follows, from 1,536 it is a type.
  func typeOrLength(_ field: UInt16, _ walk: inout Walk) -> Layer {
    guard field < 0x0600 else { return Layer(etherType: field) }
    if Int(field) < walk.onWire { walk.limit(to: Int(field)) }
    return .logicalLink
  }

  /// LLC, and SNAP behind it.
  mutating func logicalLink(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 3 else { return .undecoded(.cutLink) }
    let destination = bytes[walk.offset]
    let source = bytes[walk.offset &+ 1]
    switch (destination, source) {
    case (0xAA, 0xAA):
      guard walk.captured >= 8 else { return .undecoded(.cutLink) }
      let organization = UInt32(bytes[walk.offset &+ 3]) << 16 | UInt32(bytes.u16(walk.offset &+ 4))
      let type = bytes.u16(walk.offset &+ 6)
      walk.offset &+= 8
      // RFC 1042, and the bridge-tunnel form of IEEE 802.1H.
      guard organization == 0 || organization == 0x0000F8 else { return .unknown(.organization, organization) }
      return Layer(etherType: type)
    case (0x06, 0x06):
      walk.offset &+= 3
      return .ipv4
    case (0x42, 0x42): return .undecoded(.spanningTree)
    default: return .unknown(.serviceAccessPoint, UInt32(destination))
    }
  }

  /// NULL and LOOP: an address family in the byte order of whoever captured, or in network order.
  private mutating func loopback(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 4 else { return .undecoded(.cutLink) }
    let field = bytes.u32(walk.offset)
    let family = field > 0xFFFF ? field.byteSwapped : field
    walk.offset &+= 4
    switch family {
    case 2: return .ipv4
    // Linux, NetBSD and OpenBSD, FreeBSD, Darwin.
    case 10, 24, 28, 30: return .ipv6
    default: return .unknown(.addressFamily, family)
    }
  }

  /// Linux "cooked" captures of the any device.
  private mutating func cooked(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 16 else { return .undecoded(.cutLink) }
    let at = walk.offset
    if bytes.u16(at &+ 4) == 6 { walk.seeLinkSource(bytes, at: at &+ 6) }
    let hardware = bytes.u16(at &+ 2)
    let type = bytes.u16(at &+ 14)
    walk.offset &+= 16
    return cookedPayload(type, hardware: hardware, bytes, &walk)
  }

  private mutating func cooked2(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 20 else { return .undecoded(.cutLink) }
    let at = walk.offset
    if bytes[at &+ 11] == 6 { walk.seeLinkSource(bytes, at: at &+ 12) }
    let type = bytes.u16(at)
    let hardware = bytes.u16(at &+ 8)
    walk.offset &+= 20
    return cookedPayload(type, hardware: hardware, bytes, &walk)
  }

  private mutating func cookedPayload(
    _ type: UInt16, hardware: UInt16, _ bytes: Span<UInt8>, _ walk: inout Walk
  ) -> Layer {
    // ARPHRD_IEEE80211_RADIOTAP: the protocol field says nothing then.
    if hardware == 803 { return radiotap(bytes, &walk) }
    // ETH_P_802_2.
    if type == 4 { return .logicalLink }
    return Layer(etherType: type)
  }

  /// What netfilter logs: a family, then fields of a length, a type and a value each, in the byte order of whoever
  /// captured. One of them is the packet.
  private mutating func netfilterLog(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    let address: UInt16 = 8
    let packet: UInt16 = 9
    guard walk.captured >= 8 else { return .undecoded(.cutLink) }
    guard bytes[walk.offset &+ 1] == 0 else { return .undecoded(.badLink) }
    let family = bytes[walk.offset]
    walk.offset &+= 4
    // The types are small numbers.
    let isLittle = bytes[walk.offset &+ 2] != 0
    while walk.captured >= 4 {
      let at = walk.offset
      let length = Int(isLittle ? bytes.u16LittleEndian(at) : bytes.u16(at))
      let type = (isLittle ? bytes.u16LittleEndian(at &+ 2) : bytes.u16(at &+ 2)) & 0x7FFF
      guard length >= 4 else { return .undecoded(.badLink) }
      if type == packet {
        guard length <= walk.onWire else { return .undecoded(.badLink) }
        walk.limit(to: length)
        walk.offset &+= 4
        switch family {
        case 2: return .ipv4
        case 10: return .ipv6
        default: return .unknown(.addressFamily, UInt32(family))
        }
      }
      guard length <= walk.captured else { return .undecoded(.cutLink) }
      if type == address, length >= 14, bytes.u16(at &+ 4) == 6 { walk.seeLinkSource(bytes, at: at &+ 8) }
      walk.offset &+= min(walk.captured, (length &+ 3) & ~3)
    }
    return .undecoded(.netfilterLog)
  }

  /// HDLC framing: PPP's address and control bytes, or Cisco's with an ethertype.
  private mutating func hdlc(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 4 else { return .undecoded(.cutLink) }
    let address = bytes[walk.offset]
    guard address == 0x0F || address == 0x8F else { return pointToPoint(bytes, &walk) }
    let type = bytes.u16(walk.offset &+ 2)
    walk.offset &+= 4
    return Layer(etherType: type)
  }

  /// Darwin's PKTAP: a header of its own that names the link type of what follows. Nil if it cannot be one.
  private mutating func processTap(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    let minimum = 108
    guard walk.captured >= minimum else { return nil }
    let at = walk.offset
    let isLittle = bytes.u32(at) > 0xFFFF
    let length = isLittle ? bytes.u32LittleEndian(at) : bytes.u32(at)
    let next = isLittle ? bytes.u32LittleEndian(at &+ 4) : bytes.u32(at &+ 4)
    let linkType = isLittle ? bytes.u32LittleEndian(at &+ 8) : bytes.u32(at &+ 8)
    guard length >= UInt32(minimum), Int(length) <= walk.captured, next == 1, linkType <= 0xFFFF else { return nil }
    walk.offset &+= Int(length)
    return .link(UInt16(truncatingIfNeeded: linkType))
  }
}
