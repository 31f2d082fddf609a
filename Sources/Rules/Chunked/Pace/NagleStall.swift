import Citation
import Events
import HTTPSemantics

/// Writes of chunked messages that waited for a delayed acknowledgement, over a whole connection.
struct NagleStall: ConnectionRule {
  static let info = RuleInfo(
    id: "chunked/nagle-stall", severity: .warning, confidence: .medium,
    summary: "Chunks wait for delayed acknowledgements.",
    explanation: """
      Nagle's algorithm holds a small segment back while an earlier one is not acknowledged, and the receiver delays its \
      acknowledgement in the hope of something to send with it: 40 ms on Linux, up to 200 ms elsewhere. A sender that \
      writes head and chunk, or a chunk's pieces, one after the other waits for it each time. Nothing is slow, and every \
      message is late by the same amount.
      """,
    evidence: """
      A small segment, its acknowledgement 35 to 220 ms later, and the next small segment right behind that. That the \
      sender had it ready and waited is inferred from how closely it follows; one at least is quoted in full, and the \
      rest by the segment that was late. Waits in which bytes were lost are the network's, and are not counted.
      """,
    fix: """
      Sender: set TCP_NODELAY, or write head and chunk in one call. Many HTTP servers have it on by default; raw \
      sockets, old frameworks and some proxies do not.
      """,
    specifications: [
      Specification("RFC 1122 §4.2.3.4", "https://www.rfc-editor.org/rfc/rfc1122#section-4.2.3.4"),
      Specification("RFC 9293 §3.7.4", "https://www.rfc-editor.org/rfc/rfc9293#section-3.7.4"),
    ],
    thresholds: [.nagleStalls], causedBy: ["chunked/write-splitting"], since: "0.1")

  static var interests: EventKinds { .segment | .connectionClosed }

  private static let quoted = 3

  private struct Stalls: Sendable {
    var count: UInt64 = 0
    var nanoseconds: Int64 = 0
    var first: [HeldWrite] = []
  }

  private var stalls = BothDirections(repeating: Stalls())
  private var losses = SeenLosses()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let request = exchange.request, !request.heldWrites.isEmpty { add(request, context) }
    if let response = exchange.response, !response.heldWrites.isEmpty { add(response, context) }
  }

  private mutating func add(_ message: Message, _ context: FlowContext) {
    for write in message.heldWrites where write.followsAcknowledgement(message.direction, context) {
      if losses.has(message.direction, from: write.before, to: write.packet) { continue }
      stalls[message.direction].count += 1
      stalls[message.direction].nanoseconds &+= write.nanoseconds
      if stalls[message.direction].first.count < Self.quoted { stalls[message.direction].first.append(write) }
    }
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if case .segment(let seen) = event { losses.note(seen) }
    guard case .connectionClosed = event else { return }
    for direction in Direction.allCases {
      let stalls = stalls[direction]
      guard stalls.count > 0, stalls.count >= UInt64(max(0, context.thresholds[.nagleStalls])),
        let first = stalls.first.first
      else { continue }
      var evidence = [
        Evidence(.packet(first.before, direction), "a small segment"),
        Evidence(.packet(first.acknowledgement, direction.opposite), "its acknowledgement"),
        Evidence(
          .packet(first.packet, direction), "the next segment, \(Wording.duration(first.nanoseconds)) after the first"),
      ]
      for write in stalls.first.dropFirst() {
        evidence.append(Evidence(.packet(write.packet, direction), "late by \(Wording.duration(write.nanoseconds))"))
      }
      var finding = Finding(
        Self.info, subject: .connection(context.id), direction: direction,
        "\(Wording.count(stalls.count, "write")) of \(Wording.sender(direction)) waited for a delayed acknowledgement, \(Wording.duration(stalls.nanoseconds / Int64(max(1, stalls.count)))) each on average.",
        cost: .delay(nanoseconds: stalls.nanoseconds),
        fix: Self.info.fix,
        evidence: evidence)
      finding.count = stalls.count
      report(finding)
    }
  }
}

extension Threshold {
  static let nagleStalls = Threshold(
    "chunked.nagle-stalls", .count, 3, "writes on a connection that waited for a delayed acknowledgement")
}

extension HeldWrite {
  /// What a sender may take between the acknowledgement and its next segment, besides the way.
  private static let slack: Int64 = 2_000_000
  /// How much longer than the way to the receiver and back a delayed acknowledgement takes.
  private static let leastDelay: Int64 = 20_000_000

  /// It came as soon after the acknowledgement as the way from the capture point to the sender and back allows: it was
  /// ready, and was held.
  func followsAcknowledgement(_ direction: Direction, _ context: FlowContext) -> Bool {
    let trip = context.roundTrip
    let (side, other) =
      direction == .toServer
      ? (trip.clientNanoseconds, trip.serverNanoseconds) : (trip.serverNanoseconds, trip.clientNanoseconds)
    guard let side else { return false }
    // No later than the way to the receiver and back, the acknowledgement was not delayed.
    let delay = acknowledgement.time.since(before.time) &- (other ?? 0)
    // Sooner than the acknowledgement can have come and the segment been back, it did not wait for it.
    return lag <= side &+ side / 4 &+ Self.slack && lag &+ Self.slack >= side &- side / 10 && delay >= Self.leastDelay
  }
}
