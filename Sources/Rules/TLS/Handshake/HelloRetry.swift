import Citation
import Events
import TLSSemantics

/// A ClientHello that had to be repeated.
enum HelloRetry: TLSRule {
  static let info = RuleInfo(
    id: "tls/hello-retry", severity: .warning,
    summary: "The server asks for another ClientHello, which costs a round trip.",
    explanation: """
      The client guessed in which group the server wants to agree on a key, and sent its share of that one. The server \
      wants another group: the hello goes the way a second time, on every connection. A server that wants its cookie back \
      pays the same round trip on purpose, to keep no state for a forged address.
      """,
    evidence:
      "The first ClientHello with the groups of its shares, and the HelloRetryRequest with the one that is wanted.",
    fix:
      "Client or server: prefer the same group, X25519 say; a client may send the share of the server's group at once.",
    specifications: [.rfc(8446, "4.1.4")], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let retry = story.session.hellos.retry, let hello = story.hello else { return }
    guard let wanted = retry.keyShare else {
      // Intended: the server keeps no state for clients whose address it has not seen answer.
      report(
        story.finding(
          info, story.server, "The server asks for another ClientHello with its cookie, which costs a round trip.",
          severity: .note, evidence(retry, story)))
      return
    }
    let shares = hello.keyShares.filter { !$0.rawValue.isGREASE }.map(\.name).joined(separator: ", ")
    let again = story.session.hellos.secondClient?.span.first ?? retry.span.last
    report(
      story.finding(
        info, story.server,
        "The server asks for another ClientHello: it wants \(wanted.name), and the client sent \(shares.isEmpty ? "no share" : "shares of \(shares)").",
        cost: .delay(nanoseconds: max(1, again.time.since(hello.span.first.time))), evidence(retry, story)))
  }

  private static func evidence(_ retry: ServerHello, _ story: TLSStory) -> [Evidence] {
    story.helloEvidence("the first one") + [Evidence(.bytes(retry.span, story.server), "HelloRetryRequest")]
  }
}
