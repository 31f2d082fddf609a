import Citation

/// Fields of RFC 791 §3.1.
enum IPv4 {
  static let totalLength = 2, identification = 4, fragment = 6, timeToLive = 8, protocolNumber = 9
  static let source = 12, destination = 16, minimum = 20
  /// The offset and "more fragments", without "don't fragment".
  static let fragmentBits: UInt16 = 0x3FFF
  static let moreFragments: UInt16 = 0x2000
}

/// Fields of RFC 8200 §3.
enum IPv6 {
  static let payloadLength = 4, nextHeader = 6, hopLimit = 7, source = 8, destination = 24, length = 40
  static let extensionLimit = 16
}

extension FrameDecoder {
  mutating func ip(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard walk.captured >= 1 else { return .undecoded(.cutLink) }
    switch bytes[walk.offset] >> 4 {
    case 4: return ipv4(bytes, &walk)
    case 6: return ipv6(bytes, &walk)
    default: return .undecoded(.badLink)
    }
  }

  mutating func ipv4(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    let at = walk.offset
    guard walk.captured >= 1 else { return .undecoded(.cutIPv4) }
    let header = Int(bytes[at] & 0x0F) &* 4
    guard bytes[at] >> 4 == 4, header >= IPv4.minimum else { return .undecoded(.badIPv4) }
    guard walk.captured >= header else { return .undecoded(.cutIPv4) }
    let total = Int(bytes.u16(at &+ IPv4.totalLength))
    // Zero is a datagram that the network card was to cut up: it reaches as far as the frame.
    if total != 0 {
      guard total >= header else { return .undecoded(.badIPv4) }
      walk.limit(to: total)
    }
    enterIP(&walk, isV4: true)
    walk.source = IPAddress(v4: bytes.u32(at &+ IPv4.source))
    walk.destination = IPAddress(v4: bytes.u32(at &+ IPv4.destination))
    walk.timeToLive = bytes[at &+ IPv4.timeToLive]
    walk.identification = bytes.u16(at &+ IPv4.identification)
    walk.offset &+= header
    let next = bytes[at &+ IPv4.protocolNumber]
    let fragment = bytes.u16(at &+ IPv4.fragment)
    guard fragment & IPv4.fragmentBits != 0 else { return Layer(ipProtocol: next) }
    let key = FragmentTable.Key(
      source: walk.source, destination: walk.destination, identification: UInt32(walk.identification),
      protocolNumber: next, isV4: true)
    return keep(
      key, next, offset: Int(fragment & 0x1FFF) &* 8, hasMore: fragment & IPv4.moreFragments != 0, bytes, walk)
  }

  mutating func ipv6(_ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    let at = walk.offset
    guard walk.captured >= 1 else { return .undecoded(.cutIPv6) }
    guard bytes[at] >> 4 == 6 else { return .undecoded(.badIPv6) }
    guard walk.captured >= IPv6.length else { return .undecoded(.cutIPv6) }
    let length = Int(bytes.u16(at &+ IPv6.payloadLength))
    enterIP(&walk, isV4: false)
    walk.source = IPAddress(high: bytes.u64(at &+ IPv6.source), low: bytes.u64(at &+ IPv6.source &+ 8))
    walk.destination = IPAddress(high: bytes.u64(at &+ IPv6.destination), low: bytes.u64(at &+ IPv6.destination &+ 8))
    walk.timeToLive = bytes[at &+ IPv6.hopLimit]
    walk.identification = 0
    walk.offset &+= IPv6.length
    // Zero is a jumbogram, or one that the network card was to cut up: it reaches as far as the frame.
    if length != 0 { walk.limit(to: length) }
    return extensions(from: bytes[at &+ IPv6.nextHeader], bytes, &walk)
  }

  /// Notes that a second IP header stands directly inside a first.
  private func enterIP(_ walk: inout Walk, isV4: Bool) {
    if walk.isInsideIP { walk.encapsulation.insert(.ipInIP) }
    walk.isInsideIP = true
    walk.isV4 = isV4
  }

  /// Follows the chain of extension headers to the header that is none.
  private mutating func extensions(from first: UInt8, _ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    var next = first
    for _ in 0..<IPv6.extensionLimit {
      let at = walk.offset
      var length: Int
      switch next {
      // Hop-by-hop, routing, destination options, mobility, host identity, shim6.
      case 0, 43, 60, 135, 139, 140:
        guard walk.captured >= 8 else { return .undecoded(.cutExtension) }
        length = (Int(bytes[at &+ 1]) &+ 1) &* 8
      case 51:
        guard walk.captured >= 8 else { return .undecoded(.cutExtension) }
        length = (Int(bytes[at &+ 1]) &+ 2) &* 4
      case 44:
        guard walk.captured >= 8 else { return .undecoded(.cutExtension) }
        length = 8
        let field = bytes.u16(at &+ 2)
        // RFC 6946: a fragment that is the whole datagram stands for itself.
        guard field & 0xFFF9 == 0 else {
          let key = FragmentTable.Key(
            source: walk.source, destination: walk.destination, identification: bytes.u32(at &+ 4),
            protocolNumber: 0, isV4: false)
          walk.offset &+= 8
          return keep(key, bytes[at], offset: Int(field & 0xFFF8), hasMore: field & 1 == 1, bytes, walk)
        }
      default:
        return Layer(ipProtocol: next)
      }
      guard length <= walk.onWire else { return .undecoded(.badIPv6) }
      guard length <= walk.captured else { return .undecoded(.cutExtension) }
      next = bytes[at]
      walk.offset &+= length
    }
    return .undecoded(.extensionChain)
  }

  /// AH behind IPv4 (RFC 4302), and the extension headers at the head of a reassembled IPv6 payload.
  mutating func extensionHeader(_ number: UInt8, _ bytes: Span<UInt8>, _ walk: inout Walk) -> Layer {
    guard !walk.isV4 || number == 51 else { return .unknown(.ipProtocol, UInt32(number)) }
    return extensions(from: number, bytes, &walk)
  }

  private mutating func keep(
    _ key: FragmentTable.Key, _ next: UInt8, offset: Int, hasMore: Bool, _ bytes: Span<UInt8>, _ walk: Walk
  ) -> Layer {
    let fragment = FragmentTable.Fragment(
      key: key, packet: walk.packet, nextProtocol: next, offset: offset, length: walk.onWire, hasMore: hasMore,
      captured: walk.offset..<walk.end)
    switch fragments.insert(fragment, of: bytes, counts: &counts, problems: &foundProblems) {
    case .waiting: return .waiting
    case .completed(let datagram, let length, let next):
      completed = datagram
      return .datagram(length: length, nextProtocol: next)
    case .dropped(let reason): return .undecoded(reason)
    }
  }
}
