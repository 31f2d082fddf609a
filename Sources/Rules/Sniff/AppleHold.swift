import Citation
import Events
import HTTPSemantics

/// A response that an Apple client keeps from its app until the 512th byte of its body.
struct AppleHold: Sendable {
  static let hold = RuleInfo(
    id: "sniff/apple-512-hold", severity: .warning, confidence: .medium,
    summary: "An Apple client held the response back to guess its type.",
    explanation: """
      URLSession looks at the first 512 bytes of a text/html, text/plain or untyped body before it tells the app \
      anything: neither the response nor data. A stream whose first pieces are small seems dead until later pieces bring \
      it to 512 bytes, or until it ends; often it is the app's own timeout that ends it. The bytes are on the wire all \
      the time, so servers, proxies and other clients look innocent. Safari and web views load through the same code.
      """,
    evidence: """
      The request's User-Agent, the response's type, the packet with the first byte of the body and the one that ended \
      the wait: with byte 512, with the end of the body, or with a close. Counted is the body after chunk decoding, \
      before decompression. The hold is inferred from the client's known behaviour; nothing of it is on the wire. A \
      head whose body has not begun is not this, nor are application/json, text/event-stream, \
      application/octet-stream, or a response with X-Content-Type-Options: nosniff. That text/plain is held is known \
      from reports only, and said with less confidence. A client that closed during the wait is an error: its app never \
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

  static let latent = RuleInfo(
    id: "sniff/apple-512-latent", severity: .note, confidence: .medium,
    summary: "An Apple client would hold this response back.",
    explanation: """
      This client is none of Apple's. URLSession would have waited for 512 bytes of the body before telling its app \
      anything, because of the type, so the same server works here and seems to hang on iOS and macOS.
      """,
    evidence: """
      The client, the response's type, and how long the body stayed below 512 bytes. The wait is what an Apple client would \
      have seen, not what this one saw. A body that comes at once, however small, is not this.
      """,
    fix: "Server: send the real type, or X-Content-Type-Options: nosniff.",
    specifications: hold.specifications, thresholds: [.clientHold], since: "0.1", table: ClientHold.table)

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let held = HeldBody(exchange, .apple, atLeast: context.thresholds[.clientHold]) else { return }
    let client = exchange.request?.head.flatMap { ClientIdentity($0) }
    guard let client, client.family == .apple else { return report(latent(held, context)) }
    report(
      Finding(
        Self.hold, severity: held.isGivenUp(context) ? .error : .warning,
        confidence: held.confidence(client.isInferred ? .low : Self.confidence(held), context),
        subject: .connection(context.id),
        exchange: exchange.number, direction: held.response.direction, .held(held, by: client, context),
        cost: held.cost(context),
        fix: """
          Server: Content-Type: application/octet-stream (or application/json, whichever it is), or add \
          X-Content-Type-Options: nosniff. Last resort: pad the first write to 512 B. Retest on the device: curl, \
          Java, Python and OkHttp never hold, so they cannot show it.
          """,
        evidence: held.agent + [held.type] + held.course(context)))
  }

  /// That text/plain is held is known from reports alone.
  private static func confidence(_ held: HeldBody) -> Confidence {
    held.head.block.contentType?.essence == "text/plain" ? .low : .medium
  }

  private func latent(_ held: HeldBody, _ context: FlowContext) -> Finding {
    Finding(
      Self.latent, confidence: held.confidence(Self.confidence(held), context), subject: .connection(context.id),
      exchange: held.exchange.number, direction: held.response.direction, .latent(held, context), cost: .none,
      fix: """
        Server: Content-Type: application/octet-stream (or what it is), or add X-Content-Type-Options: nosniff, before \
        an iPhone asks.
        """,
      evidence: held.agent + [held.type] + held.course(context))
  }
}

extension FindingMessage {
  /// `URLSession reports neither the response nor data of a text/html body before its 512th byte`
  fileprivate static func held(_ held: HeldBody, by client: ClientIdentity, _ context: FlowContext) -> Self {
    let name = client.library == "Apple URLSession" ? "URLSession" : client.library
    return
      "\(name) reports neither the response nor data of \(held.body) before its 512th byte; \(held.outcome(context))."
  }

  fileprivate static func latent(_ held: HeldBody, _ context: FlowContext) -> Self {
    """
    An Apple client would report neither the response nor data of \(held.body) before its 512th byte; \
    \(held.outcome(context)).
    """
  }
}
