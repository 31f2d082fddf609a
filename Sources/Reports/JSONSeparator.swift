/// What stands between a value and the one before it.
struct JSONSeparator {
  var hasComma = false
  /// Of a new line; below zero where there is none.
  var indentation = -1

  @inline(__always)
  var length: Int { (hasComma ? 1 : 0) + max(0, 1 + indentation) }

  /// Writes it at the start of `room`, which is large enough, and answers its length.
  @inline(__always)
  func initialize(_ room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if hasComma { room.initializeElement(at: 0, to: UInt8(ascii: ",")) }
    guard indentation >= 0 else { return length }
    room.initializeElement(at: length - indentation - 1, to: UInt8(ascii: "\n"))
    for at in length - indentation..<length { room.initializeElement(at: at, to: UInt8(ascii: " ")) }
    return length
  }
}
