import Citation
import Events
import Reassembly

/// Says why a direction was silent, from what was observed of the connection meanwhile.
///
/// Until something goes wrong it owns nothing, and it looks at nothing before a pause: what was observed since the pause
/// began is found by the numbers of packets. One thing explains a part of a pause; the rest is the sender's.
struct SilenceTracker: Sendable {
  /// Observations that are remembered, the newest: a timer's ladder is shorter.
  private static let limit = 16
  /// A part that is shorter than this, and than a twentieth of its pause, is reported with the rest.
  private static let part: Int64 = 100_000_000
  /// What follows an acknowledgement this soon had waited for it.
  private static let prompt: Int64 = 20_000_000

  private struct Shut: Sendable {
    var packet: PacketRef
    var opened: PacketRef?
  }

  private var seen: [TCPObservation] = []
  private var shut = BothDirections<Shut?>(repeating: nil)
  private var gap = BothDirections<PacketRef>(repeating: .none)
  /// The network lost the bytes, not the capture.
  private var isLostOnPath = BothDirections<Bool>(repeating: false)

  /// Whether it may explain a pause.
  static func interests(_ kind: TCPObservation.Kind) -> Bool {
    switch kind {
    case .zeroWindow, .windowUpdate, .retransmissionFast, .retransmissionTimeout, .retransmissionSpurious,
      .retransmission, .retransmissionOfUnseen, .windowFull:
      true
    default: false
    }
  }

  mutating func note(_ observation: TCPObservation) {
    switch observation.kind {
    // Windows are reported by their receiver, and are about the other direction.
    case .zeroWindow: shut[observation.direction.opposite] = Shut(packet: observation.packet)
    case .windowUpdate: shut[observation.direction.opposite]?.opened = observation.packet
    case .retransmissionFast, .retransmissionTimeout, .retransmissionSpurious, .retransmission, .retransmissionOfUnseen,
      .windowFull:
      if seen.count == Self.limit { seen.removeFirst() }
      seen.append(observation)
    default: break
    }
  }

  mutating func note(_ gap: SequenceGap, _ direction: Direction) {
    // What was cut off a packet is missing at once, and delays nothing.
    guard gap.cause != .snaplen else { return }
    self.gap[direction] = gap.packet
    isLostOnPath[direction] = gap.isLostOnPath
  }

  /// The parts of a pause, in their order.
  func parts(of pause: DeliveryPause, _ roundTrip: RoundTrip) -> [StreamPause] {
    var pause = pause
    // Beside the sender nothing is held; its system counts the packets of other connections, too.
    if roundTrip.vantage == (pause.direction == .toServer ? .client : .server) {
      (pause.unseenPackets, pause.underway) = (0, 0)
    }
    let missing = gap[pause.direction]
    if missing.number > pause.from.number, missing.number <= pause.to.number {
      var all = part(isLostOnPath[pause.direction] ? .heldUpstream : .captureLoss, pause, pause.from, pause.to)
      all.proof = [pause.from, missing] + (missing.number < pause.to.number ? [pause.to] : [])
      return [all]
    }
    guard let explained = explanation(of: pause, roundTrip.total) else { return [rest(pause, pause.from, pause.to)] }
    let least = max(Self.part, pause.nanoseconds / 20)
    var parts = [explained]
    if explained.from.time.since(pause.from.time) >= least {
      parts.insert(rest(pause, pause.from, explained.from), at: 0)
    } else {
      parts[0].from = pause.from
    }
    if pause.to.time.since(explained.to.time) >= least {
      parts.append(rest(pause, explained.to, pause.to))
    } else {
      parts[parts.count - 1].to = pause.to
    }
    // What is explained may be the short part itself.
    return explained.nanoseconds >= least ? parts : [rest(pause, pause.from, pause.to)]
  }

