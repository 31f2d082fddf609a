import Citation
import Events

/// Much data in small pieces, one after the other.
struct SmallSegments: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/small-segments", severity: .note,
    summary: "A burst of data was sent in small segments.",
    explanation: """
      Each write became a segment of its own, with 40 to 80 bytes of headers around less than 100 of data, and a wake-up of \
      the receiver each. It costs little on an idle machine, and throughput on a busy one: hosts, proxies and radio links \
      have a price per packet. Usual causes are a writer without a buffer, a flush after every field, and TCP_NODELAY on \
      top of both.
      """,
    evidence: """
      The first and the last segment of the longest run: at least 50 data segments, none 50 ms after the one before and \
      5 ms apart on average, more than half of them with less than 100 bytes. A stream that sends events as they happen \
      has longer pauses, and one that waits for an answer to each message has nothing to collect: neither is this. \
      Segments that were held back and came out of order are not counted.
      """,
    fix: """
      Sender: write through a buffer and flush it when there is nothing more to write at the moment, or collect with \
      writev or TCP_CORK.
      """,
    specifications: [
      Specification("RFC 9293 §3.7.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.7.4")
    ],
    causedBy: ["chunked/write-splitting", "chunked/tiny-chunks"], since: "0.1")

  static var interests: EventKinds { .segment | .connectionClosed }

  /// The longest run of each direction, and how many there were: none or one of each, few connections have any.
  private var runs: [(longest: TCPObservation, count: UInt64)] = []

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen)
    case .connectionClosed: close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation) {
    guard seen.kind == .smallSegments else { return }
    guard let at = runs.firstIndex(where: { $0.longest.direction == seen.direction }) else {
      runs.append((seen, 1))
      return
    }
    runs[at].count += 1
    if seen.value > runs[at].longest.value { runs[at].longest = seen }
  }

  private func close(in context: FlowContext, report: (Finding) -> Void) {
    for (run, count) in runs {
      guard let first = run.earlier else { continue }
      let bytes = UInt64(run.range.count)
      var finding = Finding(
        Self.info, subject: .connection(context.id), direction: run.direction,
        """
        \(Wording.sender(run.direction).atSentenceStart) sent \(Wording.bytes(bytes)) in \
        \(Wording.count(run.value, "segment")) within \(Wording.duration(run.packet.time.since(first.time))), \
        \(Wording.bytes(bytes / max(1, run.value))) each on average.
        """,
        cost: .none,
        evidence: [
          Evidence(.packet(first, run.direction), "the first of them"),
          Evidence(.packet(run.packet, run.direction), "the last"),
        ])
      finding.count = count
      report(finding)
    }
  }
}
