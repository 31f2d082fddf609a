import Events

/// Every figure that rules compare with, in one table.
extension Threshold {
  static let clientHold = Threshold(
    "sniff.hold", .nanoseconds, 1_000_000_000, "a body held this long is worth a finding")

  static let endAwaited = Threshold(
    "http.end-awaited", .nanoseconds, 1_000_000_000, "a client that waits this long for the end of a body has lost time"
  )
  static let headSize = Threshold("http.head-size", .bytes, 8_192, "a larger head is refused by common servers")
  static let headTime = Threshold("http.head-time", .nanoseconds, 1_000_000_000, "a head that takes longer is dripped")
  static let headPackets = Threshold("http.head-packets", .count, 3, "a short head in more packets is dripped")
  static let clockSkew = Threshold("http.clock-skew", .nanoseconds, 30_000_000_000, "a Date further off is skewed")

  static let all: [Threshold] = [clientHold, endAwaited, headSize, headTime, headPackets, clockSkew]
}
