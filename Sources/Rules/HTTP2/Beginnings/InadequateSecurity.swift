import Citation
import Events
import HTTP2Semantics
import TLSSemantics

/// TLS that HTTP/2 does not allow.
struct InadequateSecurity: ConnectionRule {
  static let info = RuleInfo(
    id: "h2/inadequate-security", severity: .warning,
    summary: "HTTP/2 is spoken over TLS that is too weak for it.",
    explanation: """
      HTTP/2 needs TLS 1.2 at least, and there a cipher suite with an ephemeral key exchange and authenticated encryption. \
      Peers may refuse anything else with INADEQUATE_SECURITY.
      """,
    evidence: "The ServerHello, and the GOAWAY where a side refuses.",
    fix: "Server: TLS 1.3, or ECDHE suites with AES-GCM or ChaCha20.",
    specifications: [.tlsFeatures], since: "0.1")

  static var interests: EventKinds { .tls | .http2 }

  private var refusal: (frame: HTTP2Frame, by: Direction)?

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if case .http2Frame(let frame, let direction, _) = event, frame.errorCode == .inadequateSecurity {
      refusal = refusal ?? (frame, direction)
    }
    guard case .tlsClosed(let session) = event, session.applicationProtocol == "h2",
      let hello = session.hellos.server, let flaw = Self.flaw(hello)
    else { return }
    let server = session.client.opposite
    var evidence = [Evidence(.bytes(hello.span, server), "chosen: \(flaw)")]
    if let refusal { evidence.append(Evidence(.bytes(refusal.frame.span, refusal.by), refusal.frame.errorWords)) }
    report(
      Finding(
        Self.info, severity: refusal == nil ? .warning : .error, subject: .connection(context.id), direction: server,
        "HTTP/2 over \(flaw).", cost: refusal == nil ? .none : .failed(.connection), fix: Self.info.fix,
        evidence: evidence))
  }

  /// What is too weak.
  private static func flaw(_ hello: ServerHello) -> String? {
    guard hello.version.isKnown else { return nil }
    if hello.version.isOld { return hello.version.name }
    let name = hello.cipherSuite.name
    guard hello.version.name == "TLS 1.2", name.hasPrefix("TLS_") else { return nil }
    let isEphemeral = name.hasPrefix("TLS_ECDHE_") || name.hasPrefix("TLS_DHE_")
    let isAuthenticated = ["GCM", "CCM", "POLY1305"].contains { name.contains($0) }
    return isEphemeral && isAuthenticated ? nil : "\(hello.version.name) with \(name)"
  }
}

extension Specification {
  static let tlsFeatures = Specification("RFC 9113 §9.2", "https://www.rfc-editor.org/rfc/rfc9113#section-9.2")
}
