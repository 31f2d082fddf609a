/// What `%` and two digits stand for, with where each byte came from.
enum PercentCoding {
  struct Decoded {
    var bytes: [UInt8] = []
    /// Of each byte its place in what was decoded, and behind the last the length of that.
    var places: [Int] = []
  }

  static func decoded(_ bytes: Span<UInt8>) -> Decoded {
    var decoded = Decoded()
    var index = 0
    while index < bytes.count {
      decoded.places.append(index)
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, bytes[index + 1].hexadecimalValue < 16,
        bytes[index + 2].hexadecimalValue < 16
      {
        decoded.bytes.append(bytes[index + 1].hexadecimalValue << 4 | bytes[index + 2].hexadecimalValue)
        index += 3
      } else {
        decoded.bytes.append(bytes[index])
        index += 1
      }
    }
    decoded.places.append(bytes.count)
    return decoded
  }
}
