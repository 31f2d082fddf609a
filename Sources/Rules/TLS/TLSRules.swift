import Citation
import Events

/// The family tls/ on one connection: the handshake, the alerts, how records are cut and timed, how it ends.
///
/// Nearly all is judged once, from the session that the dialogue hands over at the end. Made at the first
/// record: what is not TLS costs nothing but the look at whether it is.
struct TLSRules: Sendable {
  static let infos: [RuleInfo] =
    ServerNames.infos + Alerts.infos + Versions.infos + HandshakePace.infos + RecordSizes.infos + RecordPace.infos
    + CloseNotify.infos + [CertificateName.info, EarlyDataOffer.info, DecryptFailed.info]
  static let interests: EventKinds = [.tls, .segment, .exchange]

  private var watch = TLSWatch()

  static func observe(_ event: Event, _ rules: inout Rare<TLSRules>, in context: FlowContext, report: (Finding) -> Void)
  {
    if rules.isEmpty {
      guard case .tlsOpened = event else { return }
      rules.make(TLSRules())
    }
    rules.value.observe(event, in: context, report: report)
  }

  private mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): watch.note(seen)
    case .exchange(let exchange): watch.note(exchange, splitGap: context.thresholds[.splitHead])
    case .tlsClosed(let session): close(TLSStory(session: session, watch: watch, context: context), report: report)
    default: break
    }
  }

  private func close(_ story: TLSStory, report: (Finding) -> Void) {
    ServerNames.judge(story, report: report)
    CertificateName.judge(story, report: report)
    Alerts.judge(story, report: report)
    Versions.judge(story, report: report)
    HandshakePace.judge(story, report: report)
    EarlyDataOffer.judge(story, report: report)
    RecordSizes.judge(story, report: report)
    RecordPace.judge(story, report: report)
    CloseNotify.judge(story, report: report)
    DecryptFailed.judge(story, report: report)
    for rule in RuleIndex.tlsRules { rule.judge(story, in: story.context, report: report) }
  }
}

/// Judges a TLS connection that is over.
protocol TLSRule: StoryRule where Story == TLSStory {}
