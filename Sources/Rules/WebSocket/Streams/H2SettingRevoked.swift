import Events

/// A promise that was taken back.
enum H2SettingRevoked: ConnectRule {
  static let info = RuleInfo(
    id: "ws/h2-setting-revoked", severity: .error,
    summary: "A server took extended CONNECT back.",
    explanation: "Once SETTINGS_ENABLE_CONNECT_PROTOCOL was 1 it must not become 0: clients do not expect it.",
    evidence: "Both SETTINGS.",
    fix: "Server: leave the setting as it is for the life of a connection.",
    specifications: [.connectSetting], since: "0.1")

  static func judge(_ story: ConnectStory, in context: FlowContext, report: (Finding) -> Void) {
    guard story.exchange == nil, let allowed = story.allowed, let revoked = story.revoked else { return }
    report(
      Finding(
        info, subject: .connection(context.id), direction: .toClient,
        "The server set ENABLE_CONNECT_PROTOCOL to 0 after 1.", cost: .none, fix: info.fix,
        evidence: [
          Evidence(.bytes(allowed.span, .toClient), excerpt: allowed.header, "1"),
          Evidence(.bytes(revoked.span, .toClient), excerpt: revoked.header, "0"),
        ]))
  }
}
