import Citation
import Events
import TLSSemantics

/// A ClientHello that is answered in another protocol.
///
/// Bounded: the first `limit`, and when so many clients were served in plain HTTP.
struct ClearAnswer: CaptureRule {
  static let info = RuleInfo(
    id: "tls/clear-answer", severity: .error,
    summary: "The server sent bytes that are not TLS, in answer to a ClientHello or between records.",
    explanation: """
      The client opens TLS on a port where plain HTTP, or something else, is spoken: https:// in front of a port that has \
      no TLS, a listener whose TLS was left out of its configuration, a load balancer that passes TLS through to a backend \
      that expects plain text. Clients report "wrong version number" or "record overflow", for they read the bytes as the \
      header of a record. Between records it is a program that wrote to the socket past its TLS library.
      """,
    evidence: """
      The ClientHello, and the first bytes of the server that begin no record. Both sides were captured from the beginning, \
      without a hole. Behind close_notify anything may be said. Without a cost where the same client is served in plain HTTP \
      at the same address within a second: it was trying whether there is TLS.
      """,
    fix: """
      Client: use http:// here, or the port that speaks TLS. Server: turn TLS on for this listener. Proxy: end TLS before \
      a backend that expects plain text.
      """,
    specifications: [.rfc(8446, "5.1")], thresholds: [.secondTry], since: "0.1")

  private struct Place: MixedKey {
    var client: IPAddress
    var server: Endpoint
  }

  private static let limit = 256
  private static let visitLimit = 32

  private var answers: [(place: Place, at: PacketRef, finding: Finding)] = []
  /// The first requests of connections in plain HTTP.
  private var served = BoundedTable<Place, [PacketRef]>(limit: 1_024)

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.number == 1, !context.isSecure, let asked = exchange.request?.first, exchange.response != nil else {
      return
    }
    served.update(Place(client: context.client.address, server: context.server), orMake: []) { visits in
      if visits.count == Self.visitLimit { visits.removeFirst() }
      visits.append(asked)
    }
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard answers.count < Self.limit, let story = TLSStory(event, in: context) else { return }
    let side = story.session.sides[story.server]
    guard story.phases.clientHello != nil, side.closeNotify == nil, let start = side.opaque, start.cause == .notTLS,
      !story.context.isMidstream, !story.context.isOneSided, !side.isLost, story.isWhole(story.client)
    else { return }
    let (client, server) = story.ends
    answers.append(
      (
        Place(client: client.address, server: server), start.span.first,
        Self.finding(story, side, start).on(story.context.number)
      ))
  }

  private static func finding(_ story: TLSStory, _ side: TLSSide, _ start: OpaqueStart) -> Finding {
    // A server that cannot read a request may answer with its page alone, as HTTP/0.9 was.
    let isHTTP = ["HTTP/1.", "<!DOCTYPE", "<html"].contains { start.excerpt.bytes.starts(with: Array($0.utf8)) }
    let hello = story.session.serverName.map { "the ClientHello for \($0)" } ?? "the ClientHello"
    return story.finding(
      info, story.server,
      side.counts.total > 0
        ? "Behind \(Wording.count(side.counts.total, "record")) the server sent bytes that are not TLS."
        : isHTTP
          ? "The server answered \(hello) in plain HTTP: it does not speak TLS on this port."
          : "The server answered \(hello) with bytes that are not TLS.",
      confidence: isHTTP ? nil : .medium, cost: .failed(.connection),
      story.helloEvidence("the ClientHello")
        + [
          Evidence(
            .bytes(start.span, story.server), excerpt: start.excerpt,
            side.counts.total > 0 ? "no record" : "its first bytes")
        ])
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for answer in answers {
      var finding = answer.finding
      let isServed = (served[answer.place] ?? []).contains {
        $0.number > answer.at.number && $0.time.since(answer.at.time) <= thresholds[.secondTry]
      }
      if isServed {
        finding.severity = .note
        finding.cost = .none
      }
      report(finding)
    }
    answers.removeAll()
  }
}