  /// What was nobody's fault but the sender's, as far as this point can show.
  private func rest(_ pause: DeliveryPause, _ from: PacketRef, _ to: PacketRef) -> StreamPause {
    let isWhole = from == pause.from && to == pause.to
    let underway = isWhole ? pause.underway : 0
    let isHeld = pause.unseenPackets > 0 || underway > 0
    var rest = part(isHeld ? .heldUpstream : pause.isReceiverHeard ? .senderIdle : .unknown, pause, from, to)
    if isHeld { rest.confidence = underway > 0 ? .medium : .low }
    rest.underway = underway
    rest.isAcknowledged = pause.acknowledged.number > 0
    if isWhole { rest.unseen = pause.unseenPackets }
    rest.proof = [pause.from]
    if pause.acknowledged.number > pause.from.number { rest.proof.append(pause.acknowledged) }
    rest.proof.append(pause.to)
    return rest
  }

  private func explanation(of pause: DeliveryPause, _ roundTrip: Int64?) -> StreamPause? {
    if let shut = shut[pause.direction], shut.packet.number <= pause.to.number,
      shut.opened.map({ $0.number > pause.from.number }) ?? true
    {
      return windowShut(pause, shut)
    }
    let resent = seen.filter { seen in
      seen.direction == pause.direction && seen.kind != .windowFull && seen.packet.number > pause.from.number
        && seen.packet.number <= pause.to.number
    }
    if let last = resent.last { return retransmission(pause, resent, last) }
    return inFlight(pause, roundTrip)
  }

  private func windowShut(_ pause: DeliveryPause, _ shut: Shut) -> StreamPause {
    let from = shut.packet.number > pause.from.number ? shut.packet : pause.from
    let opened = shut.opened.flatMap { $0.number < pause.to.number ? $0 : nil }
    var part = part(.zeroWindow, pause, from, opened ?? pause.to)
    part.proof = [shut.packet, opened, pause.to].compactMap { $0 }
    return part
  }

  /// From the first copy, or from the first sign of the hole, until the bytes were there.
  private func retransmission(_ pause: DeliveryPause, _ resent: [TCPObservation], _ last: TCPObservation) -> StreamPause
  {
    var from = pause.from
    var to = pause.to
    if let since = pause.holeSince {
      // A copy before the first sign of the hole: its sender was waiting for acknowledgements already.
      let isBefore = resent.first.map { $0.packet.number < since.number } ?? false
      if since.number > from.number, !isBefore { from = since }
    } else if pause.acknowledged.number > last.packet.number {
      to = pause.acknowledged
    } else if last.kind == .retransmissionSpurious {
      to = last.packet
    }
    var part = part(.retransmission, pause, from, to)
    part.resent = last.kind
    part.proof = [from] + resent.suffix(StreamPause.proofLimit - 2).map(\.packet)
    if to.number > last.packet.number { part.proof.append(to) }
    return part
  }

  /// Bytes that were acknowledged late, and more as soon as they were.
  private func inFlight(_ pause: DeliveryPause, _ roundTrip: Int64?) -> StreamPause? {
    let acknowledged = pause.acknowledged
    guard !pause.isEnd, acknowledged.number > pause.from.number,
      pause.to.time.since(acknowledged.time) <= max(Self.prompt, roundTrip ?? 0)
    else { return nil }
    let full = seen.last { seen in
      seen.kind == .windowFull && seen.direction == pause.direction && seen.packet.number == pause.from.number
    }
    var part = part(full == nil ? .congestionLimited : .receiverLimited, pause, pause.from, acknowledged)
    if full == nil { part.confidence = .medium }
    part.proof = [pause.from, acknowledged, pause.to]
    return part
  }

  private func part(_ cause: StreamPause.Cause, _ pause: DeliveryPause, _ from: PacketRef, _ to: PacketRef)
    -> StreamPause
  {
    var part = StreamPause(cause, pause.direction, from: from, to: to)
    part.isEnd = pause.isEnd && to == pause.to
    return part
  }
}
