/// Why a frame yielded nothing. The raw order is the order of reports.
enum Undecoded: UInt8, CaseIterable {
  // Whole and understood, and nothing to do with TCP or UDP.
  case arp, lldp, eapol, macsec, pppoeDiscovery, spanningTree, pppControl, igmp, icmp, icmpErrorElse, icmpv6
  case neighbourDiscovery, multicastListener, sctp, esp, noNextHeader, erspan, netfilterLog
  case wlanManagement, wlanControl, wlanWithoutData, wlanProtected, wlanFragment, wlanAggregate, mplsPayload, greRouting
  // Cut before the fields that say what it is.
  case cutLink, cutTag, cutIPv4, cutIPv6, cutExtension, cutTCP, cutUDP, cutICMP, cutTunnel
  // Fields that contradict each other.
  case badLink, badIPv4, badIPv6, badFragment, badTCP, badUDP
  // Bounds of this program.
  case nesting, extensionChain, fragmentOverlap, fragmentLimit, fragmentTimeout

  /// Whether a TCP segment may be in it; what is whole and understood says that there is none.
  var mayHoldTCP: Bool {
    switch self {
    case .arp, .lldp, .eapol, .pppoeDiscovery, .spanningTree, .pppControl, .igmp, .icmp, .icmpErrorElse, .icmpv6,
      .neighbourDiscovery, .multicastListener, .sctp, .noNextHeader, .wlanManagement, .wlanControl, .wlanWithoutData:
      false
    default: true
    }
  }

  var name: String {
    switch self {
    case .arp: "ARP"
    case .lldp: "LLDP"
    case .eapol: "EAPOL"
    case .macsec: "MACsec"
    case .pppoeDiscovery: "PPPoE discovery"
    case .spanningTree: "spanning tree"
    case .pppControl: "PPP control"
    case .igmp: "IGMP"
    case .icmp: "ICMP"
    case .icmpErrorElse: "ICMP error that quotes no TCP ports"
    case .icmpv6: "ICMPv6"
    case .neighbourDiscovery: "IPv6 neighbour discovery"
    case .multicastListener: "IPv6 multicast listener"
    case .sctp: "SCTP"
    case .esp: "ESP"
    case .noNextHeader: "IPv6 without payload"
    case .erspan: "ERSPAN of an unknown kind"
    case .netfilterLog: "NFLOG without a packet"
    case .wlanManagement: "802.11 management"
    case .wlanControl: "802.11 control"
    case .wlanWithoutData: "802.11 without data"
    case .wlanProtected: "802.11 encrypted data"
    case .wlanFragment: "802.11 fragment"
    case .wlanAggregate: "802.11 aggregate (A-MSDU)"
    case .mplsPayload: "MPLS payload other than IP or Ethernet"
    case .greRouting: "GRE with source routes"
    case .cutLink: "truncated link header"
    case .cutTag: "truncated VLAN, MPLS or PPPoE header"
    case .cutIPv4: "truncated IPv4 header"
    case .cutIPv6: "truncated IPv6 header"
    case .cutExtension: "truncated IPv6 extension header"
    case .cutTCP: "TCP header cut by the snapshot length"
    case .cutUDP: "UDP header cut by the snapshot length"
    case .cutICMP: "truncated ICMP header"
    case .cutTunnel: "truncated tunnel header"
    case .badLink: "malformed link header"
    case .badIPv4: "malformed IPv4 header"
    case .badIPv6: "malformed IPv6 header"
    case .badFragment: "malformed fragment"
    case .badTCP: "malformed TCP header"
    case .badUDP: "malformed UDP header"
    case .nesting: "headers nested too deep"
    case .extensionChain: "IPv6 extension header chain too long"
    case .fragmentOverlap: "fragments of IPv6 datagrams dropped for an overlap"
    case .fragmentLimit: "fragments given up at the limit"
    case .fragmentTimeout: "fragments never completed"
    }
  }
}

/// A protocol number nobody here knows, in the number space it belongs to.
struct UnknownProtocol: Equatable {
  enum Space: UInt8 {
    case linkType, etherType, ipProtocol, pppProtocol, serviceAccessPoint, organization, addressFamily
  }
  var space: Space
  var number: UInt32

  var name: String {
    switch space {
    case .linkType: "unsupported link type \(FrameDecoder.name(ofLinkType: UInt16(truncatingIfNeeded: number)))"
    case .etherType: "unknown ethertype \(hex(4))"
    case .ipProtocol: "IP protocol \(number)"
    case .pppProtocol: "PPP protocol \(hex(4))"
    case .serviceAccessPoint: "LLC service access point \(hex(2))"
    case .organization: "SNAP organization \(hex(6))"
    case .addressFamily: "loopback address family \(number)"
    }
  }

  /// Whether a TCP segment may be in it: not where the number is known to stand for something else.
  var mayHoldTCP: Bool {
    switch space {
    // Bluetooth, USB, 802.15.4, CAN and netlink.
    case .linkType: ![187, 189, 195, 201, 220, 227, 249, 253].contains(number)
    // Loop tests, LLTD, Realtek's, HomePlug, and what keeps bridges in time.
    case .etherType: ![0x9000, 0x88D9, 0x8899, 0x887B, 0x88E1, 0x893A, 0x8912, 0x88F7].contains(number)
    // EIGRP, OSPF, PIM and VRRP.
    case .ipProtocol: ![88, 89, 103, 112].contains(number)
    case .pppProtocol, .addressFamily: true
    case .serviceAccessPoint, .organization: false
    }
  }

  var order: UInt64 { UInt64(space.rawValue) << 32 | UInt64(number) }

  private func hex(_ digits: Int) -> String {
    let text = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// Counters of what was not decoded.
///
/// Bound: one number per reason, and 64 unknown protocol numbers; numbers seen after that are counted together.
struct UndecodedCounts {
  static let unknownLimit = 64

  private var known = [UInt64](repeating: 0, count: Undecoded.allCases.count)
  /// Sorted by `UnknownProtocol.order`.
  private var unknown: [(which: UnknownProtocol, count: UInt64)] = []
  private var others: UInt64 = 0

  mutating func count(_ reason: Undecoded, _ frames: UInt64 = 1) {
    known[Int(reason.rawValue)] &+= frames
  }

  mutating func count(_ which: UnknownProtocol) {
    var low = 0
    var high = unknown.count
    while low < high {
      let middle = (low + high) / 2
      if unknown[middle].which.order < which.order { low = middle + 1 } else { high = middle }
    }
    if low < unknown.count, unknown[low].which == which {
      unknown[low].count &+= 1
    } else if unknown.count < UndecodedCounts.unknownLimit {
      unknown.insert((which, 1), at: low)
    } else {
      others &+= 1
    }
  }

  /// Frames that may hold TCP.
  func opaque(waiting: UInt64) -> UInt64 {
    var sum = waiting &+ others
    for reason in Undecoded.allCases where reason.mayHoldTCP { sum &+= known[Int(reason.rawValue)] }
    for entry in unknown where entry.which.mayHoldTCP { sum &+= entry.count }
    return sum
  }

  /// What was counted, with `waiting` fragments taken as never completed.
  func listed(waiting: UInt64) -> [(name: String, count: UInt64)] {
    var list: [(name: String, count: UInt64)] = []
    for reason in Undecoded.allCases {
      let count = known[Int(reason.rawValue)] &+ (reason == .fragmentTimeout ? waiting : 0)
      if count > 0 { list.append((reason.name, count)) }
    }
    for entry in unknown { list.append((entry.which.name, entry.count)) }
    if others > 0 { list.append(("other protocols", others)) }
    return list
  }
}
