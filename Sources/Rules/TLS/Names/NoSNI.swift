import Citation
import Events
import TLSSemantics

/// A ClientHello without a server name.
struct NoSNI: CaptureRule {
  static let info = RuleInfo(
    id: "tls/no-sni", severity: .warning,
    summary: "The ClientHello gives no server name.",
    explanation: """
      A server with several names picks site and certificate by the name in the hello. Without one it shows its default \
      certificate, or refuses. Clients leave the name out where the URL has an address in the place of the host: after \
      rewriting for an own resolver (HTTPDNS), say. The check of the certificate then fails, or was switched off.
      """,
    evidence: """
      The ClientHello, and what shows that there is a name: the Host field of a decrypted request, an answer of a name \
      server with this address, or the certificate. Where nothing shows one it is only worth knowing: there may be none.
      """,
    fix: "Client: set the server name to the host of the original URL when connecting to an address.",
    specifications: [.rfc(6066, "3")], since: "0.1")

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard let story = TLSStory(event, in: context) else { return }
    guard let hello = story.hello, hello.serverName == nil, !hello.isSSLv2, !hello.offersEncryptedHello,
      story.session.hellos.secondClient?.serverName == nil
    else { return }
    let known = story.context.serverName.flatMap { $0.answer == nil && Self.isAddress($0.text) ? nil : $0 }
    let leaf = story.session.certificate?.leaf
    let address = (story.client == .toServer ? story.context.server : story.context.client).address.description
    let isOther = known.map { name in leaf.map { !$0.isFor(HostText.host(of: name.text)) } ?? false } ?? false
    let shows = leaf.map { !$0.isFor(address) && !($0.names.isEmpty && $0.addresses.isEmpty) } ?? false
    // A server that has answered with its hello had a name, or needs none: what fails then is something else.
    let alert = story.alert(TLSStory.failureCodes).flatMap { seen in
      seen.direction == story.server
        && (story.phases.serverHello == nil || seen.alert?.code == TLSAlert.unrecognizedName) ? seen : nil
    }

    var evidence = story.helloEvidence("no server_name")
    var text = "The client names no server in its hello to \(address)"
    if let known {
      text += known.answer == nil ? ", and \(known.text) in its requests" : "; DNS gave it as \(known.text)"
      if let answer = known.answer { evidence.append(Evidence(.packet(answer, nil), "DNS: \(known.text)")) }
    }
    if let leaf, isOther || shows {
      text += "; the certificate is for \(leaf.shownNames(3))"
      evidence += story.certificateEvidence("the certificate that it got")
    }
    if let alert {
      text += "; the server refuses with \(alert.words)"
      evidence.append(alert.evidence(alert.words))
    }
    let severity: Severity = alert != nil || isOther ? .error : known != nil || shows ? .warning : .note
    // Where no name is known, handshake_failure may have another reason.
    let isSure = alert == nil || known != nil || alert?.alert?.code == TLSAlert.unrecognizedName
    report(
      story.finding(
        Self.info, story.client, text + ".", severity: severity, confidence: isSure ? nil : .medium,
        cost: alert == nil ? .none : .failed(.connection),
        causedBy: alert.flatMap { AlertFatal.isFatal($0, story) ? AlertFatal.info.id : nil }, evidence
      ).on(story.context.number))
  }

  private static func isAddress(_ host: String) -> Bool { HostText.isAddress(HostText.host(of: host)) }
}
