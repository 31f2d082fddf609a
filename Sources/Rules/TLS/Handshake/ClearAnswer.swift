import Citation
import Events
import TLSSemantics

/// A ClientHello that is answered in another protocol.
enum ClearAnswer: TLSRule {
  static let info = RuleInfo(
    id: "tls/clear-answer", severity: .error,
    summary: "The server sent bytes that are not TLS, in answer to a ClientHello or between records.",
    explanation: """
      The client opens TLS on a port where plain HTTP, or something else, is spoken: https:// in front of a port that has \
      no TLS, a listener whose TLS was left out of its configuration, a load balancer that passes TLS through to a backend \
      that expects plain text. Clients report "wrong version number" or "record overflow", for they read the bytes as the \
      header of a record. Between records it is a program that wrote to the socket past its TLS library.
      """,
    evidence:
      "The ClientHello, and the first bytes of the server that begin no record. Both sides were captured from the beginning, without a hole. Behind close_notify anything may be said.",
    fix: """
      Client: use http:// here, or the port that speaks TLS. Server: turn TLS on for this listener. Proxy: end TLS before \
      a backend that expects plain text.
      """,
    specifications: [.rfc(8446, "5.1")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let side = story.session.sides[story.server]
    guard story.phases.clientHello != nil, side.closeNotify == nil, let start = side.opaque, start.cause == .notTLS,
      !story.context.isMidstream, !story.context.isOneSided, !side.isLost, story.isWhole(story.client)
    else { return }
    // A server that cannot read a request may answer with its page alone, as HTTP/0.9 was.
    let isHTTP = ["HTTP/1.", "<!DOCTYPE", "<html"].contains { start.excerpt.bytes.starts(with: Array($0.utf8)) }
    let hello = story.session.serverName.map { "the ClientHello for \($0)" } ?? "the ClientHello"
    report(
      story.finding(
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
          ]))
  }
}
