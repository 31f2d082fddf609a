import Citation

/// What one frame held. The caller keeps one value and hands it in again for every frame.
///
/// Offsets inside the results are relative to the frame plus the base the decoder was given, so they point into the
/// caller's window; with `isReassembled` they are relative to `FrameDecoder.reassembled` and know no base.
///
/// The results stand side by side and not inside an enum because the decoder writes the fields of a segment where they
/// stay: building one and moving it into an enum cost as much as the rest of decoding. `kind` is the convenient view.
package struct DecodedFrame: Sendable {
  package enum Content: UInt8, Sendable {
    /// Not decoded, and counted by name; or a fragment that waits for the rest of its datagram.
    case none
    case segment, datagram, icmpError
  }

  package enum Kind: Sendable {
    case none
    case tcp(TCPSegment)
    case udp(UDPDatagram)
    case icmpError(ICMPError)
  }

  package internal(set) var content = Content.none
  /// The last fragment of a datagram came in this frame, and the offsets point into the whole datagram.
  package internal(set) var isReassembled = false
  /// Of this frame only where `content` says so, and so are the other two; left over from an earlier frame elsewhere.
  package var segment: TCPSegment
  package internal(set) var datagram: UDPDatagram
  package internal(set) var icmpError: ICMPError

  package init() {
    let nobody = Endpoint(address: IPAddress(high: 0, low: 0), port: 0)
    let (key, isLower) = FlowKey.of(source: nobody, destination: nobody)
    segment = TCPSegment(packet: .none, key: key, sentByLower: isLower)
    datagram = UDPDatagram(
      packet: .none, source: nobody, destination: nobody, payloadOffset: 0, payloadCaptured: 0, payloadLength: 0,
      interface: 0, encapsulation: [])
    icmpError = ICMPError(
      packet: .none, type: 0, code: 0, reporter: nobody.address, key: key, quotedSenderIsLower: isLower)
  }

  /// The content with its result, as a copy.
  package var kind: Kind {
    switch content {
    case .none: .none
    case .segment: .tcp(segment)
    case .datagram: .udp(datagram)
    case .icmpError: .icmpError(icmpError)
    }
  }
}

/// A UDP datagram, as far as counting and name resolution need it.
package struct UDPDatagram: Sendable, Hashable {
  package var packet: PacketRef
  package var source: Endpoint
  package var destination: Endpoint
  package var payloadOffset: Int
  package var payloadCaptured: Int
  /// More than captured when the snapshot length cut it.
  package var payloadLength: Int
  package var interface: UInt16
  package var encapsulation: Encapsulation

  package var payloadRange: Range<Int> { payloadOffset..<(payloadOffset + payloadCaptured) }
}

/// An ICMP or ICMPv6 error about a TCP flow: a router on the path could not forward or deliver a segment.
package struct ICMPError: Sendable, Hashable {
  package var packet: PacketRef
  /// Numbered by RFC 792 where `reporter` is an IPv4 address and by RFC 4443 where it is not.
  package var type: UInt8
  package var code: UInt8
  /// Who sent the error: a router, or the far host itself.
  package var reporter: IPAddress
  package var key: FlowKey
  /// Whether the segment in question was sent by `key.lower`.
  package var quotedSenderIsLower: Bool
  /// The sequence number of the segment in question, where the quotation reaches so far.
  package var sequence: UInt32?
  /// What "packet too big" and "fragmentation needed" say the next link can carry; nil elsewhere and for zero.
  package var nextHopMTU: UInt32?
}
