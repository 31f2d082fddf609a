import Citation
import Events
import WebSocketSemantics

/// The first frame of each fault in each direction, and how many there are.
struct FrameFaults: Sendable {
  private struct Sighting: Sendable {
    var rule: Int
    var frame: Frame
    var what: String
    var count: UInt64 = 1
  }

  private static let rules = RuleIndex.frameRules.sorted {
    ($0.violationRank ?? .max, $0.info.id) < ($1.violationRank ?? .max, $1.info.id)
  }

  private var found = BothDirections<[Sighting]>(repeating: [])

  mutating func observe(_ frame: Frame, _ direction: Direction, _ terms: FrameTerms, _ story: inout SocketStory) {
    guard !frame.isUsual(terms) else { return }
    let isWhole = frame.headerReleased != nil
    guard isWhole || !frame.header.bytes.isEmpty else { return }
    for (index, rule) in Self.rules.enumerated() where isWhole || rule.isOfFirstByte {
      guard let what = rule.find(in: frame, terms) else { continue }
      if rule.violationRank != nil { story.note(fault: rule.info.id, frame.span.first, direction) }
      if let at = found[direction].firstIndex(where: { $0.rule == index }) {
        found[direction][at].count += 1
      } else {
        found[direction].append(Sighting(rule: index, frame: frame, what: what))
      }
    }
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      for sighting in found[direction] {
        let rule = Self.rules[sighting.rule]
        let death =
          rule.violationRank != nil ? story.death(after: sighting.frame.span.first, of: direction, in: context) : nil
        let more = sighting.count > 1 ? "; \(Wording.number(sighting.count)) frames in all" : ""
        report(
          story.finding(
            rule.info, direction, "\(Wording.sender(direction).atSentenceStart) sent \(sighting.what)\(more).",
            cost: death == nil ? .none : .failed(.connection),
            [Evidence.frame(sighting.frame, direction, sighting.what)] + [death].compactMap { $0 },
            count: sighting.count, in: context))
      }
    }
  }
}

extension Frame {
  /// What most frames are: no rule about single frames applies to them.
  @inline(__always)
  fileprivate func isUsual(_ terms: FrameTerms) -> Bool {
    guard headerReleased != nil, isMasked == terms.isClients, isFinal, !opcode.isReserved, opcode != .close,
      reserved == 0 || reserved == 4 && terms.mayCompress && (1...2).contains(opcode.rawValue)
    else { return false }
    switch lengthForm {
    case .short: return true
    case .extended16: return length > 125 && !opcode.isControl
    case .extended64: return false
    }
  }
}
