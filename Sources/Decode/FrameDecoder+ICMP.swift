import Citation

/// ICMP errors and the TCP segment they quote.
extension FrameDecoder {
  mutating func icmp(_ bytes: Span<UInt8>, _ walk: inout Walk, into frame: inout DecodedFrame) -> Layer {
    guard walk.captured >= 4 else { return .undecoded(.cutICMP) }
    let type = bytes[walk.offset]
    // Destination unreachable, source quench, time exceeded, parameter problem.
    guard type == 3 || type == 4 || type == 11 || type == 12 else { return .undecoded(.icmp) }
    let code = bytes[walk.offset &+ 1]
    let mtu = type == 3 && code == 4 && walk.captured >= 8 ? UInt32(bytes.u16(walk.offset &+ 6)) : 0
    return quotation(type: type, code: code, mtu: mtu, bytes, &walk, into: &frame)
  }

  mutating func icmpv6(_ bytes: Span<UInt8>, _ walk: inout Walk, into frame: inout DecodedFrame) -> Layer {
    guard walk.captured >= 4 else { return .undecoded(.cutICMP) }
    let type = bytes[walk.offset]
    switch type {
    case 1...4:
      let mtu = type == 2 && walk.captured >= 8 ? bytes.u32(walk.offset &+ 4) : 0
      return quotation(type: type, code: bytes[walk.offset &+ 1], mtu: mtu, bytes, &walk, into: &frame)
    case 130...132, 143: return .undecoded(.multicastListener)
    case 133...137: return .undecoded(.neighbourDiscovery)
    default: return .undecoded(.icmpv6)
    }
  }

  private mutating func quotation(
    type: UInt8, code: UInt8, mtu: UInt32, _ bytes: Span<UInt8>, _ walk: inout Walk, into frame: inout DecodedFrame
  ) -> Layer {
    let header = 8
    guard walk.captured > header, let quoted = quotedSegment(bytes.extracting(walk.offset &+ header..<walk.end)) else {
      return .undecoded(.icmpErrorElse)
    }
    frame.content = .icmpError
    frame.icmpError =
      ICMPError(
        packet: walk.packet, type: type, code: code, reporter: walk.source, key: quoted.key,
        quotedSenderIsLower: quoted.sentByLower, sequence: quoted.sequence, nextHopMTU: mtu == 0 ? nil : mtu)
    return .delivered
  }

  /// The start of a segment behind an IP header that was itself cut to what the error could carry. Later fragments
  /// have no ports to quote.
  private func quotedSegment(
    _ bytes: Span<UInt8>
  ) -> (key: FlowKey, sentByLower: Bool, sequence: UInt32?)? {
    let reader = ByteReader(bytes)
    guard let first = reader.u8(0) else { return nil }
    let source: IPAddress
    let destination: IPAddress
    var next: UInt8
    var at: Int
    switch first >> 4 {
    case 4:
      at = Int(first & 0x0F) &* 4
      guard at >= IPv4.minimum, reader.has(at, at: 0), bytes.u16(IPv4.fragment) & 0x1FFF == 0 else { return nil }
      next = bytes[IPv4.protocolNumber]
      source = IPAddress(v4: bytes.u32(IPv4.source))
      destination = IPAddress(v4: bytes.u32(IPv4.destination))
    case 6:
      at = IPv6.length
      guard reader.has(at, at: 0) else { return nil }
      next = bytes[IPv6.nextHeader]
      source = IPAddress(high: bytes.u64(IPv6.source), low: bytes.u64(IPv6.source &+ 8))
      destination = IPAddress(high: bytes.u64(IPv6.destination), low: bytes.u64(IPv6.destination &+ 8))
      for _ in 0..<IPv6.extensionLimit {
        guard next == 0 || next == 43 || next == 44 || next == 60 else { break }
        guard let following = reader.u8(at), let units = reader.u8(at &+ 1), let field = reader.u16(at &+ 2) else {
          return nil
        }
        if next == 44, field & 0xFFF8 != 0 { return nil }
        at &+= next == 44 ? 8 : (Int(units) &+ 1) &* 8
        next = following
      }
    default: return nil
    }
    guard next == 6, let from = reader.u16(at), let to = reader.u16(at &+ 2) else { return nil }
    let (key, sentByLower) = FlowKey.of(
      source: Endpoint(address: source, port: from), destination: Endpoint(address: destination, port: to))
    return (key, sentByLower, reader.u32(at &+ TCP.sequence))
  }
}
