import Citation

/// Headers that carry a packet of another network: GRE and what is known by its types, VXLAN, Geneve and GTP-U.
extension FrameDecoder {
  /// Types of GRE that no Ethernet frame has.
  private enum GRE {
    static let erspan: UInt16 = 0x88BE, erspan3: UInt16 = 0x22EB, wccp: UInt16 = 0x883E, eoip: UInt16 = 0x6400
    static let ciscoMetadata: UInt16 = 0x8909
    /// Aruba's access points send 802.11 frames; the type numbers their tunnel.
    static let aruba: ClosedRange<UInt16> = 0x8200...0x8370, aruba9: UInt16 = 0x9000
  }

  /// RFC 2784 and 2890, and the enhanced form of PPTP (RFC 2637 §4.1).
  mutating func gre(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 4 else { return .undecoded(.cutTunnel) }
    let flags = bytes.u16(walk.offset)
    let type = bytes.u16(walk.offset &+ 2)
    let hasChecksum = flags & 0x8000 != 0
    let hasRoutes = flags & 0x4000 != 0
    let hasKey = flags & 0x2000 != 0
    let hasSequence = flags & 0x1000 != 0
    let isEnhanced = flags & 0x7 == 1
    let hasAcknowledgment = isEnhanced && flags & 0x0080 != 0
    guard !hasRoutes else { return .undecoded(.greRouting) }
    let header =
      4 &+ (hasChecksum ? 4 : 0) &+ (hasKey ? 4 : 0) &+ (hasSequence ? 4 : 0) &+ (hasAcknowledgment ? 4 : 0)
    guard walk.captured >= header else { return .undecoded(.cutTunnel) }
    walk.offset &+= header
    walk.encapsulation.insert(.gre)
    walk.isInsideIP = false
    // MikroTik's EoIP has the length and the number of its tunnel where PPTP has the same of its call.
    if isEnhanced, hasKey, type == GRE.eoip { return .ethernet }
    // PPTP acknowledges with headers that carry nothing.
    if isEnhanced, !hasSequence { return .undecoded(.pppControl) }
    switch type {
    case GRE.erspan: return mirrored(bytes, &walk, hasHeader: hasSequence)
    case GRE.erspan3: return mirroredThird(bytes, &walk)
    case GRE.wccp:
      // WCCP 2 puts a header of four bytes before the packet it redirects (RFC 3040 §5.6).
      guard walk.captured >= 1 else { return .undecoded(.cutTunnel) }
      if bytes[walk.offset] >> 4 != 4 { walk.offset &+= min(4, walk.captured) }
      return .ipv4
    case GRE.ciscoMetadata:
      // Here the type of what follows stands first.
      guard walk.captured >= 8 else { return .undecoded(.cutTunnel) }
      let inner = bytes.u16(walk.offset)
      walk.offset &+= 8
      return Layer(etherType: inner)
    case GRE.aruba where type & 0xF == 0, GRE.aruba9: return .wlan
    default: return Layer(etherType: type)
    }
  }

  /// ERSPAN I and II, which share a type: the first has no header of its own, and no sequence numbers.
  private func mirrored(_ bytes: Span<UInt8>, _ walk: inout Walk, hasHeader: Bool) -> Layer {
    let header = hasHeader ? 8 : 0
    guard walk.captured >= header else { return .undecoded(.cutTunnel) }
    if hasHeader, bytes[walk.offset] >> 4 != 1 { return .undecoded(.erspan) }
    walk.offset &+= header
    walk.encapsulation.insert(.erspan)
    return .ethernet
  }

  /// ERSPAN III: twelve bytes, and eight more of the platform where the last bit says so. It mirrors IP without a link,
  /// too.
  private func mirroredThird(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 12 else { return .undecoded(.cutTunnel) }
    guard bytes[walk.offset] >> 4 == 2 else { return .undecoded(.erspan) }
    let frameType = bytes[walk.offset &+ 10] >> 2 & 0x1F
    let header = 12 &+ (bytes[walk.offset &+ 11] & 1 == 1 ? 8 : 0)
    guard walk.captured >= header else { return .undecoded(.cutTunnel) }
    walk.offset &+= header
    walk.encapsulation.insert(.erspan)
    switch frameType {
    case 0: return .ethernet
    case 2: return .ip
    default: return .undecoded(.erspan)
    }
  }

