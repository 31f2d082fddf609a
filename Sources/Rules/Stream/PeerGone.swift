import Citation
import Events
import HTTPSemantics

/// A peer that is not there any more: nothing that is sent is acknowledged, or a body stops in its middle.
struct PeerGone: ConnectionRule {
  static let info = RuleInfo(
    id: "stream/peer-gone", severity: .error, confidence: .medium,
    summary: "One side vanished without closing, and the other waited for it.",
    explanation: """
      A device that lost its network, a process that hangs, a host or a box on the way that went down: no FIN and no reset \
      says so. The sender retransmits with ever longer pauses; the receiver waits in the middle of a body until \
      its own timeout resets the connection. Unlike with a box that forgets idle flows, nothing was idle before.
      """,
    evidence: """
      The first copy of the bytes and the last of at least four repetitions over five seconds, none of them acknowledged; \
      or the last bytes of a body of known length, ten seconds or more of silence in which the sender was free to send, \
      and the receiver's end of the connection. A receiver whose window was closed, and event streams, are left out.
      """,
    fix: """
      Network: find where these packets end: capture on the other side. Server or client: use TCP_USER_TIMEOUT or \
      keep-alives, so that a vanished peer is noticed sooner.
      """,
    specifications: [
      Specification("RFC 9293 §3.8.3", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.3"),
      Specification("RFC 5482", "https://www.rfc-editor.org/rfc/rfc5482"),
    ],
    thresholds: [.goneCopies, .goneTime, .goneSilence],
    causedBy: [
      "stream/silent-blackhole", "tcp/write-after-peer-fin", "tcp/mss-blackhole", "tcp/path-mtu",
      "stream/cut-at-known-timeout",
    ],
    since: "0.1")

  static var interests: EventKinds { .segment | .connectionClosed }

  private struct Ladder: Sendable {
    var range: Range<UInt64>
    var first: PacketRef
    var last: PacketRef
    var copies: UInt64
  }

  /// Of both directions: bytes that are being retransmitted, whether they were never acknowledged, and the newest
  /// acknowledgement of each side for bytes that the capture lacks.
  private struct Signs: Sendable {
    var ladders = BothDirections<Ladder?>(repeating: nil)
    var lost = BothDirections<Bool>(repeating: false)
    var unseen = BothDirections<PacketRef?>(repeating: nil)
  }

  private var signs = Rare<Signs>()
  private var isTold = false

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, head.framing == .length,
      let incomplete = response.incomplete, incomplete.cause == .fin || incomplete.cause == .reset,
      head.contentLength > response.bodyBytes, let body = response.lastBody, !context.isOneSided,
      !response.isReadByItem, let (end, first) = exchange.firstEnd
    else { return }
    // A reset ends both directions at once.
    let by = exchange.end.sides[first]?.end == .reset ? context.closing(of: exchange).by ?? first : first
    guard by == response.direction.opposite else { return }
    // Bytes that the capture lacks came until they were acknowledged.
    var last = [body, signs.copy?.unseen[by]].compactMap { $0 }.max { $0.number < $1.number } ?? body
    // What waited behind a hole is released by the end itself.
    if last.number >= end.number, let since = context.closing(of: exchange).silentSince { last = since }
    let silence = end.time.since(last.time)
    guard end.number > last.number, silence >= context.thresholds[.goneSilence], Self.wasFree(response, since: last)
    else { return }
    isTold = true
    let (sender, receiver) = (Wording.sender(response.direction), Wording.sender(by))
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): \(Wording.bytes(head.contentLength - response.bodyBytes)) before the end of the body \(sender) fell silent, and \(receiver) gave up after \(Wording.duration(silence)).",
        cost: .failed(.exchange), fix: Self.info.fix,
        evidence: [
          Evidence(.packet(last, last == body ? response.direction : by), "the last sign of the body"),
          Evidence(.packet(end, by), "\(receiver) ends the connection"),
        ]))
  }

  /// The receiver did not keep the sender from going on.
  private static func wasFree(_ response: Message, since last: PacketRef) -> Bool {
    guard let stall = response.stalls.last, stall.to.number > last.number else { return true }
    return stall.cause != .zeroWindow && stall.cause != .receiverLimited
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
      guard !seen.range.isEmpty, let earlier = seen.earlier else { return }
      signs.make(Signs())
      if signs.value.ladders[direction]?.range.lowerBound == seen.range.lowerBound {
        signs.value.ladders[direction]?.copies += 1
        signs.value.ladders[direction]?.last = seen.packet
      } else {
        signs.value.ladders[direction] = Ladder(range: seen.range, first: earlier, last: seen.packet, copies: 1)
      }
    case .neverAcknowledged:
      guard !signs.isEmpty, let ladder = signs.value.ladders[direction] else { return }
      if ladder.range.lowerBound >= seen.range.lowerBound { signs.value.lost[direction] = true }
    case .ackOfUnseen:
      signs.make(Signs())
      signs.value.unseen[direction] = seen.packet
    // The other side is there, and says so.
    case .duplicateAck, .windowUpdate, .zeroWindow, .keepAliveAck, .zeroWindowProbeAck:
      if !signs.isEmpty { signs.value.ladders[direction.opposite] = nil }
    default: break
    }
  }

  private func close(_ end: ConnectionEnd, in context: FlowContext, report: (Finding) -> Void) {
    guard !isTold, let signs = signs.copy else { return }
    for direction in Direction.allCases {
      guard let ladder = signs.ladders[direction], signs.lost[direction] || context.isOneSided,
        ladder.copies >= UInt64(max(1, context.thresholds[.goneCopies])),
        ladder.last.time.since(ladder.first.time) >= context.thresholds[.goneTime]
      else { continue }
      let lasted = ladder.last.time.since(ladder.first.time)
      report(
        Finding(
          Self.info, confidence: context.isOneSided ? .low : nil, subject: .connection(context.id),
          direction: direction.opposite,
          "\(Wording.sender(direction).atSentenceStart) sent \(Wording.bytes(UInt64(ladder.range.count))) again \(Wording.count(ladder.copies, "time")) in \(Wording.duration(lasted)), and nothing acknowledged them.",
          cost: .failed(.connection), fix: Self.info.fix,
          evidence: [
            Evidence(.packet(ladder.first, direction), "sent for the first time"),
            Evidence(.packet(ladder.last, direction), "retransmitted, the last time"),
          ]))
      return
    }
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
