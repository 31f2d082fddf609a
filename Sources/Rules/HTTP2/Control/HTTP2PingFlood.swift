import Citation
import Events

/// A flood.
enum HTTP2PingFlood: FloodRule {
  static let info = RuleInfo(
    id: "h2/ping-flood", severity: .warning,
    summary: "A side sent very many PINGs within a second.",
    explanation: "Each asks for an answer. It is an attack (CVE-2019-9512), or a client in a loop.",
    evidence: "The first and the last.",
    fix: "Receiver: count them, and close the connection beyond a limit.",
    specifications: [.dosConsiderations], since: "0.1")

  static let least = 20
  static let frames = "PINGs"

  static func run(_ story: ControlStory, of sender: Direction) -> ControlStory.Run { story.pingRun[sender] }
}
