import Events

/// The state of all rules of one connection, made at the first event that any of them asked for.
package struct ConnectionRules: Sendable {
  package static let interests: EventKinds = [.segment, .gap, .overlapConflict, .connectionClosed]

  private var tcp = TCPRules()
  private var missingBytes = MissingBytes()

  package init() {}

  package mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !TCPRules.interests.isDisjoint(with: kind) { tcp.observe(event, in: context, report: report) }
    if !MissingBytes.interests.isDisjoint(with: kind) { missingBytes.observe(event, in: context, report: report) }
  }
}

/// The rules over the capture as a whole.
package struct CaptureRules: Sendable {
  private var truncated = TruncatedCapture()

  package init() {}

  package mutating func observe(_ event: Event, report: (Finding) -> Void) {
    truncated.observe(event, report: report)
  }
}
