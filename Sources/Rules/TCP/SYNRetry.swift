import Citation
import Events

/// A client that had to retransmit its SYN.
enum SYNRetry: OpeningRule {
  static let info = RuleInfo(
    id: "tcp/syn-retry", severity: .warning,
    summary: "The client had to retransmit its SYN.",
    explanation: """
      A SYN without an answer is retransmitted after a second, then after two more, four more and so on. One retry is \
      a lost packet, or a server whose listen queue was full and that dropped the SYN silently; none answered is a \
      filter that drops, a wrong address or a dead host. No application notices more than a connect that takes exactly \
      1, 3 or 7 s longer than usual, or times out.
      """,
    evidence: """
      The first SYN, the last one, and the answer where there was one; also an answer that came before the last SYN and \
      was lost between this capture point and the client, unless the client's first ACK echoes its clock. An answer that \
      echoes the clock of the first SYN says that this had arrived. A SYN captured twice is not a retry; nor is one that \
      was refused.
      """,
    fix: """
      Network: look for a firewall that drops instead of rejecting. Server: look for listen queue overflows (nstat \
      TcpExtListenOverflows, ss -lnt) and raise the backlog; capture there to see whether the SYN arrives.
      """,
    specifications: [
      Specification("RFC 6298 §5", "https://www.rfc-editor.org/rfc/rfc6298#section-5"),
      Specification("RFC 9293 §3.8.3", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.3"),
    ],
    thresholds: [.synRetry], causedBy: ["tcp/host-silent"], since: "0.1")

  static func tells(_ opening: ConnectionOpening, _ end: ConnectionEnd, _ thresholds: Thresholds) -> Bool {
    guard opening.synCount > 1 else { return false }
    // Answered, and not as the client wished: the SYN was not lost.
    if opening.challenge != nil { return false }
    if let refusal = opening.refusal, refusal.number < opening.lastSyn.number { return false }
    // A refusal is reported as such; data without a SYN-ACK is a capture that lacks one side.
    if opening.answer == nil, end.kind == .reset || opening.isUsed { return false }
    // A SYN recorded at two points of the path comes twice within a few milliseconds; no system retries so soon.
    return opening.lastSyn.time.since(opening.syn.time) >= thresholds[.synRetry]
  }

  static func judge(_ end: ConnectionEnd, in context: FlowContext, report: (Finding) -> Void) {
    guard let opening = context.opening, tells(opening, end, context.thresholds) else { return }
    let waited = opening.lastSyn.time.since(opening.syn.time)
    let repeats = Wording.count(opening.synCount - 1, "time")
    // Answered before the SYN was retransmitted: then the answer got lost behind this point.
    let early = opening.firstAnswer.flatMap { $0.number < opening.lastSyn.number ? $0 : nil }
    let lost = opening.isFirstAnswerTaken ? nil : early
    var evidence = [Evidence(.packet(opening.syn, .toServer), "SYN")]
    if let early {
      let how = lost == nil ? "arrives late" : "does not arrive"
      evidence.append(Evidence(.packet(early, .toClient), "SYN-ACK, which \(how)"))
    }
    evidence.append(Evidence(.packet(opening.lastSyn, .toServer), "SYN again"))
    if let icmp = opening.unreachable { evidence.append(Evidence(.packet(icmp, nil), "an ICMP error")) }
    if let answer = opening.answer, answer != early { evidence.append(Evidence(.packet(answer, .toClient), "SYN-ACK")) }
    // Both SYNs brought an answer, and these came together: packets were held, or the first answer was lost.
    let isSlow =
      lost == nil
      && opening.firstAnswer.map { first in
        opening.answer.map { first != $0 && $0.time.since(first.time) < context.thresholds[.synRetry] } ?? false
      } ?? false
    let message: FindingMessage
    if opening.isFirstAnswerTaken, let answer = opening.firstAnswer {
      message = """
        The client retransmitted its SYN to \(context.server) \(repeats) within \(Wording.duration(waited)), and took the \
        answer that the server had sent \(Wording.duration(answer.time.since(opening.syn.time))) after the first SYN: it was \
        held on the way, and not lost.
        """
    } else if opening.isFirstSynAnswered, let answer = opening.firstAnswer ?? opening.answer {
      message = """
        The client retransmitted its SYN to \(context.server) \(repeats) before it was answered, \
        \(Wording.duration(answer.time.since(opening.syn.time))) after the first SYN. The answer echoes that one: it had \
        arrived, and its answer was held or lost on the way.
        """
    } else if isSlow, let answer = opening.firstAnswer {
      message = """
        The client retransmitted its SYN to \(context.server) \(repeats) before it was answered, \
        \(Wording.duration(answer.time.since(opening.syn.time))) after the first SYN, and both SYNs were answered \
        together: the path held packets, or lost the first answer.
        """
    } else if let lost {
      message = """
        The client retransmitted its SYN to \(context.server) \(repeats) within \(Wording.duration(waited)), although \
        the server had answered \(Wording.duration(lost.time.since(opening.syn.time))) after the first SYN: the answer \
        was lost.
        """
    } else if let answer = opening.answer {
      message = """
        The client retransmitted its SYN to \(context.server) \(repeats) before it was answered, \
        \(Wording.duration(answer.time.since(opening.syn.time))) after the first SYN.
        """
    } else if opening.unreachable != nil {
      message = """
        The client retransmitted its SYN to \(context.server) \(repeats) within \(Wording.duration(waited)), and an ICMP \
        error says that it cannot be reached.
        """
    } else {
      message = """
        The client retransmitted its SYN to \(context.server) \(repeats) within \(Wording.duration(waited)), and got \
        no answer.
        """
    }
    report(
      Finding(
        info, confidence: opening.answer == nil ? .medium : nil, subject: .connection(context.id), direction: .toServer,
        message,
        cost: opening.answer == nil ? .failed(.connection) : .delay(nanoseconds: waited),
        fix: fix(
          opening, isSlow: isSlow || opening.isFirstAnswerTaken || opening.isFirstSynAnswered, isLost: lost != nil,
          context.server),
        evidence: evidence
      ).on(context.number))
  }
}

extension SYNRetry {
  private static func fix(_ opening: ConnectionOpening, isSlow: Bool, isLost: Bool, _ server: Endpoint) -> String {
    if opening.answer == nil, opening.unreachable != nil {
      return
        "Network: the sender of the ICMP error refuses or cannot route \(server): a filter, a route, a host that is down."
    }
    if opening.answer == nil {
      return """
        Network: find out what drops the SYN for \(server): a filter on the way, or a host that is gone. Server: where it \
        answers others meanwhile, its listen queue is full (nstat TcpExtListenOverflows).
        """
    }
    if isLost {
      return "Network: find where the answer of \(server) was lost on its way to the client: capture there, too."
    }
    if isSlow {
      return "Network: find what holds or loses packets to \(server): a full queue, a radio link, a satellite."
    }
    return info.fix
  }
}

extension Threshold {
  static let synRetry = Threshold(
    "tcp.syn-retry", .nanoseconds, 200_000_000, "a SYN this soon after the first is the same one, captured twice")
}
