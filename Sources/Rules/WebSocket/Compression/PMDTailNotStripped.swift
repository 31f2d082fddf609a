import Citation
import Events
import WebSocketSemantics

/// An end that was to be left out.
enum PMDTailNotStripped: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/pmd-tail-not-stripped", severity: .warning,
    summary: "A compressed message ends with the four bytes that are to be left out.",
    explanation: """
      A compressor's flush ends with 00 00 FF FF, which the receiver appends by itself: sent along, they are four \
      wasted bytes, and some receivers fail over the doubled end.
      """,
    evidence: "The end of the first such message.", fix: "Sender: cut the last four bytes off after the flush.",
    specifications: [.deflate("7.2.1")], since: "0.1")

  static let violationRank: Int? = nil

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    guard message.hasTail else { return nil }
    return SocketMessageFault("\(message.title), which ends with 00 00 FF FF", message.released)
  }
}
