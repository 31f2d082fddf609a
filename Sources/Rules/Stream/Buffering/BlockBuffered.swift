import Events
import HTTPSemantics

/// Streamed items that came a block at a time.
enum BlockBuffered: HeldStreamRule {
  static let info = RuleInfo(
    id: "stream/block-buffered", severity: .warning, confidence: .medium,
    summary: "A streamed response comes in full blocks of a buffer.",
    explanation: """
      Programs that print through a buffer write it out when it is full: 4,096 bytes in C's stdio on pipes and in PHP, \
      8 KiB and more in proxies and application servers, 16 KiB where TLS records are filled first. A stream of small \
      events then stalls until a block is full, and an event that lies across the edge of a block waits for the next \
      block to be read at all.
      """,
    evidence: """
      An event or line that begins in one burst and ends in a later one. Every burst is a multiple of the same power of \
      two, give or take 16 bytes, and most of them end in the middle of an item: a sender that flushes its items does \
      neither.
      """,
    fix: """
      Server: flush after each event (PHP: output_buffering off; Python: flush=True; stdio: setvbuf). Proxy: do not \
      buffer this route.
      """,
    specifications: [
      Specification("HTML §9.2.7", "https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes")
    ], causedBy: ["sse/buffered", "proxy/hop-joined"], since: "0.1")

  static func judge(_ held: HeldStream, in context: FlowContext, report: (Finding) -> Void) {
    guard case .blocks = held.signature else { return }
    report(held.finding(info, in: context))
  }
}
