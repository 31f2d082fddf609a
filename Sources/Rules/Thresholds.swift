import Events

/// Every figure that rules compare with, in one table.
extension Threshold {
  static let clientHold = Threshold(
    "sniff.hold", .nanoseconds, 1_000_000_000, "a body held this long is worth a finding")

  // Exchanges, and the connections they share.
  static let sameMoment = Threshold(
    "http.same-moment", .nanoseconds, 50_000_000, "packets no further apart, or than a round trip, crossed on their way"
  )
  static let idleReuse = Threshold(
    "http.idle-reuse", .nanoseconds, 1_000_000_000, "a connection silent this long was idle when it was used again")
  static let retryDelay = Threshold(
    "http.retry-delay", .nanoseconds, 2_000_000_000, "the same request this soon after a failed one is a retry")
  static let closeDelay = Threshold(
    "http.close-delay", .nanoseconds, 2_000_000_000, "a promised close this late was not honoured")
  static let unusedConnections = Threshold(
    "http.unused-connections", .count, 5, "exchanges, each on a connection of its own")
  static let handshakeLoss = Threshold(
    "http.handshake-loss", .nanoseconds, 50_000_000, "handshakes that took this long in all are felt")
  static let poolIdle = Threshold(
    "http.pool-idle", .nanoseconds, 60_000_000_000, "proxies keep idle connections about this long")
  static let expectWait = Threshold(
    "http.expect-wait", .nanoseconds, 300_000_000, "a client waited this long for 100 Continue")
  static let uploadPause = Threshold(
    "http.upload-pause", .nanoseconds, 2_000_000_000, "a request body silent this long is stalled")
  static let shortBodyRate = Threshold(
    "http.body-rate-5s", .bytes, 240, "bytes per second over 5 s: the least that Kestrel and IIS accept")
  static let longBodyRate = Threshold(
    "http.body-rate-20s", .bytes, 500, "bytes per second over 20 s: what Apache's mod_reqtimeout asks for")
  static let bodyTurns = Threshold(
    "http.body-turns", .count, 2, "runs of each body after the other had begun")
  static let firstByteWait = Threshold(
    "http.first-byte-wait", .nanoseconds, 1_000_000_000, "a response that begins this late is slow")
  static let firstByteRoundTrips = Threshold(
    "http.first-byte-round-trips", .count, 10, "and it took more than so many round trips")
  static let redirectResend = Threshold(
    "http.redirect-resend", .nanoseconds, 5_000_000_000, "a redirected request is sent again within this time")
  static let bufferedUpload = Threshold(
    "http.buffered-upload", .nanoseconds, 500_000_000, "an upload that took this long was streamed")

  static let all: [Threshold] = [
    clientHold, sameMoment, idleReuse, retryDelay, closeDelay, unusedConnections, handshakeLoss, poolIdle, expectWait,
    uploadPause, shortBodyRate, longBodyRate, bodyTurns, firstByteWait, firstByteRoundTrips, redirectResend,
    bufferedUpload,
  ]
}
