import Citation
import Events
import HTTPSemantics

/// The difference between two captures of an exchange, and what it cost.
struct CaptureDiff: ComparisonRule {
  static let info = RuleInfo(
    id: "proxy/capture-diff", severity: .warning,
    summary: "Two captures of the same exchange differ.",
    explanation: """
      A capture on either side of a proxy, or of a client that works beside one that does not, shows what no single one \
      can: what was changed on the way, and what was asked differently. Debugging proxies lower the letter case of \
      Transfer-Encoding, take chunks apart and buffer, so that what fails without them works with them; what differs \
      between the two is the fault.
      """,
    evidence: """
      The first difference in both captures, and the pieces that were held. Of two runs that were answered \
      differently, what was asked differently is called a possible cause, the smallest first; everything after it is \
      its consequence. Fields that differ every time (dates, ids) are left out, and between two points those that \
      every hop generates itself. What is late is later by an absolute and a relative measure; of an endpoint that both \
      runs asked five times or more, where their medians are, or where it took three times as long as any in the other.
      """,
    fix: """
      Two runs: repeat the failing request with its differences removed one by one, the smallest first. Two points: \
      fix the hop between them; the differences show what it changed.
      """,
    specifications: [
      Specification("RFC 9110 §7.6", "https://www.rfc-editor.org/rfc/rfc9110#section-7.6")
    ],
    thresholds: [.compareDelay, .compareRatio], since: "0.1")

  private static let shownCauses = 4

  static var standing: ComparisonStanding { .general }

  private let terms: ComparisonTerms
  private var relation: CaptureRelation { terms.relation }

  static func judge(_ pair: ComparedPair, _ terms: ComparisonTerms, report: (Finding) -> Void) {
    if let finding = CaptureDiff(terms: terms).finding(pair) { report(finding) }
  }

  private func finding(_ pair: ComparedPair) -> Finding? {
    guard let worst = pair.verdicts.max(by: { $0.word < $1.word }), worst.word != .identical else { return nil }
    let side = worst.side ?? .b
    return pair.finding(
      Self.info, severity: severity(worst.word), confidence: confidence(pair, worst), of: side, worst.direction,
      message(pair, worst), cost: worst.cost,
      fix: fix(pair, worst), evidence: evidence(pair, worst))
  }

  private func severity(_ word: ComparisonVerdict.Word) -> Severity {
    switch word {
    case .failed, .truncated: .error
    case .buffered, .slower: .warning
    case .altered, .reframed, .identical: .note
    }
  }

  /// Clocks may differ by as much as was held. That one piece took longer than another on the same way does not depend
  /// on clocks.
  private func confidence(_ pair: ComparedPair, _ worst: ComparisonVerdict) -> Confidence? {
    guard let clock = terms.clock, case .delay(let held) = worst.cost, let direction = worst.direction else {
      return nil
    }
    if relation.kind == .points, doubt(pair, worst) != nil { return .medium }
    let least = terms.thresholds[.compareDelay]
    let shortest = pair.holds[direction].map(\.held).min() ?? 0
    if held &- max(0, shortest) >= least { return nil }
    return held &- clock.uncertainty < least ? .medium : nil
  }

  // MARK: Words

  private func message(_ pair: ComparedPair, _ worst: ComparisonVerdict) -> FindingMessage {
    switch relation.kind {
    case .points: FindingMessage(passed(pair, worst))
    case .runs: FindingMessage(ran(pair, worst))
    }
  }

  /// Of two points: what was done to it on the way.
  private func passed(_ pair: ComparedPair, _ worst: ComparisonVerdict) -> String {
    let words = pair.verdicts.map(\.words).joined(separator: ", ")
    var text = "\(pair.title): \(words) between the two points"
    if case .delay(let nanoseconds) = worst.cost, let passage = pair.passage {
      let way = worst.direction == .toClient ? way(of: pair, passage, nanoseconds) : nil
      let doubt = doubt(pair, worst).map { ", or on the way from there to the client, where \($0)" } ?? ""
      text += "; held for up to \(Wording.duration(nanoseconds)) \(way ?? "by \(passage.holder)\(doubt)")"
    }
    if case .lost(let bytes) = worst.cost, let side = worst.side {
      text += "; \(side.name) has \(Wording.bytes(bytes)) less"
    }
    let changed = pair.differences.filter { $0.role != .hop }
    // What was held is the point; of what was changed besides, only what changed the content.
    if let first = changed.first, first.rank == 0 || !worst.isDelay {
      text += ". First of \(changed.count): \(first.words)"
    }
    return text + "."
  }

  /// What the proxy had sent may wait behind it, for a client that does not read, or for packets that were lost: that is not
  /// the proxy's.
  private func way(of pair: ComparedPair, _ passage: Passage, _ held: Int64) -> String? {
    guard !passage.isSameConnection, let response = pair[passage.outer].record.response else { return nil }
    let reading = response.silence.total(of: [.zeroWindow, .receiverLimited, .streamWindow, .connectionWindow])
    let lost = response.silence.total(of: [.retransmission, .congestionLimited, .heldUpstream])
    guard max(reading, lost) >= held / 2 else { return nil }
    return reading >= lost
      ? "on the way to the client, which did not read for \(Wording.duration(reading))"
      : "on the way to the client, where packets were lost or held for \(Wording.duration(lost))"
  }

