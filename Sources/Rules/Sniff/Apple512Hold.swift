import Citation
import Events
import HTTPSemantics

/// A response that an Apple client keeps from its app until the 512th byte of its body.
enum Apple512Hold: HeldBodyRule {
  static let info = RuleInfo(
    id: "sniff/apple-512-hold", severity: .warning, confidence: .medium,
    summary: "An Apple client held the response back to guess its type.",
    explanation: """
      URLSession looks at the first 512 bytes of a text/html, text/plain or untyped body before it calls the app: \
      neither the response nor data. A stream whose first pieces are small seems dead until later pieces bring it to \
      512 bytes, or until it ends; often it is the app's own timeout that ends it. The bytes are on the wire all the \
      time, so servers, proxies and other clients look innocent. Safari and web views load through the same code.
      """,
    evidence: """
      The request's User-Agent, the response's type, the packet with the first byte of the body and the one that ended \
      the wait: with byte 512, with the end of the body, or with a close. Counted is the body after chunk decoding, \
      before decompression. The hold is inferred from the client's known behaviour; nothing of it is on the wire. A \
      head whose body has not begun does not count, nor are application/json, text/event-stream, \
      application/octet-stream, or a response with X-Content-Type-Options: nosniff. That text/plain is held is known \
      from reports only, so the confidence is lower. A client that closed during the wait is an error: its app never \
      learned that there was a response.
      """,
    fix: """
      Server: send the real type (application/octet-stream, application/json, text/event-stream), or \
      X-Content-Type-Options: nosniff. As a last resort make the first write 512 bytes long. Test on a device: curl, \
      OkHttp, Java and Python never hold and cannot show it.
      """,
    specifications: [
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3"),
      Specification("MIME Sniffing", "https://mimesniff.spec.whatwg.org/"),
    ],
    thresholds: [.clientHold], since: "0.1", table: ClientHold.table)

  static func judge(_ held: HeldBody, in context: FlowContext, report: (Finding) -> Void) {
    guard held.hold.family == .apple, let client = held.client, client.family == .apple else { return }
    report(
      Finding(
        info, severity: held.isGivenUp(context) ? .error : .warning,
        confidence: held.confidence(client.isInferred ? .low : held.appleConfidence, context),
        subject: .connection(context.id),
        exchange: held.exchange.number, direction: held.response.direction, .held(held, by: client, context),
        cost: held.cost(context),
        fix: info.fix,
        evidence: held.agent + [held.type] + held.course(context)))
  }
}

extension FindingMessage {
  /// `URLSession reports neither the response nor data of a text/html body before its 512th byte`
  fileprivate static func held(_ held: HeldBody, by client: ClientIdentity, _ context: FlowContext) -> Self {
    let name = client.library == "Apple URLSession" ? "URLSession" : client.library
    return
      "\(name) reports neither the response nor data of \(held.body) before its 512th byte; \(held.outcome(context))."
  }
}
