import Citation

/// One TCP segment as the rest of the program needs it: a plain record, no bytes.
///
/// Offsets point into the bytes the decoder was given (plus the base it was given), so a window of packets and its
/// segments travel together and nothing is copied. It takes no more than 128 bytes: what does is copied by a call.
package struct TCPSegment: Equatable, Sendable {
  package var packet: PacketRef
  package var key: FlowKey
  /// Whether the sender is `key.lower`.
  package var sentByLower: Bool
  package var flags: TCPFlags
  /// As on the wire, not scaled.
  package var window: UInt16
  package var sequence: UInt32
  package var acknowledgment: UInt32
  /// Where the payload starts, and how much of it was captured.
  package var payloadOffset: Int
  package var payloadCaptured: Int
  /// How much payload the packet carried on the wire; more than captured when the snapshot length cut it.
  package var payloadLength: Int
  package var optionsOffset: UInt32
  package var optionsLength: UInt8
  package var timeToLive: UInt8
  /// Of a FIN or RST that one of several capture points recorded: what its sender's other packets have there. 0 where that is
  /// not known.
  package var usualTimeToLive: UInt8
  /// IPv4 identification; nil for IPv6 and for the zero that many stacks send.
  package var identification: UInt16?
  /// A fold of the link-layer source address, zero where the link has none: distinguishes capture points.
  package var linkSource: UInt32
  /// How far its own time stamp lies before the clock of the capture, which never runs backwards: microseconds, rounded
  /// up.
  package var behind: UInt32
  /// Captured bytes of all packets up to this one, modulo 2^32: how far apart two packets stand in the capture, however it
  /// is divided into windows.
  package var place: UInt32
  package var urgentPointer: UInt16
  package var interface: UInt16
  package var encapsulation: Encapsulation
  /// It repeats what a host left unanswered that is silent on all its connections.
  package var isUnanswered: Bool

  package init(packet: PacketRef, key: FlowKey, sentByLower: Bool) {
    self.packet = packet
    self.key = key
    self.sentByLower = sentByLower
    self.flags = []
    self.window = 0
    self.sequence = 0
    self.acknowledgment = 0
    self.payloadOffset = 0
    self.payloadCaptured = 0
    self.payloadLength = 0
    self.optionsOffset = 0
    self.optionsLength = 0
    self.timeToLive = 0
    self.usualTimeToLive = 0
    self.identification = nil
    self.linkSource = 0
    self.behind = 0
    self.place = 0
    self.urgentPointer = 0
    self.interface = 0
    self.encapsulation = []
    self.isUnanswered = false
  }

  /// The packet's own time stamp.
  package var stamp: Timestamp { packet.time.advanced(by: -1_000 * Int64(behind)) }

  package var payloadRange: Range<Int> { payloadOffset..<(payloadOffset + payloadCaptured) }
  package var optionsRange: Range<Int> { Int(optionsOffset)..<Int(optionsOffset) + Int(optionsLength) }
}

/// The flag bits of RFC 9293 §3.1, in their places. Computed, because a stored static is reached through a call.
package struct TCPFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  @inline(__always)
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Nothing but ACK and PSH: the segment of an established connection that has nothing special to say.
  @inline(__always)
  package var isPlain: Bool { rawValue & ~0x18 == 0 && rawValue & 0x10 != 0 }

  @inline(__always)
  package func contains(_ other: TCPFlags) -> Bool { rawValue & other.rawValue == other.rawValue }

  /// None of the others is set. A set of flags is written with `|`: as an array literal it would be allocated.
  @inline(__always)
  package func lacks(_ others: TCPFlags) -> Bool { rawValue & others.rawValue == 0 }

  @inline(__always)
  package static func | (left: TCPFlags, right: TCPFlags) -> TCPFlags {
    TCPFlags(rawValue: left.rawValue | right.rawValue)
  }

  package static var fin: TCPFlags { TCPFlags(rawValue: 0x01) }
  package static var syn: TCPFlags { TCPFlags(rawValue: 0x02) }
  package static var rst: TCPFlags { TCPFlags(rawValue: 0x04) }
  package static var psh: TCPFlags { TCPFlags(rawValue: 0x08) }
  package static var ack: TCPFlags { TCPFlags(rawValue: 0x10) }
  package static var urg: TCPFlags { TCPFlags(rawValue: 0x20) }
}

/// What a packet was wrapped in before its innermost IP header.
package struct Encapsulation: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  @inline(__always)
  package static func == (left: Encapsulation, right: Encapsulation) -> Bool { left.rawValue == right.rawValue }
  package static func != (left: Encapsulation, right: Encapsulation) -> Bool { !(left == right) }

  package static var vlan: Encapsulation { Encapsulation(rawValue: 1 << 0) }
  package static var mpls: Encapsulation { Encapsulation(rawValue: 1 << 1) }
  package static var pppoe: Encapsulation { Encapsulation(rawValue: 1 << 2) }
  package static var gre: Encapsulation { Encapsulation(rawValue: 1 << 3) }
  package static var ipInIP: Encapsulation { Encapsulation(rawValue: 1 << 4) }
  package static var vxlan: Encapsulation { Encapsulation(rawValue: 1 << 5) }
  package static var geneve: Encapsulation { Encapsulation(rawValue: 1 << 6) }
  /// The segment came in IP fragments.
  package static var fragments: Encapsulation { Encapsulation(rawValue: 1 << 7) }

  package static var erspan: Encapsulation { Encapsulation(rawValue: 1 << 8) }
  package static var gtp: Encapsulation { Encapsulation(rawValue: 1 << 9) }

  @inline(__always)
  package var hasFragments: Bool { rawValue & (1 << 7) != 0 }

  /// Names as reports print them, outermost kinds first.
  package var names: [String] {
    guard rawValue != 0 else { return [] }
    let all: [(Encapsulation, String)] = [
      (.vlan, "VLAN"), (.mpls, "MPLS"), (.pppoe, "PPPoE"), (.gre, "GRE"), (.ipInIP, "IP-in-IP"), (.vxlan, "VXLAN"),
      (.geneve, "Geneve"), (.erspan, "ERSPAN"), (.gtp, "GTP-U"), (.fragments, "IP fragments"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
