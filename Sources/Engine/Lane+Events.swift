import Citation
import Dialogues
import Events
import Reassembly
import Rules

// What the streams of a connection gave: to its dialogue, and from there to the rules and to the report.
extension Lane {
  @inline(__always)
  mutating func take(_ slot: Int, _ bytes: Span<UInt8>) {
    for index in outputs.items.indices {
      switch outputs.items[index] {
      case .data(let delivery):
        converse(delivery, slot, bytes)
        if !companions[slot].isTelling, companions[slot].wantsTurn { turn(slot) }
        if keepsTimelines { companions[slot].record(delivery) }
        if dialogues.digests, case .data(let delivery) = outputs.items[index] { digest(delivery, slot, bytes) }
      case .gap(let gap, let direction):
        if gap.cause == .holdLimit { holdLimitReached += 1 }
        companions[slot].timeline.gap(gap, direction)
        judge(.gap(gap, direction), slot)
        companions[slot].skip(gap, direction, into: &events)
        hear(slot)
      case .observation(let seen):
        companions[slot].note(seen)
        judge(.segment(seen), slot)
      case .pause(let pause): take(pause, slot)
      case .conflict(let at, let direction):
        companions[slot].timeline.conflict(outputs.conflicts[at], direction)
        judge(.overlapConflict(outputs.conflicts[at], direction), slot)
      case .end(let end, let direction, let packet):
        judge(.directionEnded(end, direction, packet), slot)
        companions[slot].end(SideEnd(end, packet), direction, into: &events)
        hear(slot)
      }
    }
  }

  mutating func take(_ pause: DeliveryPause, _ slot: Int) {
    let (others, roundTrip) = table.ask(slot) { ($0.lastGiven(pause.direction.opposite), $0.roundTrip) }
    let survived = companions[slot].hasResumption ? companions[slot].survived(on: table.connections[slot]) : 0
    companions[slot].take(pause, others: others, survived: survived, roundTrip, into: &events)
    hear(slot)
  }

  /// Hands bytes to whoever understands them.
  @inline(__always)
  mutating func converse(_ delivery: Delivery, _ slot: Int, _ window: Span<UInt8>) {
    guard companions[slot].listens else { return }
    switch delivery.source {
    case .window(let range):
      companions[slot].hear(
        CitedBytes(
          window.extracting(range), at: delivery.offset, in: delivery.packet, released: delivery.released,
          acknowledged: delivery.acknowledged),
        delivery.direction, lending: &rooms, into: &events)
    case .held(let at, let range):
      let bytes = outputs.held[at]
      companions[slot].hear(
        CitedBytes(
          bytes.span.extracting(range), at: delivery.offset, in: delivery.packet, released: delivery.released,
          isAhead: delivery.isAhead),
        delivery.direction, lending: &rooms, into: &events)
    }
    hear(slot)
  }

  /// What was said on a connection that began before the capture shows who its server is.
  mutating func turn(_ slot: Int) {
    let isTurned = table.turnRound(slot)
    if isTurned { outputs.turnRound() }
    companions[slot].resume(isTurned: isTurned, into: &events)
    hear(slot)
  }

  /// What the dialogue told: for the rules, and for the report.
  mutating func hear(_ slot: Int) {
    guard !events.isEmpty else { return }
    // What is known of the connection is the same for all that one packet made.
    var known: FlowContext?
    for index in events.indices {
      if case .moment(let entry) = events[index] {
        companions[slot].timeline.moment(entry)
        continue
      }
      if case .piece(let piece) = events[index] {
        let packet = table.connections[slot].lastPacket
        items.append(
          LaneItem(
            clock: deathTime ?? packet.time, packet: packet.number, flow: table.connections[slot].id, .piece(piece)))
        continue
      }
      let context = known ?? context(slot)
      known = context
      switch events[index] {
      case .exchange(var exchange):
        if deathTime == nil, exchange.end.cause == .connection(.evicted) { toldEarly += 1 }
        if exchange.response == nil, table.ask(slot, { $0.isOneSided }) { exchange.isResponseMissing = true }
        companions[slot].judge(exchange, in: context, selection)
        companions[slot].note(exchange)
        itemBytes += exchange.heldBytes
        let packet = table.connections[slot].lastPacket
        items.append(
          LaneItem(
            clock: deathTime ?? packet.time, packet: packet.number, flow: context.id,
            .exchange(exchange, context, endpoints.name(of: exchange))))
      case .streamBegan(let first): tell(streamFrom: first, slot, context)
      case .socketOpened(let opening):
        if opening.exchangeKey.stream == nil { tell(streamFrom: opening.response ?? .none, slot, context) }
        companions[slot].judge(events[index], in: context, selection)
      case .socketClosed(let record):
        companions[slot].judge(events[index], in: context, selection)
        companions[slot].note(record)
      case .http2Closed(let record):
        companions[slot].judge(events[index], in: context, selection)
        companions[slot].note(record)
      case .tlsClosed(let session):
        companions[slot].judge(events[index], in: context, selection)
        companions[slot].note(session)
      case .http2Frame(let frame, _, _):
        if frame.type == .settings { companions[slot].know(table.ask(slot) { $0.roundTrip }) }
        companions[slot].judge(events[index], in: context, selection)
      case .named(var answer):
        answer.client = table.ask(slot) { $0.client.address }
        items.append(
          LaneItem(
            clock: deathTime ?? answer.packet.time, packet: answer.packet.number,
            flow: FlowID(firstPacket: answer.packet.number), .named(answer)))
      default:
        guard !ConnectionRules.interests.isDisjoint(with: events[index].kind) else { continue }
        companions[slot].judge(events[index], in: context, selection)
      }
    }
    events.clear()
  }

  mutating func tell(streamFrom first: PacketRef, _ slot: Int, _ context: FlowContext) {
    let packet = table.connections[slot].lastPacket
    items.append(
      LaneItem(
        clock: deathTime ?? packet.time, packet: packet.number, flow: context.id, .streamBegan(first, context)))
  }

  mutating func digest(_ delivery: Delivery, _ slot: Int, _ window: Span<UInt8>) {
    switch delivery.source {
    case .window(let range): companions[slot].digests?[delivery.direction].update(window.extracting(range))
    case .held(let at, let range):
      let bytes = outputs.held[at]
      companions[slot].digests?[delivery.direction].update(bytes.span.extracting(range))
    }
  }

  mutating func judge(_ event: Event, _ slot: Int) {
    let kind = event.kind
    guard !ConnectionRules.interests.isDisjoint(with: kind),
      companions[slot].isJudged || EventKinds.sequels.isDisjoint(with: kind)
    else { return }
    if companions[slot].keepsPlain {
      companions[slot].tellPlain(into: &events)
      hear(slot)
    }
    companions[slot].judge(event, in: context(slot), selection)
  }

  /// Mutating, or the lane is copied.
  mutating func context(_ slot: Int) -> FlowContext {
    let thresholds = thresholds
    let isSecure = companions[slot].isSecure
    let goodbye = isSecure ? companions[slot].goodbye : nil
    let unanswered =
      companions[slot].hasResumption ? companions[slot].unanswered(on: table.connections[slot]) : nil
    return table.ask(slot) { $0.context(thresholds, unanswered, goodbye, isSecure: isSecure) }
  }
}
