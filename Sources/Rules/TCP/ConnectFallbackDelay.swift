import Citation
import Events

/// An attempt by an address of one family that the client waited for and gave up.
enum ConnectFallbackDelay: AttemptRule {
  static let info = RuleInfo(
    id: "tcp/connect-fallback-delay", severity: .warning, confidence: .medium,
    summary: "A connection was delayed by an address that does not work.",
    explanation: """
      The client tried one address, waited, and got through by one of the other family. Every client that connects \
      waits so, every time: usually IPv6 that is announced in DNS and not reachable, or an address list with a dead \
      host in front. Clients without Happy Eyeballs wait for whole SYN timeouts (1, 3, 7 s and more).
      """,
    evidence: """
      The failed SYN, its refusal or ICMP error where there was one, the SYN to the other address, and its answer. \
      That both were for the same name is inferred from the same sending host, the same port and the two address \
      families; connections that a router forwards for several clients are not judged.
      """,
    fix: """
      Server: make the first address answer, or remove it from DNS. Client: try the families side by side (RFC 8305), \
      and remember which one worked.
      """,
    specifications: [
      Specification("RFC 8305 §5", "https://www.rfc-editor.org/rfc/rfc8305#section-5"),
      Specification("RFC 6555 §1", "https://www.rfc-editor.org/rfc/rfc6555#section-1"),
    ],
    thresholds: [.fallbackDelay, .mostFallback], causedBy: ["tcp/host-silent"], since: "0.1")

  static func judge(_ pair: AttemptPair, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard pair.isLate(thresholds) else { return }
    let server = pair.first.server
    report(
      Finding(
        info, subject: .connection(pair.second.id), direction: .toServer,
        "The connection was delayed by \(Wording.duration(pair.stagger)): \(pair.words)",
        cost: .delay(nanoseconds: pair.stagger),
        fix: "Server: make \(server.address) answer on port \(server.port), or take it out of DNS.",
        evidence: pair.evidence
      ).on(pair.second.number))
  }
}

extension Threshold {
  static let fallbackDelay = Threshold(
    "tcp.fallback-delay", .nanoseconds, 300_000_000, "a second address tried this late delayed the connection")
  static let mostFallback = Threshold(
    "tcp.most-fallback", .nanoseconds, 10_000_000_000, "attempts further apart are not for one connection")
}
