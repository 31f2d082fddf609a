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
  static let handshakeStep = Threshold(
    "tls.handshake-step", .nanoseconds, 100_000_000, "a step of a handshake that takes two round trips and this is slow"
  )
  static let firstFlight = Threshold(
    "tls.first-flight", .bytes, 14_600, "a server may send so much before its first acknowledgement")
  static let bigRecord = Threshold("tls.big-record", .bytes, 8_192, "a first record of this length is large")
  static let tinyRecordCount = Threshold("tls.tiny-count", .count, 50, "records of one side, half of them tiny")
  static let tinyRecordSize = Threshold("tls.tiny-size", .bytes, 64, "records with less plaintext are tiny")
  static let splitHead = Threshold(
    "tls.split-head", .nanoseconds, 40_000_000, "a short body this long after its head was written apart")
  static let recordStall = Threshold(
    "tls.record-stall", .nanoseconds, 200_000_000, "a record that takes this long, and two round trips, was held up")
  static let recordPause = Threshold(
    "tls.record-pause", .nanoseconds, 50_000_000, "and stood still this long, or a round trip, in its middle")
  static let beatCount = Threshold("tls.beat-count", .count, 4, "records of one length that make a beat")
  static let beat = Threshold("tls.beat", .nanoseconds, 1_000_000_000, "they are this far apart at least")
  static let rejectionTime = Threshold(
    "tls.rejection", .nanoseconds, 2_000_000_000,
    "a client that leaves this soon after the certificate, and a round trip")
  static let secondTry = Threshold(
    "tls.second-try", .nanoseconds, 1_000_000_000, "the same client, served within this time, had refused nothing")
  static let resumptionTime = Threshold(
    "tls.resumption", .nanoseconds, 600_000_000_000, "handshakes further apart need not be of one session")

  // WebSocket.

}
