import Citation
import Events
import HTTPSemantics

/// `Expect: 100-continue`: a client that asks before it sends a body, and how it was answered.
struct ExpectContinue: Sendable {
  private static let specifications = [
    Specification("RFC 9110 §10.1.1", "https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1")
  ]

  static let stall = RuleInfo(
    id: "http/expect-stall", severity: .warning,
    summary: "The client waited for 100 Continue, and nobody answered.",
    explanation: """
      With Expect: 100-continue the client sends the head and holds the body until the server says go on. A server or \
      proxy that ignores the field says nothing, and the client goes on when its own timer ends: curl after 1 s, .NET \
      after 350 ms. Every such upload pays that wait, and small requests seem slower than large ones without the field.
      """,
    evidence: """
      The field, and the first packet of the body. Neither an interim nor a final response came between the two.
      """,
    fix: """
      Server or proxy: answer 100 Continue, or refuse with 417. Client: leave the field out (curl -H 'Expect:', .NET \
      ExpectContinue = false) where the server ignores it.
      """,
    specifications: specifications, thresholds: [.expectWait], since: "0.1")

  static let late = RuleInfo(
    id: "http/expect-100-late", severity: .note,
    summary: "The interim 100 Continue came after the body had begun.",
    explanation: """
      The client had stopped waiting and was sending already. Harmless to a client that reads interim responses at any \
      time; one that looks for a 100 only before the body takes it for the answer.
      """,
    evidence: "The first packet of the body, and the 100 that came after it.",
    fix: "Server or proxy: send 100 Continue as soon as the head is read, before anything that takes time.",
    specifications: specifications, since: "0.1")

  static let refused = RuleInfo(
    id: "http/expect-final-then-body", severity: .warning,
    summary: "The client sent its body although the server had answered already.",
    explanation: """
      The client asked whether to send the body, and got a final response instead of 100 Continue. The body it then sends \
      is thrown away; worse, a server that does not read it takes its bytes for the next request.
      """,
    evidence: "The final response, and the first packet of the body after it.",
    fix: """
      Client: on a final response do not send the body; close the connection, or send the body whole where it must stay \
      open. Server: close after such an answer, or read what was announced.
      """,
    specifications: specifications, thresholds: [.sameMoment], since: "0.1")

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let head = request.head, let body = request.firstBody,
      head.framing == .length || head.framing == .chunked, head.block.contains("100-continue", in: "expect"),
      let asked = request.headReleased, let field = head.block.first("expect"), request.isWhollyCaptured
    else { return }
    let expect = Evidence.field(field, head, request.direction, "the client asks before it sends the body")
    let go = exchange.interim.first { $0.status.code == 100 }
    if let go, go.first.number > body.number {
      report(
        Finding(
          Self.late, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
          """
          \(exchange.title): 100 Continue came \(Wording.duration(go.first.time.since(body.time))) after the client had \
          begun to send the body.
          """, cost: .none,
          evidence: [
            Evidence(.packet(body, request.direction), "the body begins"),
            Evidence(.packet(go.first, go.direction), "100 Continue"),
          ]))
    }
    let answer = exchange.interim.first?.first ?? exchange.response?.first
    if let answer, answer.number < body.number {
      if exchange.interim.isEmpty { judgeRefused(exchange, request, answer, body, context, report) }
      return
    }
    let wait = body.time.since(asked.time)
    guard wait >= context.thresholds[.expectWait] else { return }
    report(
      Finding(
        Self.stall, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        .stalled(exchange, wait), cost: .delay(nanoseconds: wait),
        fix: "Server or proxy: answer Expect with 100 or 417. Client: leave Expect out (curl -H 'Expect:').",
        evidence: [expect, Evidence(.packet(body, request.direction), "the body begins, with no answer before it")]))
  }

  private func judgeRefused(
    _ exchange: ExchangeRecord, _ request: Message, _ answer: PacketRef, _ body: PacketRef, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    // Within a round trip the client may not have known the answer.
    guard let response = exchange.response, body.time.since(answer.time) > context.roundTrip.total ?? 0 else { return }
    report(
      Finding(
        Self.refused, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): the answer came before the body, and the client sent \(Wording.bytes(request.bodyBytes)) after it.",
        cost: exchange.status.isError ? .lost(bytes: request.bodyBytes) : .none,
        fix: "Client: do not send the body after a final answer.",
        evidence: [
          Evidence(.packet(answer, response.direction), "the final answer, with no 100 before it"),
          Evidence(.packet(body, request.direction), "the body begins all the same"),
        ]))
  }
}

extension FindingMessage {
  fileprivate static func stalled(_ exchange: ExchangeRecord, _ wait: Int64) -> Self {
    let isCurl = exchange.clientAgent?.hasPrefix("curl/") == true && (900_000_000...1_100_000_000).contains(wait)
    return """
      \(exchange.title): the client asked with Expect: 100-continue, heard nothing, and sent the body \
      \(Wording.duration(wait)) later\(isCurl ? "; curl waits 1 s" : "").
      """
  }
}
