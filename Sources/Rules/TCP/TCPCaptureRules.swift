import Events

/// What attempts to connect show, alone and beside each other.
struct TCPCaptureRules: Sendable {
  static let infos: [RuleInfo] = [
    ConnectAttempts.parallel, ConnectAttempts.fallback, SynRetry.info, ChallengeAck.info, CloseWait.info,
  ]

  private var attempts = ConnectAttempts()
  private var closeWait = CloseWait()

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    if case .connectionClosed(let end) = event, let context {
      closeWait.close(end, context)
      guard context.opening != nil else { return }
      SynRetry.judge(end, context, report: report)
      ChallengeAck.judge(end, context, report: report)
      attempts.close(end, context)
    } else if case .captureEnded(let capture) = event {
      attempts.finish(thresholds, report: report)
      closeWait.finish(capture, thresholds, report: report)
    }
  }
}
