import Citation
import Events

/// Attempts by addresses of both families side by side.
enum ParallelConnects: AttemptRule {
  static let info = RuleInfo(
    id: "tcp/parallel-connects", severity: .note, confidence: .medium,
    summary: "The client tried IPv6 and IPv4 for what looks like one service.",
    explanation: """
      A client that has addresses of both families tries the preferred one first and gives it a head start (Happy \
      Eyeballs: 250 ms in RFC 8305, 200 ms in curl, 300 ms in Chrome) before it tries the other beside it. The slower \
      attempt is dropped. This is intended, and worth knowing when connecting takes longer by the head start: some \
      errors (an ICMP message, say) do not end the head start.
      """,
    evidence: """
      Both SYNs, what became of the one that lost, and the answer of the one that won. That both were for the same \
      name is inferred from the same sending host, the same port and the two address families; DNS is not looked at. \
      Connections that a router forwards for several clients are not judged.
      """,
    fix: """
      Nothing, when the first address works. Server: make the preferred address answer, or take it out of DNS.
      """,
    specifications: [
      Specification("RFC 8305 §5", "https://www.rfc-editor.org/rfc/rfc8305#section-5")
    ],
    thresholds: [.leastStagger, .mostStagger], since: "0.1")

  static func judge(_ pair: AttemptPair, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard !pair.isLate(thresholds), pair.stagger >= thresholds[.leastStagger],
      pair.stagger <= thresholds[.mostStagger]
    else { return }
    report(
      Finding(
        info, subject: .connection(pair.second.id), direction: .toServer, FindingMessage(pair.words), cost: .none,
        evidence: pair.evidence
      ).on(pair.second.number))
  }
}

extension Threshold {
  static let leastStagger = Threshold(
    "tcp.least-stagger", .nanoseconds, 10_000_000, "attempts closer together are not one waiting for the other")
  static let mostStagger = Threshold(
    "tcp.most-stagger", .nanoseconds, 2_000_000_000, "attempts further apart do not run side by side")
}
