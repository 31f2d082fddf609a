import Events

/// Every figure that rules compare with, in one table.
extension Threshold {
  static let clientHold = Threshold(
    "sniff.hold", .nanoseconds, 1_000_000_000, "a body held this long is worth a finding")

  static let all: [Threshold] = [clientHold]
}
