import Citation

/// One exchange on two connections, as a capture on a proxy's host shows it: between client and proxy, and between proxy
/// and origin.
package struct HopJoin: Sendable {
  /// A burst of the response's body, and its times on both hops.
  package struct Piece: Sendable, Equatable {
    /// Body bytes up to and including it.
    package var bytes: UInt64
    package var inner: PacketRef
    package var outer: PacketRef

    package init(bytes: UInt64, inner: PacketRef, outer: PacketRef) {
      self.bytes = bytes
      self.inner = inner
      self.outer = outer
    }

    /// How long the proxy held it.
    package var held: Int64 { outer.time.since(inner.time) }
  }

  /// To the client, and to the origin.
  package var outer: ExchangeKey
  package var inner: ExchangeKey
  /// The name the proxy gives itself.
  package var proxy: String
  /// Empty where the two bodies cannot be set side by side, because the proxy coded one of them.
  package var pieces: [Piece]
  /// Only the first bursts of each body are kept: more may have come behind these.
  package var isCut = false
  /// What the proxy changed, in words.
  package var changes: [String]
  package var begin: PacketRef
  package var end: PacketRef

  package init(
    outer: ExchangeKey, inner: ExchangeKey, proxy: String, pieces: [Piece], changes: [String], begin: PacketRef,
    end: PacketRef
  ) {
    self.outer = outer
    self.inner = inner
    self.proxy = proxy
    self.pieces = pieces
    self.changes = changes
    self.begin = begin
    self.end = end
  }
}
