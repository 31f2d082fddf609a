import Citation

/// Headers that carry a packet of another network: GRE, VXLAN and Geneve.
extension FrameDecoder {
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
    // PPTP acknowledges with headers that carry nothing.
    if isEnhanced, !hasSequence { return .undecoded(.pppControl) }
    return Layer(etherType: type)
  }

  /// What a datagram to a tunnel's port carries; nil where the bytes do not look like the tunnel's header, because a
  /// port number is only a hint.
  func overlay(port: UInt16, _ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    switch port {
    // IANA's, and the one the Linux kernel began with.
    case 4789, 8472: return vxlan(bytes, &walk)
    case 6081: return geneve(bytes, &walk)
    default: return nil
    }
  }

  /// RFC 7348 §5: one flag must be set. An Ethernet header must fit behind it.
  private func vxlan(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer? {
    let header = 8
    guard walk.captured >= header &+ 14, bytes[walk.offset] & 0x08 != 0, bytes[walk.offset &+ 7] == 0 else {
      return nil
    }
    walk.offset &+= header
    walk.encapsulation.insert(.vxlan)
    walk.isInsideIP = false
    return .ethernet
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
