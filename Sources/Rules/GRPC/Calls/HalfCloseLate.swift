import Citation
import Events

/// A request that goes on for no reason.
enum HalfCloseLate: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/half-close-late", severity: .warning,
    summary: "A client ended a request of one message long after the message.",
    explanation: """
      A server answers a unary call when the request has ended. A client that leaves its side open, because it treats \
      the call as a stream and closes it late, makes each call as slow.
      """,
    evidence: "The message, END_STREAM behind it, and the response that came at once then.",
    fix: "Client: end the request together with its last message.",
    specifications: [.grpcProtocol], thresholds: [.halfClose], since: "0.1")

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let messages = call.exchange.grpc?.sides[call.request.direction], messages.messages == 1,
      let message = messages.last, call.request.isComplete, let end = call.request.end?.released,
      let answer = call.response?.first
    else { return }
    let wait = end.time.since(message.time)
    let reaction = answer.time.since(end.time)
    let prompt = max(100_000_000, 2 &* (context.roundTrip.total ?? 0))
    guard wait >= context.thresholds[.halfClose], 0...prompt ~= reaction else { return }
    report(
      finding(
        call, context, .toServer,
        "the client ended the request \(Wording.duration(wait)) after its only message, and the response came \(Wording.duration(reaction)) later",
        cost: .delay(nanoseconds: wait),
        [
          Evidence(.packet(message, .toServer), "the message"), Evidence(.packet(end, .toServer), "END_STREAM"),
          Evidence(.packet(answer, .toClient), "the response"),
        ]))
  }
}

extension Threshold {
  static let halfClose = Threshold(
    "grpc.half-close", .nanoseconds, 1_000_000_000, "a request of one message that is left open for longer waits")
}
