import Events

/// Every figure that rules compare with, in one table. A rule names those it uses in its RuleInfo.
extension Threshold {
  // Proxies.
  package static let compareDelay = Threshold(
    "compare.delay", .nanoseconds, 100_000_000, "what is later in one of two captures is later by this much")
  package static let compareRatio = Threshold(
    "compare.ratio", .percent, 200, "and takes this much of the time that it takes in the other")

  // Addresses instead of names.
  static let addressTries = Threshold("direct.tries", .count, 2, "SYNs to one address without success")
  static let addressFallback = Threshold(
    "direct.fallback", .nanoseconds, 10_000_000_000, "another address tried this late is no fallback")
}
