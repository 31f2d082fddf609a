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
      The SYN and the RST that acknowledges it, or the ICMP error that quotes it where nothing else came. A refusal from \
      the server itself takes a full round trip; one that comes much faster than other traffic to that address comes from \
      a firewall on the way. A SYN without any answer does not count. Attempts of one client, one after the other, are one \
      finding, which says whether others were accepted before or after. Connections in use that the server ended up to \
      six seconds before, or until two seconds after, are counted and stand under it: its process stopped.
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
  /// The first ICMP error about what the client sent.
  private var unreached: TCPObservation?
  /// The last SYN retransmitted before the answer.
  private var retry: PacketRef?

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen) where seen.kind == .synRetry && seen.direction == .toServer: retry = seen.packet
    case .segment(let seen) where seen.kind == .refused: refusal = refusal ?? seen
    case .segment(let seen) where seen.kind == .synAck: refusal = nil
    case .segment(let seen) where seen.kind == .icmpError && seen.direction == .toServer: unreached = unreached ?? seen
    case .connectionClosed(let end):
      if let refusal {
        report(finding(refusal, context))
      } else if let unreached, retry == nil, end.kind == .open || end.kind == .evicted, isUnanswered(context) {
        report(finding(unreachable: unreached, context))
      }
    default: break
    }
  }

  /// No SYN-ACK came; an error about a segment of an open connection says something else.
  private func isUnanswered(_ context: FlowContext) -> Bool {
    context.roundTrip.serverNanoseconds == nil && !context.isMidstream && !context.isOneSided
  }

  /// A client that asks again is another rule's: tcp/syn-retry.
  private func finding(unreachable icmp: TCPObservation, _ context: FlowContext) -> Finding {
    let syn = context.firstPacket
    return Finding(
      // A client that has a name's addresses of both kinds goes on to the other at once.
      Self.info, severity: context.server.address.isV4 ? nil : .warning, subject: .connection(context.id),
      direction: .toClient,
      "\(context.server) cannot be reached: an ICMP error (\(icmp.icmpWords)) answered the SYN after \(Wording.duration(icmp.packet.time.since(syn.time))).",
      cost: .failed(.connection),
      fix:
        "Network: find the host that sent the ICMP error: its firewall rejects this connection, or it knows no way to \(context.server).",
      evidence: [
        Evidence(.packet(syn, .toServer), "SYN"), Evidence(.packet(icmp.packet, nil), "the ICMP error that answers it"),
      ])
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

extension TCPObservation {
  /// What an ICMP error says, which quotes a segment.
  fileprivate var icmpWords: String {
    let (type, code) = (value >> 8, value & 0xFF)
    let name: String? =
      switch (type, code) {
      case (3, 0), (1, 0): "no route to the network"
      case (3, 1), (1, 3): "host unreachable"
      case (3, 3), (1, 4): "port unreachable"
      case (3, 9), (3, 10), (3, 13), (1, 1): "forbidden by an administrator"
      default: nil
      }
    return name.map { "\($0), type \(type) code \(code)" } ?? "type \(type) code \(code)"
  }
}
