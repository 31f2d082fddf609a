import Citation
import Events
import HTTPSemantics

/// A client that asks before it sends a body, and a proxy that answers for the server or does not ask it.
enum Proxy100ContinueSwallowed: ComparisonRule, HopPairRule {
  static let info = RuleInfo(
    id: "proxy/100-continue-swallowed", severity: .note,
    summary: "A proxy did not pass Expect: 100-continue on.",
    explanation: """
      With Expect: 100-continue a client asks whether its body is wanted before it sends it. A proxy that takes the \
      expectation out answers for the server, or lets the client wait until it gives up; the server's refusal then comes \
      after the whole body.
      """,
    evidence: "The Expect field on the client's side, and the request behind the proxy without it.",
    fix: "Proxy: pass Expect on, or answer 100 at once; client: do not wait long for it.",
    specifications: [
      Specification("RFC 9110 §10.1.1", "https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1")
    ],
    since: "0.1")

  static var standing: ComparisonStanding { .aside }

  static func judge(_ pair: ComparedPair, _ terms: ComparisonTerms, report: (Finding) -> Void) {
    guard let passage = pair.passage, !passage.isSameConnection, let outer = pair[passage.outer].record.request,
      let inner = pair[passage.outer.other].record.request, let passed = inner.head,
      let field = Evidence.field("expect", of: outer, "to the proxy"), passed.block.first("expect") == nil
    else { return }
    let interim = pair[passage.outer].record.interim.first
    var evidence = [field.from(passage.outer)]
    if let line = Evidence.startLine(inner, "behind it, without Expect") {
      evidence.append(line.from(passage.outer.other))
    }
    if let interim, let status = Evidence.status(interim, "from the proxy") {
      evidence.append(status.from(passage.outer))
    }
    report(
      pair.finding(
        info, of: passage.outer, .toServer, .notPassedOn(pair.title, outer, interim), cost: .none, fix: info.fix,
        evidence: evidence))
  }

  /// Both sides of the proxy are in one capture.
  static func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    let exchange = pair.outer.exchange
    guard let outer = exchange.request, let inner = pair.inner.exchange.request, let passed = inner.head,
      let field = Evidence.field("expect", of: outer, "to the proxy"), passed.block.first("expect") == nil
    else { return }
    let interim = exchange.interim.first
    report(
      pair.finding(
        info, .notPassedOn(exchange.title, outer, interim), cost: .none,
        evidence: [
          field, Evidence.startLine(inner, "behind it, on connection #\(pair.inner.context.number), without Expect"),
          Evidence.status(interim, "from the proxy"),
        ]))
  }
}

extension FindingMessage {
  fileprivate static func notPassedOn(_ title: String, _ request: Message, _ interim: Message?) -> Self {
    let waited = interim.flatMap { answer in request.headReleased.map { answer.first.time.since($0.time) } }
    let words = waited.map { "the proxy answered 100 after \(Wording.duration($0))" } ?? "no 100 came"
    return "\(title): Expect was not passed on; \(words)."
  }
}
