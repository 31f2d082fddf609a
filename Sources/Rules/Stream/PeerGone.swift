import Citation
import Events
import HTTPSemantics

/// A peer that is not there any more: nothing that is sent is acknowledged, or a body stops in its middle.
struct PeerGone: ConnectionRule {
  static let info = RuleInfo(
    id: "stream/peer-gone", severity: .error, confidence: .medium,
    summary: "One side vanished or fell silent without closing, and the other waited for it.",
    explanation: """
      A device that lost its network, a process that hangs, a host or a box on the way that went down: no FIN and no reset \
      says so. The sender retransmits with ever longer pauses; the receiver waits in the middle of a body until \
      its own timeout ends the connection or the stream. Unlike with a box that forgets idle flows, nothing was idle before.
      """,
    evidence: """
      The first copy of the bytes and the last of at least four repetitions over five seconds (three, of a client's first \
      bytes), none of them acknowledged; \
      where they were, and are repeated all the same, packets are lost in one direction only. Or the last bytes of a body \
      of known length, ten seconds or more of silence in which the sender was free to send, and the receiver's end of the \
      connection or of the stream; a warning from two seconds on, where the silence is longer than all other pauses of the \
      body. Of other bodies, event streams among them, only such counts whose receiver sent its FIN \
      three times without an answer (an ICMP error that refuses these is quoted), or whose server is behind bytes that did \
      not come, as its acknowledgement shows. A receiver whose window was closed is left out.
      """,
    fix: """
      Network: find where these packets end: capture on the other side. Server or client: use TCP_USER_TIMEOUT or \
      keep-alives, so that a vanished peer is noticed sooner.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.3", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.3"),
      Specification("RFC 5482", "https://www.rfc-editor.org/rfc/rfc5482"),
    ],
    thresholds: [.goneCopies, .goneTime, .goneSilence, .downloadPause],
    causedBy: [
      "stream/silent-blackhole", "tcp/mss-blackhole", "tcp/path-mtu", "stream/cut-at-known-timeout", "tcp/host-silent",
    ],
    since: "0.1")

  static var interests: EventKinds { .segment | .connectionClosed }

  private struct Ladder: Sendable {
    var range: Range<UInt64>
    var first: PacketRef
    var last: PacketRef
    var copies: UInt64

    func isLong(_ direction: Direction, _ context: FlowContext) -> Bool {
      // Of a client's first bytes: nothing came through but the handshake, and one copy less will do.
      let isFirst = direction == .toServer && range.lowerBound == 0 && !context.isMidstream
      return copies >= UInt64(max(1, context.thresholds[.goneCopies] &- (isFirst ? 1 : 0)))
        && last.time.since(first.time) >= context.thresholds[.goneTime]
    }
  }

  /// Of both directions: bytes that are being retransmitted, whether they were never acknowledged, and the newest
  /// acknowledgement of each side for bytes that the capture lacks.
  private struct Signs: Sendable {
    var ladders = BothDirections<Ladder?>(repeating: nil)
    /// Bytes that are retransmitted although they are acknowledged.
    var spurious = BothDirections<Ladder?>(repeating: nil)
    var lost = BothDirections<Bool>(repeating: false)
    var unseen = BothDirections<PacketRef?>(repeating: nil)
    /// What the server had sent of its answer, and never came.
    var answer: LostAnswer?
    /// The first ICMP error that refused packets of each side.
    var refusals = BothDirections<PacketRef?>(repeating: nil)
    /// Copies of each side's FIN, the last of them with its packet.
    var farewells = BothDirections<(copies: UInt64, last: PacketRef)?>(repeating: nil)
  }

  /// A FIN that is sent so many times more got no answer for longer than any path is.
  private static let farewells: UInt64 = 2

  private var signs = Rare<Signs>()
  private var isTold = false

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.head != nil || response.joined != nil,
      let incomplete = response.incomplete,
      let body = response.lastBody ?? response.headReleased, !context.isOneSided, let (end, first) = exchange.firstEnd
    else { return }
    switch incomplete.cause {
    case .fin, .reset: break
    // The sender did not even answer the receiver's end.
    case .captureEnded where body.number < end.number: break
    default: return
    }
    // A reset ends both directions at once.
    let by = exchange.end.sides[first]?.end == .reset ? context.closing(of: exchange).by ?? first : first
    guard by == response.direction.opposite else { return }
    // It is not silent, and nothing of what the receiver says reaches it, or the other way round.
    if signs.copy?.ladders[response.direction].map({ $0.last.number > body.number }) ?? false { return }
    if signs.copy?.spurious[response.direction].map({ $0.isLong(response.direction, context) }) ?? false { return }
    let missing = response.isReadByItem ? nil : response.head.flatMap { Self.missing(response, $0) }
    let farewell = signs.copy?.farewells[by].flatMap { $0.copies >= Self.farewells ? $0 : nil }
    let lost = signs.copy?.answer.flatMap {
      response.direction == .toClient && $0.packet.number > body.number ? $0 : nil
    }
    guard missing != nil || farewell != nil || lost != nil else { return }
    // Bytes that the capture lacks came until they were acknowledged.
    var last = [body, signs.copy?.unseen[by]].compactMap { $0 }.max { $0.number < $1.number } ?? body
    // What waited behind a hole is released by the end itself.
    if last.number >= end.number, let since = context.closing(of: exchange).silentSince { last = since }
    let silence = end.time.since(last.time)
    let isLong = silence >= context.thresholds[.goneSilence]
    guard end.number > last.number,
      isLong || silence >= context.thresholds[.downloadPause] && Self.isLongest(silence, of: response, since: last),
      Self.wasFree(response, since: last), !Self.hadNoCredit(exchange.credit?[response.direction], silence)
    else { return }
    isTold = true
    let stop = Stop(last: last, end: end, missing: missing, farewell: farewell, lost: lost)
    report(finding(exchange, stop, isBody: last == body, by: by, isLong: isLong, context))
  }

  /// How the receiver of a body came to give it up.
  private struct Stop {
    /// The last sign of the body, and the receiver's end.
    let last: PacketRef
    let end: PacketRef
    let missing: UInt64?
    let farewell: (copies: UInt64, last: PacketRef)?
    let lost: LostAnswer?

    var silence: Int64 { end.time.since(last.time) }
  }

  private func finding(
    _ exchange: ExchangeRecord, _ stop: Stop, isBody: Bool, by: Direction, isLong: Bool, _ context: FlowContext
  ) -> Finding {
    let (sender, receiver) = (Wording.receiver(by), Wording.sender(by))
    let refusal = signs.copy?.refusals[by]
    let place = stop.missing.map { "\(Wording.bytes($0)) before the end of the body" } ?? "in the middle of the body"
    let what = stop.lost == nil ? "\(sender) fell silent" : "nothing more came from \(sender)"
    let lonely =
      stop.farewell.map {
        "; its FIN was sent \(Wording.number($0.copies + 1)) times, and \(refusal == nil ? "nothing" : "an ICMP error") answered"
      } ?? ""
    var evidence = [
      Evidence(.packet(stop.last, isBody ? by.opposite : by), "the last sign of the body"),
      Evidence(
        .packet(stop.end, by), "\(receiver) ends \(exchange.end.resetCode == nil ? "the connection" : "the stream")"),
    ]
    if let farewell = stop.farewell {
      evidence.append(Evidence(.packet(farewell.last, by), "the FIN again, the last time"))
      if let refusal { evidence.append(Evidence(.packet(refusal, nil), "the ICMP error")) }
    }
    if let lost = stop.lost { evidence.append(lost.evidence) }
    let fix =
      stop.lost != nil
      ? LostAnswer.fix : stop.farewell == nil ? Self.stoppedFix : refusal == nil ? Self.info.fix : Self.refusedFix
    return Finding(
      Self.info, severity: isLong || stop.lost != nil ? nil : .warning, subject: .connection(context.id),
      exchange: exchange.number, direction: by.opposite,
      "\(exchange.title): \(place) \(what), and \(receiver) gave up after \(Wording.duration(stop.silence))\(lonely)\(stop.lost.map { "; \($0.words)" } ?? "").",
      cost: .failed(.exchange), fix: fix, evidence: evidence)
  }

  private static let refusedFix = """
    Network: find the host that sent the ICMP error: from then on its firewall rejects this connection, or it has no route \
    to the address.
    """

  private static let answeredFix = """
    Network: find what was down until the reset came (a link, a route, a firewall, the host itself). Client or server: \
    repeat what is safe to repeat.
    """

  private static let stoppedFix = """
    Server or proxy: find what gave the body no bytes from then on (its log, its upstream's, the disk). Capture beside it: \
    packets that were lost on the way from it look the same here.
    """

  /// Longer than all other pauses of the body together: a sender that sends by the clock pauses often.
  private static func isLongest(_ silence: Int64, of response: Message, since last: PacketRef) -> Bool {
    let own = response.stalls.last.flatMap { $0.to.number > last.number ? $0.nanoseconds : nil } ?? 0
    return silence > response.silence.total &- own
  }

  /// What the body lacks of the length that was announced.
  private static func missing(_ response: Message, _ head: MessageHead) -> UInt64? {
    let length: UInt64?
    switch head.framing {
    case .length: length = head.contentLength
    // A body of HTTP/2 ends with its stream.
    case .stream: length = head.block.number("content-length")
    default: length = nil
    }
    return length.flatMap { $0 > response.bodyBytes ? $0 - response.bodyBytes : nil }
  }

  /// The receiver did not keep the sender from going on.
  private static func wasFree(_ response: Message, since last: PacketRef) -> Bool {
    guard let stall = response.stalls.last, stall.to.number > last.number else { return true }
    switch stall.cause {
    case .zeroWindow, .receiverLimited, .streamWindow, .connectionWindow, .peerStreams: return false
    default: return true
    }
  }

  /// The receiver's windows of HTTP/2 kept the sender from going on for most of the silence.
  private static func hadNoCredit(_ credit: CreditRecord?, _ silence: Int64) -> Bool {
    guard let credit else { return false }
    return credit.stalls.contains { !$0.isOver } || credit.blocked &+ credit.blockedByConnection >= silence / 2
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .segment(let seen): observe(seen)
    case .connectionClosed(let end): close(end, in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation) {
    let direction = seen.direction
    switch seen.kind {
    case .retransmissionTimeout, .retransmission, .retransmissionFast:
      guard !seen.range.isEmpty else { return noteFarewell(seen) }
      guard let earlier = seen.earlier else { return }
      signs.make(Signs())
      Self.climb(&signs.value.ladders[direction], seen, earlier)
    case .retransmissionSpurious:
      guard !seen.range.isEmpty, let earlier = seen.earlier else { return }
      signs.make(Signs())
      Self.climb(&signs.value.spurious[direction], seen, earlier)
    case .neverAcknowledged:
      guard !signs.isEmpty, let ladder = signs.value.ladders[direction] else { return }
      if ladder.range.lowerBound >= seen.range.lowerBound { signs.value.lost[direction] = true }
    case .ackOfUnseen:
      signs.make(Signs())
      signs.value.unseen[direction] = seen.packet
    // The other side is there, and says so.
    case .duplicateAck, .windowUpdate, .zeroWindow, .keepAliveAck, .zeroWindowProbeAck:
      if !signs.isEmpty { signs.value.ladders[direction.opposite] = nil }
    case .sentUnseen:
      signs.make(Signs())
      signs.value.answer = LostAnswer(seen) ?? signs.value.answer
    case .icmpError where !seen.isTooLargeForPath:
      signs.make(Signs())
      signs.value.refusals[direction] = signs.value.refusals[direction] ?? seen.packet
    default: break
    }
  }

  private static func climb(_ ladder: inout Ladder?, _ seen: TCPObservation, _ earlier: PacketRef) {
    if ladder?.range.lowerBound == seen.range.lowerBound {
      ladder?.copies += 1
      ladder?.last = seen.packet
    } else {
      ladder = Ladder(range: seen.range, first: earlier, last: seen.packet, copies: 1)
    }
  }

  /// A copy of a FIN, behind all data.
  private mutating func noteFarewell(_ seen: TCPObservation) {
    signs.make(Signs())
    signs.value.farewells[seen.direction] = ((signs.value.farewells[seen.direction]?.copies ?? 0) + 1, seen.packet)
  }

  private func close(_ end: ConnectionEnd, in context: FlowContext, report: (Finding) -> Void) {
    guard !isTold, let signs = signs.copy else { return }
    for direction in Direction.allCases {
      if let ladder = signs.spurious[direction], ladder.isLong(direction, context) {
        return report(finding(ladder, direction, isAcknowledged: true, end, context))
      }
      if let ladder = signs.ladders[direction], signs.lost[direction] || context.isOneSided,
        ladder.isLong(direction, context)
      {
        return report(finding(ladder, direction, isAcknowledged: false, end, context))
      }
    }
  }

  private func finding(
    _ ladder: Ladder, _ direction: Direction, isAcknowledged: Bool, _ end: ConnectionEnd, _ context: FlowContext
  ) -> Finding {
    let (sender, receiver) = (Wording.sender(direction), Wording.receiver(direction))
    let lasted = Wording.duration(ladder.last.time.since(ladder.first.time))
    // The receiver's end, which acknowledges nothing of them. A reset behind the last copy may answer it.
    let close = context.closedAt.flatMap { at in
      !isAcknowledged && context.closedBy == direction.opposite && at.number > ladder.first.number ? at : nil
    }
    let isAnswer = close.map { end.kind == .reset && $0.number > ladder.last.number } ?? false
    let what =
      "\(sender.atSentenceStart) sent \(Wording.bytes(UInt64(ladder.range.count))) again \(Wording.count(ladder.copies, "time")) in \(lasted)"
    let outcome =
      isAcknowledged
      ? ", although \(receiver) had acknowledged them: its packets do not reach \(sender)"
      : close == nil
        ? ", and nothing acknowledged them"
        : isAnswer
          ? ", and nothing answered until \(receiver) sent a reset"
          : ", and nothing acknowledged them, although packets of \(receiver) came: the path is broken in one direction"
    var evidence = [
      Evidence(.packet(ladder.first, direction), "sent for the first time"),
      Evidence(.packet(ladder.last, direction), "retransmitted, the last time"),
    ]
    if let close {
      evidence.append(
        Evidence(.packet(close, direction.opposite), isAnswer ? "the reset" : "a packet of \(receiver) in the meantime")
      )
    }
    let refusal = signs.copy?.refusals[direction]
    if let refusal { evidence.append(Evidence(.packet(refusal, nil), "an ICMP error answers it")) }
    return Finding(
      Self.info, confidence: context.isOneSided ? .low : nil, subject: .connection(context.id),
      direction: direction.opposite, "\(what)\(outcome).", cost: .failed(.connection),
      fix: refusal != nil ? Self.refusedFix : isAnswer ? Self.answeredFix : Self.info.fix, evidence: evidence)
  }
}

extension Threshold {
  static let goneCopies = Threshold("stream.gone-copies", .count, 4, "repetitions that nothing acknowledged")
  static let goneTime = Threshold(
    "stream.gone-time", .nanoseconds, 5_000_000_000, "and they went on for this long")
  static let goneSilence = Threshold(
    "stream.gone-silence", .nanoseconds, 10_000_000_000, "a body that stands still this long before its receiver leaves"
  )
}
