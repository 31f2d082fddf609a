// Decode turns a captured frame into at most one TCP segment: the innermost one.
//
//   FrameDecoder      the one way in: walks the headers of a frame from the outside in
//   DecodedFrame      what it found: a segment, a datagram, an ICMP error about a TCP flow, or nothing
//   FragmentTable     fragments that wait for their datagram; the only state that outlives a frame
//   Undecoded DecodeProblem   what was not decoded, counted by name, and what went wrong on the way
//   TCPSegment TCPOptions     plain records of offsets; no bytes are copied but those of fragments
//
// Each header is one step that reads its fields and names the next header; the steps of a family share a file
// (FrameDecoder+Link, +Tags, +Wireless, +IP, +Transport, +Tunnels). Nearly all frames take a short way (+Plain) to the
// same segment. It keeps no connections, verifies no checksum and never looks at payload: that is for Reassembly and
// above.
import Citation

/// Decodes frames, one after the other in capture order.
///
/// Every frame gives a result, or is counted by the name of what it is, or waits as a fragment.
/// Bounds: 16 headers inside each other, 16 extension headers per IPv6 header, and those of `FragmentTable`.
package struct FrameDecoder: Sendable {
  static let headerLimit = 16

  var counts = UndecodedCounts()
  var fragments = FragmentTable()
  var foundProblems = DecodeProblems()
  /// UDP datagrams that were handed out.
  package internal(set) var datagrams: UInt64 = 0
  /// The IP payload of the datagram that the last fragment completed. Valid until the next frame is decoded.
  package internal(set) var reassembled: [UInt8] = []
  /// The datagram of `Layer.datagram`: beside it and not in it, so that the layers of ordinary frames own no memory.
  var completed: [UInt8] = []

  package init() {}

  /// What was not decoded, in a fixed order: known kinds first, then unknown numbers ascending. Fragments that wait now
  /// are listed as never completed, so the list is right whenever it is asked for.
  package var undecoded: [(name: String, count: UInt64)] { counts.listed(waiting: fragments.waiting) }

  /// Frames that were not decoded and may hold TCP.
  package var opaque: UInt64 { counts.opaque(waiting: fragments.waiting) }

  package var problems: [DecodeProblem] { foundProblems.listed }

  /// Fragments that are part of a delivered datagram and not the one that completed it: such frames are neither a
  /// result nor undecoded.
  package var joinedFragments: UInt64 { fragments.joined }

  /// Decodes one frame. `bytes` is what was captured of it; offsets in the result are relative to it, plus `base`
  /// (where the frame stands in the caller's window), unless `frame.isReassembled`.
  package mutating func decode(
    _ bytes: Span<UInt8>, linkType: UInt16, packet: PacketRef, wireLength: Int, interface: UInt16, base: Int,
    into frame: inout DecodedFrame
  ) {
    if readPlain(bytes, linkType, packet, interface: interface, base: base, into: &frame) { return }
    walk(
      through: bytes, linkType: linkType, packet: packet, wireLength: wireLength, interface: interface, base: base,
      into: &frame)
  }

  /// The long way, which any frame may take.
  package mutating func walk(
    through bytes: Span<UInt8>, linkType: UInt16, packet: PacketRef, wireLength: Int, interface: UInt16, base: Int,
    into frame: inout DecodedFrame
  ) {
    frame.content = .none
    frame.isReassembled = false
    let nobody = IPAddress(high: 0, low: 0)
    var walk = Walk(
      packet: packet, interface: interface, base: base, end: bytes.count, wireLength: wireLength, from: nobody,
      to: nobody)
    follow(.link(linkType), bytes, &walk, into: &frame)
  }

  /// Walks from header to header until one of them is the last.
  mutating func follow(_ first: Layer, _ bytes: Span<UInt8>, _ walk: inout Walk, into frame: inout DecodedFrame) {
    var layer = first
    while true {
      switch layer {
      case .delivered, .waiting:
        return
      case .undecoded(let reason):
        counts.count(reason)
        return
      case .unknown(let space, let number):
        counts.count(UnknownProtocol(space: space, number: number))
        return
      case .datagram(let length, let nextProtocol):
        followDatagram(length: length, nextProtocol, walk, into: &frame)
        return
      default:
        break
      }
      walk.headers &+= 1
      guard walk.headers <= FrameDecoder.headerLimit else {
        foundProblems.note(.nestingLimit, walk.packet, from: walk.source, to: walk.destination)
        counts.count(.nesting)
        return
      }
      layer = step(layer, bytes, &walk, into: &frame)
    }
  }

  private mutating func step(
    _ layer: Layer, _ bytes: Span<UInt8>, _ walk: inout Walk, into frame: inout DecodedFrame
  ) -> Layer {
    switch layer {
    case .link(let linkType): return link(linkType, bytes, &walk)
    case .ethernet: return ethernet(bytes, &walk)
    case .logicalLink: return logicalLink(bytes, &walk)
    case .pointToPoint: return pointToPoint(bytes, &walk)
    case .pppoe: return pppoe(bytes, &walk)
    case .vlan: return vlan(bytes, &walk)
    case .mpls: return mpls(bytes, &walk)
    case .wlan: return wlan(bytes, &walk)
    case .ciscoMetadata: return ciscoMetadata(bytes, &walk)
    case .ip: return ip(bytes, &walk)
    case .ipv4: return ipv4(bytes, &walk)
    case .ipv6: return ipv6(bytes, &walk)
    case .tcp: return tcp(bytes, &walk, into: &frame)
    case .udp: return udp(bytes, &walk, into: &frame)
    case .icmp: return icmp(bytes, &walk, into: &frame)
    case .icmpv6: return icmpv6(bytes, &walk, into: &frame)
    case .gre: return gre(bytes, &walk)
    case .extensionHeader(let number): return extensionHeader(number, bytes, &walk)
    case .delivered, .waiting, .undecoded, .unknown, .datagram: return layer
    }
  }

  /// Goes on inside a datagram that fragments made whole. Fragments inside fragments come here again, at most as
  /// often as headers may nest.
  private mutating func followDatagram(
    length: Int, _ nextProtocol: UInt8, _ outer: Walk, into frame: inout DecodedFrame
  ) {
    let datagram = completed
    completed = []
    var walk = outer
    walk.base = 0
    walk.offset = 0
    walk.end = datagram.count
    walk.wireEnd = length
    walk.encapsulation.insert(.fragments)
    follow(Layer(ipProtocol: nextProtocol), datagram.span, &walk, into: &frame)
    if frame.content == .none { return }
    // Set already where the segment came out of a datagram inside this one.
    guard !frame.isReassembled else { return }
    frame.isReassembled = true
    reassembled = datagram
  }

  /// Six bytes of a link address in four; zero only for the address that is all zero.
  @inline(__always)
  static func fold(high: UInt32, low: UInt32) -> UInt32 {
    let folded = low ^ (high &* 0x9E37_79B1)
    return folded == 0 && (high | low) != 0 ? 1 : folded
  }
}
