import Citation
import Events

/// A flood.
enum SettingsFlood: FloodRule {
  static let info = RuleInfo(
    id: "h2/settings-flood", severity: .warning,
    summary: "A side sent very many SETTINGS within a second.",
    explanation: """
      Each of them costs the other side work. It is an attack (CVE-2019-9515), or a client in a loop.
      """,
    evidence: "The first and the last.",
    fix: "Receiver: count them, and close the connection beyond a limit.",
    specifications: [.dosConsiderations], since: "0.1")

  static let least = 10
  static let frames = "SETTINGS"

  static func run(_ story: ControlStory, of sender: Direction) -> ControlStory.Run { story.settingsRun[sender] }
}
