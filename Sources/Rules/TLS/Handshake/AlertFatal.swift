import Citation
import Events
import TLSSemantics

/// An alert that ended the connection.
enum AlertFatal: TLSRule {
  static let info = RuleInfo(
    id: "tls/alert-fatal", severity: .error,
    summary: "One side ended the connection with a fatal alert.",
    explanation: """
      The alert gives the reason as a number, and its sender's log has the details. 40 and 71: no version, suite or \
      group in common. 42 to 46: the certificate. 48: its issuer is not trusted, or a pin did not match. 70 and 86: \
      the version. 112: the name. 120: no common protocol in ALPN. 20 and 51: keys differ, or bytes were changed on \
      the way.
      """,
    evidence: """
      The alert. Most libraries send alerts about the peer's first flight in the clear. Once encrypted, an alert can \
      only be recognised by its length, and only before the handshake is over: the confidence is medium then, and its \
      reason is not known without the secrets. It is medium, too, and the finding a warning, where no hello was captured. \
      Behind the other side's close_notify or FIN it ended nothing.
      """,
    fix: "Sender of the alert: its log, or its documentation of the number, has the reason.",
    specifications: [.rfc(8446, "6"), .rfc(5246, "7.2")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let seen = story.session.alerts.first(where: { isFatal($0, story) }) else { return }
    // What it answers was not captured, and may have been no TLS.
    let isAlone = !seen.isAfterHandshake && story.phases.serverHello == nil && story.hello == nil
    let phase =
      if isAlone {
        ""
      } else if seen.isAfterHandshake {
        " after the handshake"
      } else {
        story.phases.serverHello == nil ? " in answer to the ClientHello" : " during the handshake"
      }
    let sender = Wording.sender(seen.direction).atSentenceStart
    let meaning = seen.alert.map { ": \(words(of: $0, in: seen, story))" } ?? ", encrypted"
    // A client's alert about the server's certificate.
    let isOfCertificate = seen.direction == story.client && seen.alert?.isAboutCertificate ?? false
    let isOfTime = isOfCertificate && seen.alert.map { timeCodes.contains($0.code) } ?? false
    let validity = isOfTime ? story.validity(at: seen.span.first).map { "; the certificate \($0)" } : nil
    var evidence = [seen.evidence(seen.words)]
    if !seen.isAfterHandshake { evidence.insert(contentsOf: story.helloEvidence("the handshake begins"), at: 0) }
    var finding = story.finding(
      info, seen.direction, "\(sender) ends the connection\(phase) with \(seen.words)\(meaning)\(validity ?? "").",
      severity: isAlone ? .warning : nil, confidence: seen.alert == nil || isAlone ? .medium : nil,
      cost: .failed(.connection), causedBy: cause(seen, story), evidence)
    if isOfCertificate { finding.fix = ClientRejectsCert.info.fix }
    if isOfClients(seen, story) { finding.fix = clientsFix }
    report(finding)
  }

  /// bad_certificate and certificate_expired: what clients say of a certificate whose time is over.
  private static let timeCodes: Set<UInt8> = [42, 45]

  /// A server's alert about a certificate is about that of the client.
  private static func isOfClients(_ seen: SeenAlert, _ story: TLSStory) -> Bool {
    seen.direction == story.server && seen.alert?.isAboutCertificate == true
  }

  private static let clientsFix = """
    Client: look at the certificate that it sends (its dates, its issuer, its purpose), and renew it. Server: its log has \
    the reason, and its list of issuers that it accepts.
    """

  private static func words(of alert: TLSAlert, in seen: SeenAlert, _ story: TLSStory) -> String {
    if isOfClients(seen, story) { return "of the client's certificate, \(alert.meaning)" }
    guard alert.code == TLSAlert.handshakeFailure, story.phases.serverHello != nil, seen.direction == story.server
    else { return alert.meaning }
    return "what failed came after version and suite had been agreed"
  }

  static func isFatal(_ seen: SeenAlert, _ story: TLSStory) -> Bool {
    guard let alert = seen.alert else {
      // Undecrypted, and too early for close_notify.
      return !seen.isAfterHandshake && story.isWhole && story.hello != nil && story.phases.serverHello != nil
    }
    // After close_notify of either side it costs nothing.
    let isLate = Direction.allCases.contains { side in
      story.session.sides[side].closeNotify.map { $0.number < seen.span.first.number } ?? false
    }
    return alert.isFatal(in: story.session.version ?? .tls12) && !isLate && !isAnswerToEnd(seen, story)
  }

  /// The other side had ended the connection without close_notify, and the alert complains of that: OpenSSL sends
  /// decode_error where a record should begin and the stream ends.
  private static func isAnswerToEnd(_ seen: SeenAlert, _ story: TLSStory) -> Bool {
    guard seen.isAfterHandshake, story.context.closedBy == seen.direction.opposite, let end = story.context.firstEnd
    else { return false }
    return end.number < seen.span.first.number
  }

  private static func cause(_ seen: SeenAlert, _ story: TLSStory) -> RuleID? {
    guard let alert = seen.alert else { return nil }
    if seen.direction == story.client, alert.isAboutCertificate, CertNameMismatch.missed(story) != nil {
      return CertNameMismatch.info.id
    }
    if let refusal = ClientCertificateMissing.refusal(story), refusal.alert.span == seen.span {
      return ClientCertificateMissing.info.id
    }
    if alert.code == TLSAlert.unrecognizedName, seen.direction == story.server { return UnrecognizedName.info.id }
    if alert.code == 70, story.hello?.version.isOld ?? false { return OldVersion.info.id }
    return nil
  }
}
