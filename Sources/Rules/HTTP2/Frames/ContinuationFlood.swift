import Events
import HTTP2Semantics

/// A header block without end.
enum ContinuationFlood: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/continuation-flood", severity: .error,
    summary: "A header block goes on in very many frames.",
    explanation: """
      A receiver has to keep a header block until it ends. One without end takes memory and time for nothing: an \
      attack (CVE-2024-27316 and others), or a sender that forgot END_HEADERS.
      """,
    evidence: "The frame that was too many. The rest of the block is not read here either.",
    fix: "Receiver: limit the frames and bytes of a header block, and close the connection beyond.",
    specifications: [.continuations, .dosConsiderations], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.continuationFlood]

  static func words(_ fault: HTTP2Fault) -> String {
    "sent \(fault.value) CONTINUATION frames or 64 KiB for one header block on stream \(fault.frame.stream)"
  }
}
