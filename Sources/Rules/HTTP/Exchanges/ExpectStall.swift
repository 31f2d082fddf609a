import Citation
import Events
import HTTPSemantics

/// A client that waited for 100 Continue and timed out.
enum ExpectStall: ExchangeRule {
  static let info = RuleInfo(
    id: "http/expect-stall", severity: .warning,
    summary: "The client waited for 100 Continue, and no answer came.",
    explanation: """
      With Expect: 100-continue the client sends the head and holds the body until the server answers 100. A server or \
      proxy that ignores the field sends nothing, and the client goes on when its own timer ends: curl after 1 s, .NET \
      after 350 ms. Every such upload pays that wait, and small requests seem slower than large ones without the \
      field.
      """,
    evidence: """
      The field, and the first packet of the body. Neither an interim nor a final response came between the two.
      """,
    fix: """
      Server or proxy: answer 100 Continue, or refuse with 417. Client: leave the field out (curl -H 'Expect:', .NET \
      ExpectContinue = false) where the server ignores it.
      """,
    specifications: [.expect], thresholds: [.expectWait], since: "0.1")

  static var needs: ExchangeFacts { .expectation }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let expectation = Expectation(exchange), !expectation.isAnsweredBeforeBody else { return }
    let wait = expectation.body.time.since(expectation.asked.time)
    guard wait >= context.thresholds[.expectWait] else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        .stalled(exchange, wait), cost: .delay(nanoseconds: wait),
        fix: info.fix,
        evidence: [
          expectation.evidence,
          Evidence(
            .packet(expectation.body, expectation.request.direction), "the body begins, with no answer before it"),
        ]))
  }
}

extension Threshold {
  static let expectWait = Threshold(
    "http.expect-wait", .nanoseconds, 300_000_000, "a client waited this long for 100 Continue")
}

extension FindingMessage {
  fileprivate static func stalled(_ exchange: ExchangeRecord, _ wait: Int64) -> Self {
    let isCurl = exchange.clientAgent?.hasPrefix("curl/") == true && (900_000_000...1_100_000_000).contains(wait)
    return """
      \(exchange.title): the client asked with Expect: 100-continue, got no answer, and sent the body \
      \(Wording.duration(wait)) later\(isCurl ? "; curl waits 1 s" : "").
      """
  }
}
