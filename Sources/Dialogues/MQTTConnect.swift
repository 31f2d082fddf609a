/// The first packet of MQTT, which names the protocol.
enum MQTTConnect {
  /// Behind the packet's length, of up to four bytes, and the length of the name.
  private static let farthest = 7

  /// Where the name stands in what a message begins with; nil where it is none.
  static func name(in opening: [UInt8]) -> Range<Int>? {
    guard opening.first == 0x10, let name = opening.dropFirst(2).firstRange(of: Array("MQTT".utf8)),
      name.lowerBound <= farthest
    else { return nil }
    return name
  }

  /// In seconds, behind the version and the flags; nil for none.
  static func keepAlive(in opening: [UInt8]) -> Int64? {
    guard let name = name(in: opening), opening.count >= name.upperBound + 4 else { return nil }
    let seconds = Int64(opening[name.upperBound + 2]) << 8 | Int64(opening[name.upperBound + 3])
    return seconds > 0 ? seconds : nil
  }
}
