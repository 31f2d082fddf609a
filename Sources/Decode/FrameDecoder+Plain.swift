import Citation

/// The short way of almost every packet: TCP behind IPv4 without options or fragments, or behind IPv6 without extension
/// headers, directly in a frame of Ethernet, raw IP, Linux SLL or BSD loopback.
///
/// Whatever is not exactly that takes the long way, and both write the same segment. The walk of the short way is its own:
/// one that the steps may change too would have to live in memory.
extension FrameDecoder {
  /// Where the IP header of such a frame stands, and what was said of the sender before it.
  private struct PlainLink {
    let length: Int
    let etherType: UInt16
    var source: UInt32 = 0

    /// nil for frames that are not so plain.
    @inline(__always)
    init?(_ linkType: UInt16, _ bytes: Span<UInt8>) {
      switch linkType {
      case LinkType.ethernet:
        guard bytes.count >= 14 else { return nil }
        (length, etherType) = (14, bytes.u16(12))
        source = FrameDecoder.fold(high: UInt32(bytes.u16(6)), low: bytes.u32(8))
      case LinkType.raw, LinkType.raw12, LinkType.raw14:
        guard bytes.count >= 1 else { return nil }
        (length, etherType) = (0, bytes[0] >> 4 == 4 ? Self.ipv4 : Self.ipv6)
      case LinkType.cooked:
        // ARPHRD_IEEE80211_RADIOTAP: the protocol field says nothing then.
        guard bytes.count >= 16, bytes.u16(2) != 803 else { return nil }
        (length, etherType) = (16, bytes.u16(14))
        if bytes.u16(4) == 6 { source = FrameDecoder.fold(high: UInt32(bytes.u16(6)), low: bytes.u32(8)) }
      case LinkType.null, LinkType.loop:
        guard bytes.count >= 4 else { return nil }
        let field = bytes.u32(0)
        let family = field > 0xFFFF ? field.byteSwapped : field
        guard family == 2 || family == 30 else { return nil }
        (length, etherType) = (4, family == 2 ? Self.ipv4 : Self.ipv6)
      default: return nil
      }
    }

    static let ipv4: UInt16 = 0x0800, ipv6: UInt16 = 0x86DD
  }

  /// Answers false for frames that take the long way.
  @inline(__always)
  func readPlain(
    _ bytes: Span<UInt8>, _ linkType: UInt16, _ packet: PacketRef, interface: UInt16, base: Int,
    into frame: inout DecodedFrame
  ) -> Bool {
    guard let link = PlainLink(linkType, bytes) else { return false }
    frame.isReassembled = false
    // Offsets into it are constants, so that one look at its length is enough.
    let datagram = bytes.extracting(link.length..<bytes.count)
    switch link.etherType {
    case PlainLink.ipv4:
      return readPlainIPv4(datagram, link, packet, interface: interface, base: base &+ link.length, into: &frame)
    case PlainLink.ipv6:
      return readPlainIPv6(datagram, link, packet, interface: interface, base: base &+ link.length, into: &frame)
    default: return false
    }
  }

  @inline(__always)
  private func readPlainIPv4(
    _ bytes: Span<UInt8>, _ link: PlainLink, _ packet: PacketRef, interface: UInt16, base: Int,
    into frame: inout DecodedFrame
  ) -> Bool {
    guard bytes.count >= IPv4.minimum &+ TCP.minimum, bytes[0] == 0x45, bytes[IPv4.protocolNumber] == 6,
      bytes.u16(IPv4.fragment) & IPv4.fragmentBits == 0
    else { return false }
    let total = Int(bytes.u16(IPv4.totalLength))
    let header = Int(bytes[IPv4.minimum &+ TCP.dataOffset] >> 4) &* 4
    // A length that contradicts itself or the bytes takes the long way, where it is counted by its name.
    guard header >= TCP.minimum, total >= IPv4.minimum &+ header, IPv4.minimum &+ header <= bytes.count else {
      return false
    }
    // What IPAddress(v4:) says: one call into the other module instead of two.
    let mapped: UInt64 = 0xFFFF_0000_0000
    var walk = Walk(
      packet: packet, interface: interface, base: base, end: min(bytes.count, total), wireLength: total,
      from: IPAddress(high: 0, low: mapped | UInt64(bytes.u32(IPv4.source))),
      to: IPAddress(high: 0, low: mapped | UInt64(bytes.u32(IPv4.destination))))
    walk.offset = IPv4.minimum
    walk.linkSource = link.source
    walk.timeToLive = bytes[IPv4.timeToLive]
    walk.identification = bytes.u16(IPv4.identification)
    write(bytes, header: header, walk, into: &frame)
    return true
  }

  @inline(__always)
  private func readPlainIPv6(
    _ bytes: Span<UInt8>, _ link: PlainLink, _ packet: PacketRef, interface: UInt16, base: Int,
    into frame: inout DecodedFrame
  ) -> Bool {
    guard bytes.count >= IPv6.length &+ TCP.minimum, bytes[0] >> 4 == 6, bytes[IPv6.nextHeader] == 6 else {
      return false
    }
    let total = IPv6.length &+ Int(bytes.u16(IPv6.payloadLength))
    let header = Int(bytes[IPv6.length &+ TCP.dataOffset] >> 4) &* 4
    guard header >= TCP.minimum, total >= IPv6.length &+ header, IPv6.length &+ header <= bytes.count else {
      return false
    }
    var walk = Walk(
      packet: packet, interface: interface, base: base, end: min(bytes.count, total), wireLength: total,
      from: IPAddress(high: bytes.u64(IPv6.source), low: bytes.u64(IPv6.source &+ 8)),
      to: IPAddress(high: bytes.u64(IPv6.destination), low: bytes.u64(IPv6.destination &+ 8)))
    walk.offset = IPv6.length
    walk.linkSource = link.source
    walk.timeToLive = bytes[IPv6.hopLimit]
    write(bytes, header: header, walk, into: &frame)
    return true
  }
}
