import Citation
import Events

/// A flood.
enum ResetFlood: FloodRule {
  static let info = RuleInfo(
    id: "h2/reset-flood", severity: .error,
    summary: "A side sent very many RST_STREAM within a second.",
    explanation: """
      Each of them costs the other side work. It is an attack (CVE-2023-44487 and CVE-2025-8671), or a client in a \
      loop.
      """,
    evidence: "The first and the last.",
    fix: "Receiver: count them, and close the connection beyond a limit.",
    specifications: [.dosConsiderations], since: "0.1")

  static let least = 100
  static let frames = "resets"

  static func run(_ story: ControlStory, of sender: Direction) -> ControlStory.Run { story.resetRun[sender] }
}
