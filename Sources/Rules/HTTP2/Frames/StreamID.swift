import Events
import HTTP2Semantics

/// A number of the other side, or one that is over.
enum StreamID: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/stream-id", severity: .error,
    summary: "A stream has a number that it must not have.",
    explanation: """
      Clients open streams with odd numbers, servers with even ones, and each is higher than all before. Otherwise \
      the receiver gives the connection up with PROTOCOL_ERROR.
      """,
    evidence: "The frame that opens the stream.",
    fix: "Sender: count streams by two, and never back.",
    specifications: [.streamNumbers], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.streamNumber]

  static func words(_ fault: HTTP2Fault) -> String {
    "opened stream \(fault.frame.stream) after stream \(fault.limit)"
  }
}
