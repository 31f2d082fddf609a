import Citation
import Events
import HTTPSemantics

/// What a defect of a multipart message cost: the sender of a request that was refused as if it had not been
/// understood, or that was never answered. That this was the reason is inferred.
struct MultipartHarm {
  var cost = Cost.none
  var confidence = Confidence.high
  var evidence: [Evidence] = []

  static let fitting = ExchangeRecord.misunderstood.union([422])

  /// `answers` are those that the fault explains.
  init(
    _ message: Message, _ exchange: ExchangeRecord, in context: FlowContext, answers: Set<UInt16> = Self.fitting
  ) {
    guard exchange.isRequest(message) else { return }
    if answers.contains(exchange.status.code), let answer = Evidence.status(exchange.response, "the answer") {
      cost = .failed(.exchange)
      confidence = .medium
      evidence = [answer]
    } else if answers == Self.fitting, message.isComplete, let end = exchange.unansweredEnd,
      end.direction == .toClient || end.packet.time.since(message.last.time) >= context.thresholds[.multipartWait]
    {
      // A client that leaves at once had other reasons.
      cost = .failed(.exchange)
      confidence = .medium
      evidence = [Evidence(.packet(end.packet, end.direction), "the connection ends without an answer")]
    }
  }
}

extension Threshold {
  static let multipartWait = Threshold(
    "multipart.wait", .nanoseconds, 1_000_000_000, "a body whose parts are all there has its end this soon")
}
