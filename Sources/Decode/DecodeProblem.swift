import Citation

/// Something a reader of the report must know about decoding itself: bytes that contradict each other, or a bound of
/// this program that was reached.
///
/// There is one value per kind, with the first packet as its evidence, so the list is bounded by the kinds.
package struct DecodeProblem: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// Fragments of an IPv4 datagram overlap; the bytes seen first were kept.
    case overlapIPv4
    /// Fragments of an IPv6 datagram overlap; the datagram was dropped, as RFC 5722 §3 asks.
    case overlapIPv6
    /// More fragments were waiting than the bounds allow; the oldest datagram was given up.
    case fragmentLimit
    /// A frame had more headers inside each other than the bound allows.
    case nestingLimit
  }

  package var kind: Kind
  package var first: PacketRef
  /// The two hosts of the first occurrence.
  package var source: IPAddress
  package var destination: IPAddress
  package var count: UInt64
}

/// The problems by kind.
struct DecodeProblems {
  private var byKind = [DecodeProblem?](repeating: nil, count: DecodeProblem.Kind.allCases.count)

  mutating func note(_ kind: DecodeProblem.Kind, _ packet: PacketRef, from source: IPAddress, to destination: IPAddress)
  {
    let slot = Int(kind.rawValue)
    if byKind[slot] == nil {
      byKind[slot] = DecodeProblem(kind: kind, first: packet, source: source, destination: destination, count: 0)
    }
    byKind[slot]?.count &+= 1
  }

  var listed: [DecodeProblem] { byKind.compactMap { $0 } }
}
