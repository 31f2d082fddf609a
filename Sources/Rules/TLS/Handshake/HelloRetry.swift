import Citation
import Events
import TLSSemantics

/// A ClientHello that had to be sent again.
enum HelloRetry: TLSRule {
  static let info = RuleInfo(
    id: "tls/hello-retry", severity: .warning,
    summary: "The server asks for another ClientHello, which costs a round trip.",
    explanation: """
      The client guessed in which group the server wants to agree on a key, and sent its share of that one. The server \
      wants another group, or a cookie first: the hello goes the way a second time, on every connection.
      """,
    evidence:
      "The first ClientHello with the groups of its shares, and the HelloRetryRequest with the one that is wanted.",
    fix:
      "Client or server: prefer the same group, X25519 say; a client may send the share of the server's group at once.",
    specifications: [.rfc(8446, "4.1.4")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let retry = story.session.hellos.retry, let hello = story.hello else { return }
    let shares = hello.keyShares.filter { !$0.rawValue.isGREASE }.map(\.name).joined(separator: ", ")
    let what =
      retry.keyShare.map {
        "wants \($0.name), and the client sent \(shares.isEmpty ? "no share" : "shares of \(shares)")"
      }
      ?? "wants its cookie back"
    let again = story.session.hellos.secondClient?.span.first ?? retry.span.last
    report(
      story.finding(
        info, story.server, "The server asks for another ClientHello: it \(what).",
        cost: .delay(nanoseconds: max(1, again.time.since(hello.span.first.time))),
        story.helloEvidence("the first one")
          + [Evidence(.bytes(retry.span, story.server), "HelloRetryRequest")]))
  }
}
