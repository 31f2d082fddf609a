import Citation
import Events
import LLMSemantics

/// An answer that stops in its middle for much longer than its beat.
enum Stall: ExchangeRule {
  /// A client that leaves sooner behind the last delta may have had enough.
  private static let patience: Int64 = 2_000_000_000
  /// So many are cited.
  private static let citedLimit = 3

  static let info = RuleInfo(
    id: "llm/stall", severity: .warning,
    summary: "The tokens of an answer stopped in its middle.",
    explanation: """
      A model writes at an even beat: one delta follows another after some tens of milliseconds. A silence of seconds \
      inside an answer is seen by every reader. An idle server has its causes in the model's scheduler: other prompts are \
      being read, the request was preempted because memory for its keys and values ran out, a tool or a filter runs in \
      between. Where bytes were lost or the client's receive window was closed, the network or the client is the cause.
      """,
    evidence: """
      The delta before each silence and the one after it, or the end of a client that waited for two seconds or more. Only \
      silences of llm.stall and more that are also many times the median between two deltas count, and none of an answer \
      that comes in batches, or in which the capture lacks bytes. \
      Where at least half of the deltas that fit into the silence come at once behind it, they were held.
      """,
    fix: """
      Server: look at the scheduler at that time (preemptions, a full cache of keys and values, long prompts that are read \
      in one piece); chunked prefill and fewer requests at a time keep the beat.
      """,
    specifications: [.openAIStreaming], thresholds: [.answerStall, .answerStallFactor],
    causedBy: [
      "tcp/zero-window", "tcp/retransmission-gap", "tcp/path-stall", "tcp/host-silent", "stream/peer-gone",
      "proxy/read-timeout", "proxy/truncation-hidden", "proxy/stream-dropped",
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .stream }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let told = ToldAnswer(exchange) else { return }
    // What the server writes to a client that has left ends no silence.
    let left = exchange.firstEnd(by: .toServer, context)
    let tail = told.silence(until: left)
    guard let beat = told.beat ?? tail.flatMap(told.beat(before:)), beat > 0,
      !told.isBatched(context.thresholds[.answerBatchWait])
    else { return }
    let limit = max(
      context.thresholds[.answerStall], beat.saturatingMultiplied(by: context.thresholds[.answerStallFactor]))
    var stalls = told.answer.silences.compactMap { $0.cut(at: left) }.filter {
      $0.nanoseconds >= limit && told.cause(of: $0) != .captureLoss
    }
    if let tail, tail.nanoseconds >= max(limit, patience) { stalls.append(tail) }
    guard let worst = stalls.max(by: { $0.nanoseconds < $1.nanoseconds }) else { return }
    let cause = told.cause(of: worst)
    let course =
      stalls.count == 1
      ? "stopped for \(Wording.duration(worst.nanoseconds))"
      : "stopped \(stalls.count) times, for up to \(Wording.duration(worst.nanoseconds)),"
    let direction = told.message.direction
    let isBacklog = told.hasBacklog(behind: worst) && (cause == nil || cause == .senderIdle || cause == .unknown)
    let end =
      worst.to == left
      ? ", and the client left"
      : isBacklog
        ? "; what it writes in that time came at once behind the silence, so that it was held on the way"
        : cause.flatMap(words) ?? ""
    let evidence = stalls.prefix(Self.citedLimit).flatMap { stall in
      let later = "\(Wording.duration(stall.nanoseconds)) later"
      return [
        Evidence(.packet(stall.from, direction), "the last delta before a silence"),
        stall.to == left
          ? Evidence(.packet(stall.to, direction.opposite), "the client leaves, \(later)")
          : Evidence(.packet(stall.to, direction), "the first delta after it, \(later)"),
      ]
    }
    report(
      Finding(
        info, confidence: told.answer.hasGap || context.isMidstream ? .low : nil, subject: .connection(context.id),
        exchange: exchange.number, direction: direction,
        FindingMessage(
          "\(exchange.title): the tokens \(course) in the middle of the answer; their beat is \(Wording.duration(beat))\(end)."
        ),
        cost: .delay(nanoseconds: stalls.reduce(0) { $0 &+ $1.nanoseconds }), fix: isBacklog ? heldFix : fix(cause),
        evidence: evidence))
  }

  private static func words(_ cause: StreamPause.Cause) -> String? {
    switch cause {
    case .senderIdle: "; the server was idle"
    case .retransmission: "; bytes were lost and retransmitted"
    case .zeroWindow: "; the client's receive window was closed"
    case .receiverLimited: "; the client's receive window was full"
    case .heldUpstream: "; packets were lost or held on the way"
    case .streamWindow: "; the client gave the stream no credit"
    case .connectionWindow: "; the client gave the connection no credit"
    case .peerStreams: "; the server sent other streams"
    case .congestionLimited, .captureLoss, .unknown: nil
    }
  }

  private static let heldFix = """
    Network or proxy: find what held the bytes between the server and this point: packets that were lost and retransmitted, \
    a buffer, a process that did not get to run.
    """

  private static func fix(_ cause: StreamPause.Cause?) -> String {
    switch cause {
    case .retransmission, .heldUpstream: "Network: find the hop that loses the packets."
    case .zeroWindow, .receiverLimited, .streamWindow, .connectionWindow:
      "Client: read the answer as it comes, apart from what shows it."
    default: info.fix
    }
  }
}

extension MessageRecord.Pause {
  /// What of it is before a packet; nil where nothing is.
  fileprivate func cut(at packet: PacketRef?) -> Self? {
    guard let packet, packet.number < to.number else { return self }
    return packet.number > from.number ? Self(from: from, to: packet) : nil
  }
}

extension Threshold {
  static let answerStall = Threshold(
    "llm.stall", .nanoseconds, 1_000_000_000, "a silence inside an answer that readers notice")
  static let answerStallFactor = Threshold(
    "llm.stall-factor", .count, 10, "times the median between two deltas that a silence must have")
}
