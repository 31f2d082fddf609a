import Citation
import Events
import HTTPSemantics

/// A head that comes in many small pieces, or takes long.
enum HeadDripped: MessageRule {
  static let info = RuleInfo(
    id: "http/head-dripped", severity: .warning, confidence: .medium,
    summary: "A head was sent in many small pieces or took long to arrive.",
    explanation: """
      A head is written in one piece by nearly everything. Line by line it costs a packet for each and, with Nagle's \
      algorithm against delayed acknowledgements, up to 200 ms for each. Servers count the time: nginx gives 60 s, Node.js \
      60 s, Apache's mod_reqtimeout 20 s and 500 bytes a second, and what is slower looks like an attack (slowloris) and is \
      cut off.
      """,
    evidence: """
      The first and the last packet of the head. Packets count only where they are smaller than any usual segment. A \
      head with later bytes in earlier packets was delayed by loss, and does not count.
      """,
    fix: "Sender: format the head in a buffer and write it with one call; set TCP_NODELAY.",
    specifications: [
      Specification("RFC 9112 §2.1", "https://www.rfc-editor.org/rfc/rfc9112#section-2.1")
    ],
    thresholds: [.headTime, .headPackets], since: "0.1")

  /// No segment is smaller for want of room (RFC 9293 §3.7.1).
  private static let smallestSegment = 536

  static var needs: ExchangeFacts { [] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard exchange.isFinal(message), let head = message.head, let released = message.headReleased,
      head.span.first.number != head.span.last.number, head.span.last.number == released.number
    else { return }
    let packets = head.block.trail.packets
    let taken = released.time.since(head.span.first.time)
    let isSlow = taken > context.thresholds[.headTime]
    let isSplit =
      Int64(packets) > context.thresholds[.headPackets]
      && head.span.count < UInt64((packets - 1) * Self.smallestSegment)
    guard isSlow || isSplit, head.block.trail.isInOrder else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): a head of \(Wording.bytes(head.span.count)) came in \(Wording.count(UInt64(packets), "packet")) over \(Wording.duration(taken)).",
        cost: isSlow ? .delay(nanoseconds: taken) : .none, fix: info.fix,
        evidence: [
          Evidence(.packet(head.span.first, message.direction), "the head begins"),
          Evidence(.packet(head.span.last, message.direction), "its last byte"),
        ]))
  }
}

extension Threshold {
  static let headTime = Threshold("http.head-time", .nanoseconds, 1_000_000_000, "a head that takes longer is dripped")
  static let headPackets = Threshold("http.head-packets", .count, 3, "a short head in more packets is dripped")
}
