import Citation

/// A place in the capture, its bytes, and what they show.
package struct Evidence: Sendable {
  package enum Place: Sendable {
    /// Bytes of a stream.
    case bytes(ByteSpan, Direction)
    /// A packet as such: a SYN, a RST, an ICMP error has no stream bytes.
    case packet(PacketRef, Direction?)
    /// No packet shows it, only the file.
    case file(offset: UInt64?)
  }

  package var place: Place
  package var excerpt: Excerpt?
  package var note: String
  /// Which capture it is in, if two are compared.
  package var side: CompareSide?

  package init(_ place: Place, excerpt: Excerpt? = nil, _ note: String) {
    self.place = place
    self.excerpt = excerpt
    self.note = note
  }

  /// The packet to open, the first of several.
  package var packet: PacketRef? {
    switch place {
    case .bytes(let span, _): span.first
    case .packet(let packet, _): packet
    case .file: nil
    }
  }
}
