import Citation

/// Where the walk through one frame stands, and what the headers so far have said.
///
/// Invariant: `0 <= offset <= end <= bytes.count` of the bytes walked through, and `end <= wireEnd`.
struct Walk {
  let packet: PacketRef
  let interface: UInt16
  /// Added to every offset that leaves the decoder.
  var base: Int
  var offset = 0
  /// Where the captured bytes of the current header's payload end. Padding behind a datagram lies after it.
  var end: Int
  /// Where they ended on the wire.
  var wireEnd: Int
  var headers = 0
  /// An IP header was passed and no tunnel header since.
  var isInsideIP = false
  var isV4 = false
  var encapsulation: Encapsulation = []
  var linkSource: UInt32 = 0
  var source: IPAddress
  var destination: IPAddress
  var timeToLive: UInt8 = 0
  var identification: UInt16 = 0

  @inline(__always)
  init(
    packet: PacketRef, interface: UInt16, base: Int, end: Int, wireLength: Int, from source: IPAddress,
    to destination: IPAddress
  ) {
    self.packet = packet
    self.interface = interface
    self.base = base
    self.end = end
    self.source = source
    self.destination = destination
    // Some writers leave the original length at zero.
    self.wireEnd = max(end, wireLength)
  }

  @inline(__always)
  var captured: Int { end &- offset }

  @inline(__always)
  var onWire: Int { wireEnd &- offset }

  /// Narrows the walk to `length` bytes from here, as a length field says.
  @inline(__always)
  mutating func limit(to length: Int) {
    wireEnd = offset &+ length
    end = min(end, wireEnd)
  }

  /// The outermost address is kept: it is the one that distinguishes capture points.
  @inline(__always)
  mutating func seeLinkSource(_ bytes: Span<UInt8>, at: Int) {
    guard linkSource == 0 else { return }
    linkSource = FrameDecoder.fold(high: UInt32(bytes.u16(at)), low: bytes.u32(at &+ 2))
  }
}

/// The header that comes next, or why there is none.
enum Layer {
  case link(UInt16)
  case ethernet, logicalLink, pointToPoint, pppoe, vlan, mpls, wlan, ciscoMetadata
  /// IPv4 or IPv6, by the version in its first half byte.
  case ip
  case ipv4, ipv6
  /// An IPv6 extension header by its number, or AH of either family.
  case extensionHeader(UInt8)
  case tcp, udp, icmp, icmpv6, gre
  case delivered
  /// A fragment whose datagram is not whole yet.
  case waiting
  /// Fragments became a datagram; its bytes are `FrameDecoder.completed`.
  case datagram(length: Int, nextProtocol: UInt8)
  case undecoded(Undecoded)
  case unknown(UnknownProtocol.Space, UInt32)

  init(etherType: UInt16) {
    switch etherType {
    case 0x0800: self = .ipv4
    case 0x86DD: self = .ipv6
    case 0x8100, 0x88A8, 0x9100, 0x9200: self = .vlan
    case 0x8847, 0x8848: self = .mpls
    case 0x8864: self = .pppoe
    case 0x6558: self = .ethernet
    case 0x880B: self = .pointToPoint
    case 0x0806, 0x8035: self = .undecoded(.arp)
    case 0x8863: self = .undecoded(.pppoeDiscovery)
    case 0x888E: self = .undecoded(.eapol)
    case 0x8909: self = .ciscoMetadata
    case 0x88CC: self = .undecoded(.lldp)
    case 0x88E5: self = .undecoded(.macsec)
    default: self = .unknown(.etherType, UInt32(etherType))
    }
  }

  init(ipProtocol: UInt8) {
    switch ipProtocol {
    case 6: self = .tcp
    case 17: self = .udp
    case 1: self = .icmp
    case 58: self = .icmpv6
    case 4: self = .ipv4
    case 41: self = .ipv6
    case 47: self = .gre
    case 0, 43, 44, 51, 60, 135, 139, 140: self = .extensionHeader(ipProtocol)
    case 2: self = .undecoded(.igmp)
    case 50: self = .undecoded(.esp)
    case 59: self = .undecoded(.noNextHeader)
    case 132: self = .undecoded(.sctp)
    default: self = .unknown(.ipProtocol, UInt32(ipProtocol))
    }
  }

  init(pppProtocol: UInt16) {
    switch pppProtocol {
    case 0x0021: self = .ipv4
    case 0x0057: self = .ipv6
    case 0x0281, 0x0283: self = .mpls
    case 0x8000...: self = .undecoded(.pppControl)
    default: self = .unknown(.pppProtocol, UInt32(pppProtocol))
    }
  }
}

extension Span<UInt8> {
  /// Big-endian reads for headers whose length was checked before; past the end they trap like any subscript.
  @inline(__always)
  func u16(_ at: Int) -> UInt16 {
    UInt16(self[at]) << 8 | UInt16(self[at &+ 1])
  }

  @inline(__always)
  func u32(_ at: Int) -> UInt32 {
    UInt32(self[at]) << 24 | UInt32(self[at &+ 1]) << 16 | UInt32(self[at &+ 2]) << 8 | UInt32(self[at &+ 3])
  }

  @inline(__always)
  func u64(_ at: Int) -> UInt64 {
    UInt64(u32(at)) << 32 | UInt64(u32(at &+ 4))
  }

  func u16LittleEndian(_ at: Int) -> UInt16 { u16(at).byteSwapped }
  func u32LittleEndian(_ at: Int) -> UInt32 { u32(at).byteSwapped }
}
