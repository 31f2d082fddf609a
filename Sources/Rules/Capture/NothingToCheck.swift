import Citation
import Events

/// A capture without streams, given to a check of streams.
///
/// Only a check asks: to a report it is the verdict itself. It is made from the totals, so it is reported last.
package enum NothingToCheck: Rule {
  package static let info = RuleInfo(
    id: "capture/nothing-to-check", severity: .warning,
    summary: "The capture holds no stream that could be checked.",
    explanation: """
      A check of nothing finds nothing, and looks like success. The capture has no packets, no TCP connection, or \
      connections on which neither an HTTP exchange nor a WebSocket could be read. Where exchanges exist but none of \
      them streams, or TLS hides them, it is a note: something was checked. Only `streamscope check` raises it, and \
      `--ignore capture/nothing-to-check` is for captures where this is intended.
      """,
    evidence: """
      The totals of the capture. A filter that lets nothing through looks the same as a recording that failed; what the \
      capture itself holds is shown by `streamscope FILE`.
      """,
    fix: """
      Capture where the traffic passes, and start before it begins. Check the capture filter and its port. For TLS \
      pass the keys with --keylog.
      """,
    specifications: [],
    since: "0.1")

  package static func finding(_ summary: Summary, packets: UInt64) -> Finding? {
    guard summary.streams == 0 else { return nil }
    let isRead = summary.exchanges > 0 || summary.shutTLS > 0
    let message: FindingMessage
    if packets == 0 {
      message = .noPackets
    } else if summary.connections == 0 {
      message = .noConnections(packets, summary.capture.opaque)
    } else if summary.exchanges > 0 {
      message = .noStreams(summary.exchanges)
    } else {
      message = summary.shutTLS > 0 ? .shut(summary.shutTLS) : .noExchanges(summary.connections)
    }
    return Finding(
      info, severity: isRead ? .note : .warning, subject: .capture, message, cost: .none,
      fix: info.fix,
      evidence: [Evidence(.file(offset: nil), "the totals of the capture")])
  }
}

extension FindingMessage {
  fileprivate static let noPackets: Self = "The capture holds no packets: nothing was checked."

  fileprivate static func noConnections(_ packets: UInt64, _ opaque: UInt64) -> Self {
    let unknown = opaque > 0 ? ", of which \(Wording.number(opaque)) could not be decoded" : ""
    return "No TCP connection in \(Wording.count(packets, "packet"))\(unknown): nothing was checked."
  }

  fileprivate static func noExchanges(_ connections: UInt64) -> Self {
    """
    Neither an HTTP exchange nor a WebSocket on \(Wording.count(connections, "connection")): nothing but TCP was checked.
    """
  }

  fileprivate static func noStreams(_ exchanges: UInt64) -> Self {
    "No stream in \(Wording.count(exchanges, "exchange")): only whole messages were checked."
  }

  fileprivate static func shut(_ connections: UInt64) -> Self {
    "\(Wording.count(connections, "connection")) of TLS without keys: only record headers were checked."
  }
}
