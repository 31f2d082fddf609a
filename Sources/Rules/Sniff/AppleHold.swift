import Events
import HTTPSemantics
import Trace

/// A response that an Apple client keeps from its app until the 512th byte of its body.
struct AppleHold: Sendable {
  static let hold = RuleInfo(
    id: "sniff/apple-512-hold", severity: .warning, confidence: .medium,
    summary: "An Apple client held the response back to guess its type.",
    explanation: """
      URLSession looks at the first 512 bytes of a text/html, text/plain or untyped body before it tells the app \
      anything: neither the response nor data. A stream whose first pieces are small seems dead until later pieces bring \
      it to 512 bytes, or until it ends. The bytes are on the wire all the time, so servers, proxies and other clients \
      look innocent.
      """,
    evidence: """
      The request's User-Agent, the response's type, the first byte of the body and the byte that ended the wait. The \
      hold is inferred from the client's known behaviour; nothing of it is on the wire. Types such as \
      application/json, and X-Content-Type-Options: nosniff, are not held.
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
    thresholds: [.clientHold], since: "0.1")

  static let latent = RuleInfo(
    id: "sniff/apple-512-latent", severity: .note, confidence: .medium,
    summary: "An Apple client would hold this response back.",
    explanation: """
      This client took the response as it came. URLSession would have waited for 512 bytes of the body before telling \
      its app anything, because of the type, so the same server works here and seems to hang on iOS and macOS.
      """,
    evidence: "The response's type, and how long the body stayed below 512 bytes.",
    fix: "Server: send the real type, or X-Content-Type-Options: nosniff.",
    specifications: hold.specifications, thresholds: [.clientHold], since: "0.1")

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, let first = response.firstBody,
      ClientHold.apple.applies(to: head)
    else { return }
    let until = response.reached(ClientHold.apple.bytes) ?? response.last
    let held = until.time.since(first.time)
    guard held >= context.thresholds[.clientHold] else { return }
    let isApple = ClientHold.isApple(exchange.request?.head)
    report(
      Finding(
        isApple ? Self.hold : Self.latent, subject: .connection(context.id), exchange: exchange.number,
        direction: response.direction, .held(held, response, isApple: isApple),
        cost: isApple ? .delay(nanoseconds: held) : .none,
        fix: """
          Server: Content-Type: application/octet-stream (or what it is), or add X-Content-Type-Options: nosniff. Last \
          resort: pad the first write to 512 B. Retest on the device: curl never holds.
          """,
        evidence: evidence(exchange, head, response, first, until)))
  }

  private func evidence(
    _ exchange: ExchangeRecord, _ head: MessageHead, _ response: Message, _ first: PacketRef, _ until: PacketRef
  ) -> [Evidence] {
    var evidence: [Evidence] = []
    if let request = exchange.request?.head, let agent = request.block.first("user-agent") {
      evidence.append(.field(agent, request, exchange.request?.direction ?? .toServer, "the client"))
    }
    if let type = head.block.first("content-type") {
      evidence.append(.field(type, head, response.direction, "a type that is sniffed, and no nosniff"))
    } else {
      evidence.append(Evidence(.packet(head.span.first, response.direction), "no Content-Type, and no nosniff"))
    }
    evidence.append(Evidence(.packet(first, response.direction), "brings the first byte of the body"))
    let isReached = response.reached(ClientHold.apple.bytes) != nil
    evidence.append(
      Evidence(
        .packet(until, response.direction), isReached ? "brings byte 512" : "the end: 512 bytes were never reached"))
    return evidence
  }
}

extension FindingMessage {
  fileprivate static func held(_ nanoseconds: Int64, _ response: Message, isApple: Bool) -> Self {
    let reached = response.reached(ClientHold.apple.bytes) != nil
    let what =
      reached
      ? "its body needed \(Wording.duration(nanoseconds)) from the first byte to the 512th"
      : "its body of \(Wording.bytes(response.bodyBytes)) never reached 512, and ended \(Wording.duration(nanoseconds)) after the first byte"
    return isApple
      ? "The app hears nothing of this response before the 512th byte; \(what)."
      : "URLSession would keep this response from its app until the 512th byte; \(what)."
  }
}
