import Citation
import Events

/// A SYN was answered by a RST: nothing listens there, or a firewall on the way rejects it.
///
/// Reported when the connection is over: a server that answers after all makes the RST a stray or forged one.
struct ConnectRefused: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/connect-refused", severity: .error,
    summary: "The connection was refused.",
    explanation: """
      The client sent a SYN and got a reset instead of a SYN-ACK. No application ever saw the attempt, so server logs \
      are silent; the client's library reports "connection refused" (ECONNREFUSED) and may go on to another address of \
      the same name, which costs it the round trip shown.
      """,
    evidence: """
      The SYN and the RST that acknowledges it. A refusal from the server itself takes a full round trip; one that \
      comes much faster than other traffic to that address comes from a firewall on the way. A SYN without any answer \
      does not count.
      """,
    fix: """
      Server: start the service, or let it listen on this address and port (a service bound to 127.0.0.1 or to IPv4 \
      only refuses all others). Network: a firewall that rejects with a reset looks the same; capture on the server to \
      see whether the SYN arrives.
      """,
    specifications: [
      Specification("RFC 9293 §3.5.2", "https://www.rfc-editor.org/rfc/rfc9293#section-3.5.2")
    ],
    since: "0.1")
  static var interests: EventKinds { .segment | .handshake | .connectionClosed }

  private var refusal: TCPObservation?

  /// The last SYN retransmitted before the answer.
  private var retry: PacketRef?

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen) where seen.kind == .synRetry && seen.direction == .toServer: retry = seen.packet
    case .segment(let seen) where seen.kind == .refused: refusal = refusal ?? seen
    case .segment(let seen) where seen.kind == .synAck: refusal = nil
    case .connectionClosed:
      if let refusal { report(finding(refusal, context)) }
    default: break
    }
  }

  private func finding(_ refusal: TCPObservation, _ context: FlowContext) -> Finding {
    let syn = refusal.earlier ?? context.firstPacket
    let retry = retry.flatMap { $0.number < refusal.packet.number ? $0 : nil }
    let again = retry.map { [Evidence(.packet($0, .toServer), "SYN again")] } ?? []
    return Finding(
      Self.info, subject: .connection(context.id), direction: .toClient,
      .refused(
        context.server, after: refusal.packet.time.since(syn.time),
        afterRetry: retry.map { refusal.packet.time.since($0.time) }),
      cost: .failed(.connection),
      fix: """
        Server: have the service listen on \(context.server), or point the client elsewhere. If the server never \
        sees the SYN, a firewall on the way sent the reset.
        """,
      evidence: [Evidence(.packet(syn, .toServer), "SYN")] + again
        + [Evidence(.packet(refusal.packet, .toClient), "RST that answers it")])
  }
}

extension FindingMessage {
  fileprivate static func refused(_ server: Endpoint, after delay: Int64, afterRetry: Int64?) -> Self {
    if let afterRetry {
      return """
        \(server) refused the connection: a reset came \(Wording.duration(afterRetry)) after the last SYN, \
        \(Wording.duration(delay)) after the first.
        """
    }
    return "\(server) refused the connection: a reset came \(Wording.duration(delay)) after the SYN."
  }
}
