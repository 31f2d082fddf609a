import Events

/// What only other connections, or name servers, tell about a TLS connection.
struct TLSCaptureRules: Sendable {
  static let infos: [RuleInfo] = [NoServerName.info, CertificateRejected.info, NoResumption.info]

  private var rejections = CertificateRejected()
  private var resumption = NoResumption()

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    if case .tlsClosed(let session) = event, let context {
      let story = TLSStory(session: session, watch: TLSWatch(), context: context)
      NoServerName.judge(story, report: report)
      rejections.observe(story)
      resumption.observe(story)
    } else if case .captureEnded = event {
      rejections.finish(thresholds, report: report)
      resumption.finish(thresholds, report: report)
    }
  }
}
