import Citation

/// The thin headers between a link and IP: VLAN tags, MPLS labels, PPP and PPPoE.
extension FrameDecoder {
  mutating func vlan(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 4 else { return .undecoded(.cutTag) }
    walk.encapsulation.insert(.vlan)
    let type = bytes.u16(walk.offset &+ 2)
    walk.offset &+= 4
    return typeOrLength(type, &walk)
  }

  /// The security group tag of Cisco TrustSec: a version, a count of options of four bytes, those, and a type.
  func ciscoMetadata(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 2 else { return .undecoded(.cutTag) }
    guard bytes[walk.offset] == 1 else { return .undecoded(.badLink) }
    let header = 2 &+ 4 &* Int(bytes[walk.offset &+ 1])
    guard walk.captured >= header &+ 2 else { return .undecoded(.cutTag) }
    let type = bytes.u16(walk.offset &+ header)
    walk.offset &+= header &+ 2
    return typeOrLength(type, &walk)
  }

  /// One label. MPLS does not say what it carries, so behind the last label the bytes are asked.
  mutating func mpls(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 4 else { return .undecoded(.cutTag) }
    walk.encapsulation.insert(.mpls)
    let isLast = bytes[walk.offset &+ 2] & 1 == 1
    walk.offset &+= 4
    guard isLast else { return .mpls }
    guard walk.captured >= 1 else { return .undecoded(.cutTag) }
    // A link address may begin with the same half byte as an IP header, whose length then makes no sense.
    switch bytes[walk.offset] >> 4 {
    case 4 where fitsIPv4(bytes, walk): return .ipv4
    case 6 where fitsIPv6(bytes, walk): return .ipv6
    case 4:
      if case .ethernet = pseudowire(bytes, &walk) { return .ethernet }
      return .ipv4
    case 6:
      if case .ethernet = pseudowire(bytes, &walk) { return .ethernet }
      return .ipv6
    default: return pseudowire(bytes, &walk)
    }
  }

  /// Whether what begins like IPv4 has lengths that fit each other and the packet.
  private func fitsIPv4(_ bytes: Span<UInt8>, _ walk: Walk) -> Bool {
    guard walk.captured >= 4 else { return true }
    let header = Int(bytes[walk.offset] & 0x0F) &* 4
    let total = Int(bytes.u16(walk.offset &+ IPv4.totalLength))
    return header >= IPv4.minimum && (total == 0 || total >= header && total <= walk.onWire)
  }

  private func fitsIPv6(_ bytes: Span<UInt8>, _ walk: Walk) -> Bool {
    guard walk.captured >= 6 else { return true }
    return IPv6.length &+ Int(bytes.u16(walk.offset &+ IPv6.payloadLength)) <= walk.onWire
  }

  /// Ethernet over MPLS, with or without the control word of RFC 4448 §4.6: distinguished by where a known type stands,
  /// and failing that by where a length that fits does.
  private func pseudowire(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    let ethernet = 14
    let controlWord = bytes[walk.offset] >> 4 == 0 ? 4 : 0
    for takesLength in [false, true] {
      for skipped in [controlWord, 0] where walk.captured >= skipped &+ ethernet {
        let field = bytes.u16(walk.offset &+ skipped &+ 12)
        if field < 0x0600 {
          guard takesLength, field > 3, Int(field) <= walk.onWire &- skipped &- ethernet else { continue }
        } else if case .unknown = Layer(etherType: field) {
          continue
        }
        walk.offset &+= skipped
        return .ethernet
      }
    }
    return .undecoded(.mplsPayload)
  }

  mutating func pppoe(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 6 else { return .undecoded(.cutTag) }
    guard bytes[walk.offset] == 0x11 else { return .undecoded(.badLink) }
    // RFC 2516 §4: code 0 is session data.
    guard bytes[walk.offset &+ 1] == 0 else { return .undecoded(.pppoeDiscovery) }
    let length = Int(bytes.u16(walk.offset &+ 4))
    walk.encapsulation.insert(.pppoe)
    walk.offset &+= 6
    if length > 0, length < walk.onWire { walk.limit(to: length) }
    return .pointToPoint
  }

  /// RFC 1661 and 1662: address and control bytes may be left out, and so may the first byte of a small protocol.
  mutating func pointToPoint(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    if walk.captured >= 2, bytes[walk.offset] == 0xFF, bytes[walk.offset &+ 1] == 0x03 { walk.offset &+= 2 }
    guard walk.captured >= 1 else { return .undecoded(.cutTag) }
    if bytes[walk.offset] & 1 == 1 {
      let number = UInt16(bytes[walk.offset])
      walk.offset &+= 1
      return Layer(pppProtocol: number)
    }
    guard walk.captured >= 2 else { return .undecoded(.cutTag) }
    let number = bytes.u16(walk.offset)
    walk.offset &+= 2
    return Layer(pppProtocol: number)
  }
}
