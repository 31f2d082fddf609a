import Citation
import Events
import TLSSemantics

/// A certificate for other names than the requested one.
enum CertNameMismatch: TLSRule {
  static let info = RuleInfo(
    id: "tls/cert-name-mismatch", severity: .warning,
    summary: "The server shows a certificate for another name.",
    explanation: """
      A client that checks the certificate against the name that it requested ends the connection. One that goes on \
      does not check at all, or checks against a name that never was on the wire: that of the URL before it was \
      rewritten. The first is a failure, the second is either a hole or the trick that makes connections by address \
      work.
      """,
    evidence: """
      The ClientHello, the server's first certificate with its alternative names, and the client's alert where one \
      followed, or its end: some libraries (libcurl) compare names behind the handshake, and close without a word where \
      they differ. Before TLS 1.3 certificates are in the clear; from 1.3 on the secrets are needed. A certificate without \
      alternative names is taken by its common name, as old clients did.
      """,
    fix: """
      Server: serve a certificate for the name. Client: send the right server name; and where a connection goes to an \
      address on purpose, verify the certificate against the original name.
      """,
    specifications: [.rfc(9525, "6"), .rfc(9110, "4.3.4")], thresholds: [.rejectionTime], since: "0.1")

  private static let shown = 3

  /// The requested name, where the certificate is not for it.
  static func missed(_ story: TLSStory) -> String? {
    guard let leaf = story.session.certificate?.leaf, leaf.omittedNames == 0 else { return nil }
    let asked = [story.session.serverName, story.watch.asked.first?.host].compactMap { $0 }.filter { !$0.isEmpty }
    return asked.contains { leaf.isFor($0) } ? nil : asked.first
  }

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let leaf = story.session.certificate?.leaf, let name = missed(story) else { return }
    let refusal = story.session.alerts.first {
      $0.direction == story.client && $0.alert?.isAboutCertificate ?? false
    }
    // Whether that one is served otherwise is known later.
    if refusal == nil, silentEnd(story) != nil { return }
    report(finding(story, leaf, name, refusal.map { (": the client refuses it", $0.evidence($0.words), isSure: true) }))
  }

  /// Of a client that ended the connection when the handshake was over, and asked for nothing.
  static func left(_ story: TLSStory) -> (PacketRef, Finding)? {
    guard let leaf = story.session.certificate?.leaf, let name = missed(story), let (at, end) = silentEnd(story) else {
      return nil
    }
    let words = ": the client ended the connection when the handshake was over, and asked for nothing"
    return (at, finding(story, leaf, name, (words, end, isSure: false)))
  }

  private static func finding(
    _ story: TLSStory, _ leaf: CertificateSummary, _ name: String,
    _ reaction: (words: String, evidence: Evidence, isSure: Bool)?
  ) -> Finding {
    let others = leaf.shownNames(shown)
    var evidence = story.helloEvidence("asks for \(name)")
    evidence += story.certificateEvidence("a certificate for \(others)")
    if let reaction { evidence.append(reaction.evidence) }
    return story.finding(
      info, story.server,
      "The client asks for \(name), and the server's certificate is for \(others)\(reaction?.words ?? "").",
      severity: reaction == nil ? nil : .error, confidence: reaction?.isSure == false ? .medium : nil,
      cost: reaction == nil ? .none : .failed(.connection), evidence)
  }

  /// The client's close_notify or end right behind the handshake, without any data.
  private static func silentEnd(_ story: TLSStory) -> (PacketRef, Evidence)? {
    guard story.isWhole, story.session.sides[story.client].application.count == 0,
      let finished = story.phases.finished[story.client], let (end, evidence) = clientsEnd(story),
      end.number > finished.number
    else { return nil }
    let allowed = story.context.thresholds[.rejectionTime] &+ (story.context.roundTrip.total ?? 0)
    return end.time.since(finished.time) <= allowed ? (end, evidence) : nil
  }

  /// What the client ended first, if it was the client.
  private static func clientsEnd(_ story: TLSStory) -> (PacketRef, Evidence)? {
    if let close = story.session.sides[story.client].closeNotify {
      let others = story.session.sides[story.server].closeNotify
      guard others.map({ $0.number > close.number }) ?? true else { return nil }
      return (close, Evidence(.packet(close, story.client), "the client's close_notify"))
    }
    if let end = story.end { return end.isClients ? (end.packet, end.evidence) : nil }
    // Over the whole capture its segments are not watched.
    let closing = story.context.closing
    guard closing.by == story.client, let end = closing.firstEnd ?? closing.at else { return nil }
    return (end, Evidence(.packet(end, story.client), closing.isReset ? "the reset" : "the FIN"))
  }
}

extension CertificateSummary {
  /// As `covers`; with the common name where there are no alternative ones.
  func isFor(_ name: String) -> Bool {
    if covers(name: name) { return true }
    guard names.isEmpty, addresses.isEmpty, let common = subjectCommonName else { return false }
    var copy = self
    copy.names = [common]
    return copy.covers(name: name) || HostText.areSame(common, name)
  }

  func shownNames(_ limit: Int) -> String {
    var all = names + addresses.map(\.description)
    if all.isEmpty, let common = subjectCommonName { all = [common] }
    guard !all.isEmpty else { return "no name at all" }
    let more = all.count > limit ? " and \(all.count - limit) more" : ""
    return all.prefix(limit).joined(separator: ", ") + more
  }
}
