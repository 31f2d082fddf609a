import Citation
import Events
import HTTPSemantics

/// Uplink and downlink of one conversation on two connections, and what goes wrong between them.
///
/// Judged when the capture is read, for an exchange is reported when it is over, and its other half may go on for long.
/// Bounded: the last `limit` exchanges that may be halves.
struct PairingMissing: CaptureRule {
  static let info = RuleInfo(
    id: "stream/pairing-missing", severity: .warning, confidence: .medium,
    summary: "One half of a pair of uplink and downlink is missing or ended first.",
    explanation: """
      Where a full duplex stream is not to be had, programs take two requests: a chunked upload as uplink, a long \
      response as downlink, joined by an id that both carry. The server has to bring them together, whichever comes \
      first, and to end both when one is gone. It goes wrong in three ways: the ids differ, and each half waits for a \
      partner that never comes; the server holds the downlink's head until the uplink's first bytes, and the client \
      sees nothing till then; one half ends, and the other stays open and is read or written for nothing.
      """,
    evidence: """
      Both requests, of one client (address and User-Agent) to one host within 5 s of each other, and the id that they \
      share, or where it differs: a field, a word of the query, path or first 64 bytes of the body, by name and never \
      by value. An id of another kind, or a word of the path that looks like one, may be of what both are about: it \
      costs nothing, and the confidence is low. Then what came of it: the late or empty answer, the first bytes of the \
      uplink before it, or the FIN or reset of one half. A half that ends in order, a partner that is replaced within \
      5 s, the id of a user, and requests without ids do not count.
      """,
    fix: """
      Server: answer the downlink with its head at once and let bytes follow when the uplink is there; end both halves \
      when one is gone. Client: make one id for both requests, and reopen both when one of them ends.
      """,
    specifications: [
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3"),
      Specification("RFC 6202 §2", "https://www.rfc-editor.org/rfc/rfc6202#section-2"),
    ],
    thresholds: [.pairWindow, .pairWait, .pairPrompt, .pairOrphan], since: "0.1")

  private static let limit = 512
  private var sides: [PairSide] = []
  private var oldest = 0
  /// The halves of pairs that share an id, both ways.
  private(set) var pairs: [ExchangeKey: ExchangeKey] = [:]

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard let side = PairSide(asked, in: context) else { return }
    if sides.count < Self.limit {
      sides.append(side)
    } else {
      sides[oldest] = side
      oldest = (oldest + 1) % Self.limit
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let sides = sides.sorted { $0.asked.number < $1.asked.number }
    let uplinks = sides.filter { $0.role == .uplink }
    let downlinks = sides.filter { $0.role == .downlink }
    var strays: [(PairSide, PairSide, PairID)] = []
    // Of pairs that are sure, and the others.
    var taken: Set<ExchangeKey> = []
    for uplink in uplinks {
      let near = downlinks.filter {
        $0.asker == uplink.asker && $0.flow != uplink.flow
          && $0.opened(after: uplink).apart(from: 0) <= thresholds[.pairWindow]
      }
      if let (partner, id) = uplink.partner(among: near.filter { !taken.contains($0.leg) }) {
        taken.insert(partner.leg)
        if id.namesConversation {
          pairs[uplink.leg] = partner.leg
          pairs[partner.leg] = uplink.leg
        }
        let pair = Pair(uplink: uplink, downlink: partner, id: id, thresholds: thresholds)
        if let finding = pair.heldHead() { report(finding) }
        if let finding = pair.orphan(among: sides, until: capture.lastTime) { report(finding) }
      } else if let other = near.first(where: { $0.ids.differing(from: uplink.ids) != nil }),
        let id = uplink.ids.differing(from: other.ids)
      {
        strays.append((uplink, other, id))
      }
    }
    // Whose partner is in the capture has it, whatever else was asked at the time.
    for (uplink, downlink, id) in strays where !taken.contains(downlink.leg) {
      let hasOther =
        uplinks.contains { $0.asker == downlink.asker && $0.ids.shared(with: downlink.ids) != nil }
        || downlinks.contains { $0.asker == uplink.asker && $0.ids.shared(with: uplink.ids) != nil }
      if hasOther { continue }
      let pair = Pair(uplink: uplink, downlink: downlink, id: id, thresholds: thresholds)
      if let finding = pair.stray() { report(finding) }
    }
    self.sides = []
  }
}

extension Threshold {
  static let pairWindow = Threshold(
    "stream.pair-window", .nanoseconds, 5_000_000_000, "two halves of a pair are opened this close to each other")
  static let pairWait = Threshold(
    "stream.pair-wait", .nanoseconds, 1_000_000_000, "a downlink answered this late was held")
  static let pairPrompt = Threshold(
    "stream.pair-prompt", .nanoseconds, 100_000_000, "what comes this soon after the uplink was caused by it")
  static let pairOrphan = Threshold(
    "stream.pair-orphan", .nanoseconds, 5_000_000_000, "half a pair stayed this long without the other")
}

extension PairSide {
  func opened(after other: PairSide) -> Int64 { asked.time.since(other.asked.time) }

  /// The nearest of those that share an id; one that names a conversation counts more than any other.
  fileprivate func partner(among others: [PairSide]) -> (side: PairSide, id: PairID)? {
    let sharing = others.compactMap { other in ids.shared(with: other.ids).map { (side: other, id: $0) } }
    let sure = sharing.filter(\.id.namesConversation)
    return (sure.isEmpty ? sharing : sure).min { left, right in
      let distance = left.side.asked.time.apart(from: asked.time)
      let other = right.side.asked.time.apart(from: asked.time)
      return (distance, left.side.asked.number) < (other, right.side.asked.number)
    }
  }
}
