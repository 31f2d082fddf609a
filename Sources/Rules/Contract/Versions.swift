import Events

/// Which rules judge exchanges of HTTP/2: most do, because a message is a message.
///
/// Silent are those about what HTTP/2 does not have: start lines and line ends, the spelling of names, chunks, bodies
/// that end with the connection, requests one behind the other, connections that are kept or closed. What its frames
/// have in their place is judged by rules of their own.
enum Versions {
  // Arrays where there are few: a set of a type of its own takes longer to make than it ever saves.
  private static let silentFamilies: [Substring] = ["case", "chunked"]
  private static let silent: [RuleID] = ["sse/six-connections", "sse/content-length"]
  /// Of a family that is mostly about HTTP/1, those that are not.
  private static let ofAllVersions: Set<RuleID> = [
    "http/retried-request", "http/redirect-drops-body", "http/post-empty-with-type", "http/body-on-get",
    "http/content-encoding-broken", "http/content-encoding-unasked", "http/range-inconsistent", "http/vary-missing",
    "http/date-missing-or-skewed", "http/cookie-lost", "http/sibling-difference", "http/ttfb-slow",
    "http/early-response", "http/expect-stall", "http/upload-stall", "http/slow-body-rate-limit",
    "http/upload-buffered", "http/close-per-request", "http/duplicate-singleton", "http/name-underscore",
    "http/value-non-ascii", "http/inflation-stopped", "http/unanswered-request", "http/retry-after-ignored",
    "http/session-unknown", "http/one-at-a-time", "http/rate-limited", "http/redirect-loop",
  ]

  /// What is about bodies says nothing of frames of a WebSocket in DATA.
  private static let silentInSockets: [Substring] = ["sniff", "sse", "poll", "multipart", "stream"]

  private static let silentRulesInSockets: [RuleID] = [
    "http/early-response", "http/ttfb-slow", "http/unanswered-request", "http/upload-stall",
  ]

  /// Only asked for findings on connections of HTTP/2; `isSocket`: about an exchange that asks for a WebSocket.
  static func judges(_ rule: RuleID, isSocket: Bool) -> Bool {
    let family = rule.family
    if isSocket, silentInSockets.contains(family) || silentRulesInSockets.contains(rule) { return false }
    if silentFamilies.contains(family) || silent.contains(rule) { return false }
    return family != "http" || ofAllVersions.contains(rule)
  }
}
