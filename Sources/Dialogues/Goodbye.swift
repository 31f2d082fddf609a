import Citation

/// The first end that a side announced inside of a protected connection.
package struct Goodbye: Sendable {
  package let by: Direction
  package let at: PacketRef
  /// The last packet with bytes of what is inside, of either side, before it.
  package let silentSince: PacketRef?
}
