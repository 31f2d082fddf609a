extension UInt64 {
  /// Each of its bytes that is a capital letter of ASCII becomes the small one.
  @inlinable @inline(__always)
  public var lowercased: UInt64 {
    let sevenBits = self & 0x7F7F_7F7F_7F7F_7F7F
    let fromA = sevenBits &+ 0x3F3F_3F3F_3F3F_3F3F
    let behindZ = sevenBits &+ 0x2525_2525_2525_2525
    let capitals = ~self & (fromA ^ behindZ) & 0x8080_8080_8080_8080
    return self | capitals >> 2
  }
}