  /// What else may have held it, behind a proxy.
  private func doubt(_ pair: ComparedPair, _ worst: ComparisonVerdict) -> String? {
    guard relation.kind == .points, worst.direction == .toClient, let passage = pair.passage, !passage.isSameConnection
    else { return nil }
    let connection = pair[passage.outer].connection
    if connection.timeline.contains(where: { $0.kind == .observation(.zeroWindow) }) {
      return "the client's receive window was closed now and then"
    }
    let side = connection.sides.toClient
    return side.retransmittedBytes > 0 ? "\(Wording.bytes(side.retransmittedBytes)) were retransmitted" : nil
  }

  private func ran(_ pair: ComparedPair, _ worst: ComparisonVerdict) -> String {
    guard worst.word == .failed else {
      let changed = pair.differences.filter { $0.role == .plain || $0.role == .cause || $0.role == .consequence }
      let first = changed.first.map { "; first of \(changed.count): \($0.words)" } ?? ""
      let late = worst.side.map { " in \($0.name)" } ?? ""
      return "\(pair.title): \(pair.verdicts.map(\.words).joined(separator: ", "))\(late)\(first)."
    }
    let answers = "\(pair.title): \(pair.a.record.answer) in A, \(pair.b.record.answer) in B"
    let causes = pair.causes
    guard !causes.isEmpty else {
      return "\(answers). The requests are the same: look at what the server received before, and at the time."
    }
    let shown = causes.prefix(Self.shownCauses).map(\.words).joined(separator: "; ")
    let more = causes.count > Self.shownCauses ? "; and \(causes.count - Self.shownCauses) more" : ""
    let count = causes.count == 1 ? "one thing differs" : "\(causes.count) things differ, the smallest first"
    return "\(answers). Of the requests \(count): \(shown)\(more)."
  }

  private func fix(_ pair: ComparedPair, _ worst: ComparisonVerdict) -> String? {
    switch (relation.kind, worst.word) {
    case (.runs, .failed):
      pair.causes.isEmpty
        ? nil : "Repeat the failing request with its differences removed one by one, the smallest first."
    case (.points, .buffered):
      worst.direction == .toServer
        ? "Proxy: pass uploads on as they come (nginx: proxy_request_buffering off, and proxy_http_version 1.1)."
        : "Proxy: pass responses on as they come (nginx: proxy_buffering off). Origin: X-Accel-Buffering: no."
    case (.points, .truncated):
      pair.passage?.isSameConnection == true
        ? "Network: find out what stands between the two points and ends connections."
        : "Proxy: find out why it ends the body before its sender does."
    default: nil
    }
  }

  // MARK: Evidence

  private func evidence(_ pair: ComparedPair, _ worst: ComparisonVerdict) -> [Evidence] {
    if relation.kind == .runs, worst.isDelay { return waits(pair) }
    var evidence: [Evidence] = []
    let told =
      relation.kind == .runs && worst.word == .failed ? pair.causes : pair.differences.filter { $0.role != .hop }
    let isHeld = relation.kind == .points && worst.isDelay
    for difference in told.prefix(2) where !isHeld || difference.rank == 0 { evidence += difference.evidence }
    if worst.word == .failed {
      for side in CompareSide.allCases {
        let exchange = pair[side].record
        if let response = exchange.response, let status = Evidence.status(response, "the answer") {
          evidence.append(status.from(side))
        } else {
          evidence.append(Evidence(.packet(exchange.last, nil), "no answer").from(side))
        }
      }
    }
    if let direction = worst.direction, let piece = pair.holds[direction].max(by: { $0.held < $1.held }),
      case .delay = worst.cost
    {
      let held = "and here, \(Wording.duration(piece.held)) later on one clock"
      let passed = "piece \(piece.index + 1) is here"
      let isAFirst = worst.side == .b
      evidence.append(Evidence(.packet(piece.a, direction), isAFirst ? passed : held).from(.a))
      evidence.append(Evidence(.packet(piece.b, direction), isAFirst ? held : passed).from(.b))
    }
    if evidence.isEmpty {
      for side in CompareSide.allCases {
        evidence.append(Evidence(.packet(pair[side].record.first, nil), "the exchange").from(side))
      }
    }
    return evidence
  }

  /// How long each run waited.
  private func waits(_ pair: ComparedPair) -> [Evidence] {
    CompareSide.allCases.flatMap { side in
      let exchange = pair[side].record
      let answer = exchange.response.map { Evidence(.packet($0.first, .toClient), "the answer begins") }
      return [Evidence(.packet(exchange.first, .toServer), "the request"), answer].compactMap { $0?.from(side) }
    }
  }
}

extension ComparisonVerdict {
  fileprivate var isDelay: Bool { if case .delay = cost { true } else { false } }
}

extension Threshold {
  package static let compareDelay = Threshold(
    "compare.delay", .nanoseconds, 100_000_000, "what is later in one of two captures is later by this much")
  package static let compareRatio = Threshold(
    "compare.ratio", .percent, 200, "and takes this much of the time that it takes in the other")
}

extension ExchangeRecord {
  /// `500`, `no answer`
  fileprivate var answer: String {
    if let head = response?.head { return "\(head.status.code)" }
    return isResponseMissing ? "an answer that was not captured" : "no answer"
  }
}
