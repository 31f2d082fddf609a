import Citation

extension CaptureLoss {
  /// `capture lost 1,204 packets between #20 and #31`
  package var sentence: String {
    let what = packets > 0 ? "capture lost \(Wording.count(packets, "packet"))" : words ?? "packets are missing"
    return what + " between #\(after.number) and #\(before.number)"
  }
}

/// Where a capture lost packets. Beyond a bound losses are reported together.
package struct CaptureLosses: Sendable {
  private static let limit = 1_000
  package private(set) var all: [CaptureLoss] = []

  package init() {}

  package mutating func add(_ loss: CaptureLoss) {
    if all.count == Self.limit {
      all[all.count - 1].packets &+= loss.packets
      all[all.count - 1].before = loss.before
    } else {
      all.append(loss)
    }
  }

  /// Lowers the confidence of a finding around lost packets, and states why.
  package func weaken(_ finding: inout Finding) {
    let touching = all.filter { $0.touches(finding.firstPacket, finding.lastPacket) }
    guard let first = touching.first, let last = touching.last else { return }
    let loss = CaptureLoss(
      packets: touching.reduce(0) { $0 &+ $1.packets }, after: first.after, before: last.before, words: first.words)
    switch finding.confidence {
    case .high: finding.confidence = .medium
    case .medium, .low: finding.confidence = .low
    }
    finding.evidence.append(
      Evidence(.packet(last.before, nil), "less certain: " + (loss.packets > 0 ? "the " : "") + loss.sentence))
  }
}