  /// What a datagram to a tunnel's port carries; nil where the bytes do not look like the tunnel's header, because a
  /// port number is only a hint.
  func overlay(port: UInt16, _ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    switch port {
    // IANA's, and the one the Linux kernel began with.
    case 4789, 8472: return vxlan(bytes, &walk)
    case 6081: return geneve(bytes, &walk)
    case 2152: return gtp(bytes, &walk)
    case 4754: return greInUDP(bytes, &walk)
    case 6635: return mplsInUDP(bytes, &walk)
    default: return nil
    }
  }

  /// RFC 7348 §5: one flag must be set, and what else is set is ignored. An Ethernet header must fit behind it; one that
  /// is known, where reserved bits are set, because then nothing else tells the header from any other eight bytes.
  private func vxlan(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    let header = 8
    guard walk.captured >= header &+ 14, bytes[walk.offset] & 0x08 != 0 else { return nil }
    let at = walk.offset
    let isBare = bytes[at] == 0x08 && bytes.u16(at &+ 1) == 0 && bytes[at &+ 3] == 0 && bytes[at &+ 7] == 0
    guard isBare || isKnownEthernet(bytes, at: at &+ header) else { return nil }
    walk.offset &+= header
    walk.encapsulation.insert(.vxlan)
    walk.isInsideIP = false
    return .ethernet
  }

  private func isKnownEthernet(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    let field = bytes.u16(start &+ 12)
    guard field >= 0x0600 else { return true }
    if case .unknown = Layer(etherType: field) { return false }
    return true
  }

  /// 3GPP TS 29.281 §5.1: version 1, and a message that carries a packet of a subscriber. Of the three optional fields all
  /// are there when one is; each extension header counts itself in words and ends with the type of the next.
  private func gtp(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    let packetOfUser: UInt8 = 255
    guard walk.captured >= 8, bytes[walk.offset] & 0xF0 == 0x30, bytes[walk.offset &+ 1] == packetOfUser else {
      return nil
    }
    let hasOptional = bytes[walk.offset] & 0x07 != 0
    var header = hasOptional ? 12 : 8
    guard walk.captured > header else { return nil }
    var next = bytes[walk.offset] & 0x04 != 0 ? bytes[walk.offset &+ 11] : 0
    var count = 0
    while next != 0 {
      let words = Int(bytes[walk.offset &+ header])
      count &+= 1
      guard words > 0, count <= IPv6.extensionLimit, walk.captured > header &+ words &* 4 else { return nil }
      header &+= words &* 4
      next = bytes[walk.offset &+ header &- 1]
    }
    let version = bytes[walk.offset &+ header] >> 4
    guard version == 4 || version == 6 else { return nil }
    walk.offset &+= header
    walk.encapsulation.insert(.gtp)
    walk.isInsideIP = false
    return .ip
  }

  /// RFC 8086. The header must be one that this program can follow.
  private func greInUDP(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    guard walk.captured >= 4, bytes.u16(walk.offset) & 0x4FFF == 0 else { return nil }
    switch Layer(etherType: bytes.u16(walk.offset &+ 2)) {
    case .unknown, .undecoded: return nil
    default: return .gre
    }
  }

  /// RFC 7510.
  private func mplsInUDP(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    guard walk.captured >= 5 else { return nil }
    walk.isInsideIP = false
    return .mpls
  }

  /// RFC 8926 §3.4: version 0, options counted in words.
  private func geneve(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    guard walk.captured >= 8, bytes[walk.offset] >> 6 == 0 else { return nil }
    let header = 8 &+ Int(bytes[walk.offset] & 0x3F) &* 4
    let type = bytes.u16(walk.offset &+ 2)
    guard walk.captured >= header else { return nil }
    walk.offset &+= header
    walk.encapsulation.insert(.geneve)
    walk.isInsideIP = false
    return Layer(etherType: type)
  }
}
