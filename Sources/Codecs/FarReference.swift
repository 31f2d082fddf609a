/// A reference over more bytes than its sender may reach back.
package struct FarReference: Hashable, Sendable {
  package var distance: UInt64
  /// How far it may be at this place.
  package var limit: UInt64
  /// The message begins without context, and the reference goes back before its first byte.
  package var isForgotten: Bool

  package init(distance: UInt64, limit: UInt64, isForgotten: Bool) {
    self.distance = distance
    self.limit = limit
    self.isForgotten = isForgotten
  }
}
