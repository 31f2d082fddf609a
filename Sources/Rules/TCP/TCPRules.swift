import Events

/// The family tcp/: what segments themselves show.
struct TCPRules: Sendable {
  static let infos: [RuleInfo] = [ConnectRefused.info, OverlappingCopiesDiffer.info, ResetOutOfWindow.info]
  static let interests: EventKinds = [.segment, .overlapConflict, .connectionClosed]

  private var refused = ConnectRefused()
  private var overlap = OverlappingCopiesDiffer()
  private var outOfWindow = ResetOutOfWindow()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    refused.observe(event, in: context, report: report)
    overlap.observe(event, in: context, report: report)
    outOfWindow.observe(event, in: context, report: report)
  }
}
