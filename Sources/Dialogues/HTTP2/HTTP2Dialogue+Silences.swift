import Citation
import Events

// Streams that were silent: one beside others that were not, or all of a direction at once.
extension HTTP2Dialogue {
  // MARK: One stream

  /// Before data of a stream: whether it was silent for long although its connection was not, and why.
  @inline(__always)
  mutating func tellSilence(
    _ at: Int, _ packet: PacketRef, _ bytes: UInt64, _ direction: Direction, into events: inout [Event]
  ) {
    let isRequest = isRequest(direction)
    let sum = sides[direction].note(packet, bytes, trip)
    if let before = table.streams[at].lastBody(isRequest: isRequest), packet.time.since(before.time) > 500_000_000 {
      tellSilence(at, from: before, to: packet, direction, into: &events)
    }
    table.streams[at].note(sum, direction)
  }

  @inline(never)
  private mutating func tellSilence(
    _ at: Int, from: PacketRef, to: PacketRef, _ direction: Direction, into events: inout [Event]
  ) {
    let isRequest = isRequest(direction)
    let gap = to.time.since(from.time)
    let rest = gap &- table.streams[at].explained(isRequest: isRequest)
    guard gap >= 4 &* trip, rest >= max(100_000_000, gap / 20) else { return }
    let busy = sides.read(direction, { $0.pace.sum }).since(table.streams[at].paced(direction))
    let cause: StreamPause.Cause
    if let blocked = blockedCause(at, until: to, direction, atLeast: rest / 2) {
      cause = blocked
    } else if busy.isFull(rest) {
      cause = .peerStreams
    } else {
      cause = .senderIdle
    }
    var pause = StreamPause(cause, direction, from: from, to: to)
    pause.exchange = table.streams[at].exchange.key
    pause.proof = [from, to]
    if cause == .peerStreams { pause.confidence = .medium }
    var message = pause
    // What the connection's own silence explained is counted already.
    if rest < gap { message.from = PacketRef(number: from.number, time: to.time.advanced(by: -rest)) }
    table.streams[at].take(message, isRequest: isRequest)
    events.append(.pause(pause))
  }

  /// Which window was empty for most of a stream's silence.
  private mutating func blockedCause(_ at: Int, until packet: PacketRef, _ direction: Direction, atLeast least: Int64)
    -> StreamPause.Cause?
  {
    guard isWhole else { return nil }
    let now = packet.time.nanoseconds
    sides[direction].credit.settle(at: now)
    let connection = sides.read(direction) { $0.credit.blocked(until: now) }
    let blocked = table.streams[at].blocked(direction, until: now, connection: connection)
    if blocked.connection >= max(1, least) { return .connectionWindow }
    return blocked.own >= max(1, least) ? .streamWindow : nil
  }

  // MARK: A whole direction

  func isInBody(_ direction: Direction) -> Bool {
    table.inOrder.contains { table.streams[$0].isInBody(isRequest: isRequest(direction)) }
  }

  /// The bodies of a direction that are going on, in the order of their requests.
  func openBodies(_ direction: Direction, at now: Timestamp) -> [OpenBody] {
    // A copy: to look at credit that has arrived meanwhile takes it in.
    var side = sides[direction]
    side.credit.settle(at: now.nanoseconds)
    return table.inOrder.compactMap { at in
      guard var body = table.streams[at].openBody(direction, isRequest: isRequest(direction)) else { return nil }
      body.cause = openCause(table.streams[at], body, side, direction, at: now)
      return body
    }
  }

  /// Why nothing of an open body comes: what explains most of the time since its last bytes.
  private func openCause(
    _ stream: HTTP2Stream, _ body: OpenBody, _ side: HTTP2Side, _ direction: Direction, at now: Timestamp
  ) -> StreamPause.Cause? {
    var stream = stream
    let silence = now.since(body.last.time)
    guard silence > 0 else { return nil }
    if isWhole {
      let connection = side.credit.blocked(until: now.nanoseconds)
      let blocked = stream.blocked(direction, until: now.nanoseconds, connection: connection)
      if blocked.connection >= max(1, silence / 2) { return .connectionWindow }
      if blocked.own >= max(1, silence / 2) { return .streamWindow }
    }
    return side.pace.sum.since(stream.paced(direction)).isFull(silence) ? .peerStreams : nil
  }

  /// All that were being sent stood still. The pause has the cause of all of them, where that is one, and is named after
  /// the exchange where it was one.
  mutating func take(_ pause: inout StreamPause) {
    let isRequest = isRequest(pause.direction)
    let silent = table.inOrder.filter { table.streams[$0].isInBody(isRequest: isRequest) }
    var causes: Set<StreamPause.Cause> = []
    for at in silent {
      let explained = explain(pause, at)
      causes.insert(explained.cause)
      table.streams[at].takeShared(explained, isRequest: isRequest)
    }
    if causes.count == 1, let cause = causes.first { pause.cause = cause }
    if silent.count == 1 { pause.exchange = table.streams[silent[0]].exchange.key }
  }

  /// What a silence of the whole direction was to one of its streams.
  private mutating func explain(_ pause: StreamPause, _ at: Int) -> StreamPause {
    guard pause.cause == .senderIdle || pause.cause == .unknown,
      let cause = blockedCause(at, until: pause.to, pause.direction, atLeast: pause.nanoseconds / 2)
    else { return pause }
    var explained = pause
    explained.cause = cause
    return explained
  }
}
