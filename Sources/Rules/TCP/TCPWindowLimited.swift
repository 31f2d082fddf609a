import Citation
import Events

/// A sender that waits for room in the receiver's window most of the time.
struct TCPWindowLimited: ConnectionRule {
  static let info = RuleInfo(
    id: "tcp/window-limited", severity: .note, confidence: .medium,
    summary: "The receiver's window, and not the network, set the pace of a transfer.",
    explanation: """
      A receiver offers room for so many bytes; a sender that has sent them waits until some are acknowledged, a round trip \
      later. So no more than a window goes through in a round trip, however fast the network is: 64 KiB at 50 ms are \
      1.3 MB/s. Programs that set SO_RCVBUF get what they set, and switch off the system's own adjustment; without window \
      scaling nothing above 64 KiB can be offered.
      """,
    evidence: """
      The first segment after which no other full one fitted into the window, and the transfer's last: between them \
      the sender had no room for more than half of the time, three times at least. Only windows at half of the largest seen or above count: \
      a smaller one is of a receiver that does not read (tcp/zero-window). Visible where the sender's packets are \
      captured before the way, not at the receiver. Without the window scale of the handshake the rule is silent.
      """,
    fix: """
      Receiver: do not set SO_RCVBUF, or set it to bandwidth times round trip; on Linux look at net.ipv4.tcp_rmem. \
      Network: see that nothing strips the window scale option from SYNs.
      """,
    specifications: [
      Specification("RFC 7323 §2", "https://www.rfc-editor.org/rfc/rfc7323#section-2"),
      Specification("RFC 9293 §3.8.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.8.6"),
    ],
    thresholds: [.limitedTime, .limitedRoundTrip], since: "0.1")

  static var interests: EventKinds { .segment }

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .segment(let seen) = event, seen.kind == .windowLimited, let first = seen.earlier,
      let roundTrip = context.roundTrip.total,
      roundTrip >= context.thresholds[.limitedRoundTrip]
    else { return }
    let time = seen.packet.time.since(first.time)
    guard time >= context.thresholds[.limitedTime] else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), direction: seen.direction.opposite,
        """
        Most of the time \(Wording.sender(seen.direction)) waited for room in the window of \
        \(Wording.receiver(seen.direction)), at most \(Wording.bytes(seen.value)): \
        \(Wording.bytes(UInt64(seen.range.count))) in \(Wording.duration(time)), with a round trip of \
        \(Wording.duration(roundTrip)).
        """,
        cost: .none,
        evidence: [
          Evidence(.packet(first, seen.direction), "the window is full for the first time"),
          Evidence(.packet(seen.packet, seen.direction), "the last data"),
        ]))
  }
}

extension Threshold {
  static let limitedTime = Threshold(
    "tcp.window-limited", .nanoseconds, 200_000_000, "a transfer that took less was not slow")
  static let limitedRoundTrip = Threshold(
    "tcp.window-limited-round-trip", .nanoseconds, 1_000_000, "on a shorter way a small window carries enough")
}
