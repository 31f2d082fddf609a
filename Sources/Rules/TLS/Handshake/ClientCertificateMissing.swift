import Citation
import Events
import TLSSemantics

/// A client without the certificate that the server asked for.
enum ClientCertificateMissing: TLSRule {
  static let info = RuleInfo(
    id: "tls/client-certificate-missing", severity: .error,
    summary: "The server asked for a client certificate, got none, and refused the client.",
    explanation: """
      The server authenticates its clients by certificate (mutual TLS). The client had none to show: no certificate is \
      configured, its private key is not accessible, or none was issued by an authority that the server names. The server \
      then refuses with handshake_failure, bad_certificate or certificate_required, or inside HTTP with 400. Version, \
      suites and the server's own certificate have no part in it.
      """,
    evidence: """
      The server's CertificateRequest, the client's empty Certificate, and the alert or the answer to the first \
      request. Where that cannot be read, a single answer of 1 KiB or less behind which the server closes at once is \
      reported with low confidence. In TLS 1.3 all three are encrypted: without secrets the rule is silent.
      """,
    fix: """
      Client: configure certificate and key of an issuer that the server accepts. Server: where the certificate is \
      optional, go on without one.
      """,
    specifications: [.rfc(8446, "4.4.2.4"), .rfc(5246, "7.4.6")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let (request, empty, alert) = refusal(story) else { return judgeAnswer(story, report) }
    report(
      story.finding(
        info, story.client,
        "The server asks for a client certificate, the client sends none, and the server refuses with \(alert.words).",
        cost: .failed(.connection),
        [
          Evidence(.bytes(request, story.server), "CertificateRequest"),
          Evidence(.bytes(empty, story.client), "a Certificate message without a certificate"),
          alert.evidence(alert.words),
        ]))
  }

  /// A server that goes on without one, and refuses inside HTTP (nginx's "No required SSL certificate was sent").
  private static func judgeAnswer(_ story: TLSStory, _ report: (Finding) -> Void) {
    guard let request = story.session.certificateRequest, let empty = story.session.emptyCertificate else { return }
    if let finding = shortAnswer(story, request, empty) { return report(finding) }
    guard let refused = story.watch.asked.first?.exchange, let response = refused.response,
      statuses.contains(refused.status.code), let answer = Evidence.status(response, "the answer")
    else { return }
    report(
      story.finding(
        info, story.client,
        "The server asks for a client certificate, the client sends none, and its first request is answered with \(refused.status.code).",
        confidence: .medium, cost: .failed(.exchange), exchange: refused.number,
        [
          Evidence(.bytes(request, story.server), "CertificateRequest"),
          Evidence(.bytes(empty, story.client), "a Certificate message without a certificate"), answer,
        ]))
  }

  /// The same without keys: one short answer to the first data, and the server closes.
  private static func shortAnswer(_ story: TLSStory, _ request: ByteSpan, _ empty: ByteSpan) -> Finding? {
    let (client, server) = (story.session.sides[story.client], story.session.sides[story.server])
    guard story.isShut, story.isWhole, client.application.bursts == 1, server.application.bursts == 1,
      server.application.bytes <= shortest, let answer = server.application.first, let end = story.end, !end.isClients,
      end.packet.time.since(answer.released.time) <= prompt
    else { return nil }
    return story.finding(
      info, story.client,
      "The server asks for a client certificate, the client sends none, and the server closes right behind a first answer of \(Wording.bytes(server.application.bytes)), which may refuse it.",
      severity: .warning, confidence: .low, cost: .failed(.exchange),
      [
        Evidence(.bytes(request, story.server), "CertificateRequest"),
        Evidence(.bytes(empty, story.client), "a Certificate message without a certificate"),
        Evidence(.bytes(answer.span, story.server), "the answer"), end.evidence,
      ])
  }

  /// nginx's page that no certificate was sent has some 400 bytes with its head.
  private static let shortest: UInt64 = 1_024
  private static let prompt: Int64 = 100_000_000

  /// 495 and 496 are nginx's own.
  private static let statuses: Set<UInt16> = [400, 401, 403, 495, 496]

  /// The request, the empty answer, and the server's alert behind it.
  static func refusal(_ story: TLSStory) -> (request: ByteSpan, empty: ByteSpan, alert: SeenAlert)? {
    guard let request = story.session.certificateRequest, let empty = story.session.emptyCertificate,
      let alert = story.session.alerts.first(where: { seen in
        seen.direction == story.server && seen.span.first.number > empty.first.number
          && seen.alert.map { codes.contains($0.code) } ?? false
      })
    else { return nil }
    return (request, empty, alert)
  }

  /// handshake_failure, those about certificates, access_denied and certificate_required.
  private static let codes: Set<UInt8> = [40, 41, 42, 43, 46, 48, 49, 116]
}
