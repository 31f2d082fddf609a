import Citation
import Events
import TLSSemantics

/// A first flight that does not fit into the first window.
enum LargeChain: TLSRule {
  static let info = RuleInfo(
    id: "tls/large-chain", severity: .warning,
    summary: "The server's first flight is larger than the first congestion window.",
    explanation: """
      A server may send ten segments before it must wait for an acknowledgement. A longer chain of certificates, or one \
      with roots and cross-signed copies in it, needs another round trip before the client can answer at all.
      """,
    evidence: "The ServerHello and the end of the flight, with its bytes; the time between is the wait where it shows.",
    fix: """
      Server: send the leaf and the intermediates that lead to a common root, and no more; use keys of elliptic curves; \
      compress certificates.
      """,
    specifications: [.rfc(6928, "2")], thresholds: [.firstFlight], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let bytes = story.phases.serverFlightBytes
    guard let first = story.phases.serverHello, let last = story.phases.serverFlight, story.isWhole,
      isLarge(story)
    else { return }
    let took = last.time.since(first.time)
    // Shorter than a round trip, and nothing was waited for.
    let roundTrip = story.context.roundTrip.total ?? .max
    let isWait = took >= roundTrip / 10 &* 8 && took >= 1_000_000
    let certificates = story.session.certificate.map {
      ", \(Wording.bytes(UInt64($0.byteCount))) of them in \(Wording.count(UInt64($0.count), "certificate"))"
    }
    report(
      story.finding(
        info, story.server,
        "The server's first flight has \(Wording.bytes(bytes))\(certificates ?? "")\(isWait ? ", and its end came \(Wording.duration(took)) after its beginning" : "").",
        cost: isWait ? .delay(nanoseconds: took) : .none,
        [
          Evidence(.packet(first, story.server), "ServerHello"),
          Evidence(.packet(last, story.server), "the end of the flight"),
        ]))
  }

  static func isLarge(_ story: TLSStory) -> Bool {
    story.phases.serverFlightBytes > UInt64(max(0, story.context.thresholds[.firstFlight]))
  }
}

extension Threshold {
  static let firstFlight = Threshold(
    "tls.first-flight", .bytes, 14_600, "a server may send so much before its first acknowledgement")
}
