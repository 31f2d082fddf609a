import Citation
import Events
import HTTP2Semantics

/// A duty that was not done.
enum SettingsUnacked: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/settings-unacked", severity: .warning,
    summary: "SETTINGS were not acknowledged.",
    explanation: """
      Until then a side must not rely on them, and some give up with SETTINGS_TIMEOUT. The reader of the other side \
      is blocked, or its stack is broken.
      """,
    evidence: """
      The SETTINGS. Where the capture lacks bytes of the other side, the acknowledgement may have been among them.
      """,
    fix: "Receiver: acknowledge SETTINGS at once, from the loop that reads frames.",
    specifications: [.settingsOrder], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard story.beginning != .midstream, !context.isOneSided else { return }
    let patience = max(1_000_000_000, 4 &* (context.roundTrip.total ?? 0))
    for direction in Direction.allCases {
      guard let mark = story.openSettings[direction].first, !story.hasHoles[direction.opposite] else { continue }
      let end =
        story.goAways.first { $0.direction == direction.opposite && $0.frame.errorCode != .noError }?.frame.released
        ?? context.lastEnd ?? story.lastPacket
      let wait = max(end.time.since(mark.frame.released.time), story.lastPacket.time.since(mark.frame.released.time))
      guard wait >= patience else { continue }
      let isGivenUp = story.goAways.contains { $0.direction == direction && $0.frame.errorCode == .settingsTimeout }
      report(
        Finding(
          info, severity: isGivenUp ? .error : .warning, subject: .connection(context.id),
          direction: direction.opposite,
          "\(Wording.sender(direction.opposite).atSentenceStart) did not acknowledge SETTINGS within \(Wording.duration(wait)).",
          cost: isGivenUp ? .failed(.connection) : .none, fix: info.fix, evidence: [mark.evidence]))
    }
  }
}
