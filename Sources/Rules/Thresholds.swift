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

  // Segments.
  static let shutWindow = Threshold(
    "tcp.zero-window", .nanoseconds, 200_000_000, "a receive window shut this long held the sender up")
  static let longShutWindow = Threshold(
    "tcp.zero-window-error", .nanoseconds, 5_000_000_000, "a window shut this long is an error")
  static let lossGap = Threshold(
    "tcp.retransmission-gap", .nanoseconds, 500_000_000,
    "a wait for lost bytes that is felt, if it is four round trips, too")
  static let delayedAckStalls = Threshold(
    "tcp.delayed-ack-stalls", .count, 3, "segments of one direction that waited for a delayed acknowledgement")
  static let synRetry = Threshold(
    "tcp.syn-retry", .nanoseconds, 200_000_000, "a SYN this soon after the first is the same one, captured twice")
  static let leastStagger = Threshold(
    "tcp.least-stagger", .nanoseconds, 10_000_000, "attempts closer together are not one waiting for the other")
  static let mostStagger = Threshold(
    "tcp.most-stagger", .nanoseconds, 2_000_000_000, "attempts further apart do not run side by side")
  static let fallbackDelay = Threshold(
    "tcp.fallback-delay", .nanoseconds, 300_000_000, "a second address tried this late delayed the connection")
  static let mostFallback = Threshold(
    "tcp.most-fallback", .nanoseconds, 10_000_000_000, "attempts further apart are not for one connection")
  static let keepAliveGap = Threshold(
    "tcp.keepalive-gap", .nanoseconds, 30_000_000_000, "only probes for so long")
  static let keepAlivesUnanswered = Threshold(
    "tcp.keepalives-unanswered", .count, 3, "probes without an answer before a reset")

  static let closeWait = Threshold(
    "tcp.close-wait", .nanoseconds, 30_000_000_000, "a FIN unanswered this long was not noticed")
  static let fullSegment = Threshold(
    "tcp.full-segment", .bytes, 1_200, "segments of this size may be too large for a path")
  static let fullSegmentCopies = Threshold(
    "tcp.full-segment-copies", .count, 2, "copies of a large segment that the timer sent in vain")
  static let limitedTime = Threshold(
    "tcp.window-limited", .nanoseconds, 200_000_000, "a transfer that took less was not slow")
  static let limitedRoundTrip = Threshold(
    "tcp.window-limited-round-trip", .nanoseconds, 1_000_000, "on a shorter way a small window carries enough")

  // What proxies do.
  // TLS.

  // WebSocket.

}
