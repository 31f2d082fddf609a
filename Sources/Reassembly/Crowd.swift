import Citation

/// Connections were evicted that were in use: one more that is joined in its middle would evict another of them.
struct Crowd: Sendable {
  /// What the connections might hold then.
  let limit: Int
  /// When the one spoke last that is to be evicted next.
  let idleSince: Timestamp

  /// A connection that said nothing for so long is as good as over.
  private static let patience: Int64 = 60_000_000_000

  /// A quarter of the room is free again.
  func isOver(holding bytes: Int) -> Bool { bytes <= limit / 4 * 3 }

  /// The one that is to be evicted next may still be in use.
  func isInUse(at clock: Timestamp) -> Bool { clock.since(idleSince) < Self.patience }
}
