import Citation
import Decode

/// One TCP connection: both directions, how it began, what it acknowledged, how it ended.
///
/// The client is whoever sent the SYN; without one it is guessed and may be corrected by later evidence.
package struct Connection: Sendable {
  /// What the orientation rests on, weakest first.
  package enum Orientation: UInt8, Sendable, Comparable {
    case guess, content, synAck, syn
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  // In the order of how often they are asked, as in HalfConnection: the first for each packet.

  package let key: FlowKey
  package internal(set) var clientIsLower: Bool
  package internal(set) var orientation: Orientation
  package internal(set) var encapsulation: Encapsulation
  package internal(set) var isMidstream = true
  /// Something waits for what other packets say: acknowledged bytes that may still come, or padding that may be data.
  var mayHaveHoles = false
  /// Evicted for lack of memory, before its end was seen.
  package internal(set) var wasEvicted = false
  package internal(set) var lastPacket: PacketRef
  package let id: FlowID
  package internal(set) var closing = Closing()
  package internal(set) var half: BothDirections<HalfConnection>
  package internal(set) var handshake = Handshake()
  package internal(set) var firstPacket: PacketRef
  /// A fold of the link-layer source of its first packet.
  package internal(set) var linkSource: UInt32
  var heldBytes: Int { half.toServer.hold.heldBytes + half.toClient.hold.heldBytes }
  /// The same in its place, where to ask a value would copy it.
  @inline(__always)
  mutating func countHeld() -> Int { half.toServer.hold.heldBytes + half.toClient.hold.heldBytes }

  /// A connection whose first captured packet is `segment`.
  init(first segment: TCPSegment) {
    id = FlowID(firstPacket: segment.packet.number)
    key = segment.key
    firstPacket = segment.packet
    lastPacket = segment.packet
    encapsulation = segment.encapsulation
    linkSource = segment.linkSource
    half = BothDirections(repeating: HalfConnection())
    if segment.flags.contains(.syn) {
      let sentByClient = !segment.flags.contains(.ack)
      clientIsLower = segment.sentByLower == sentByClient
      orientation = sentByClient ? .syn : .synAck
    } else {
      clientIsLower = Connection.likelyClientIsLower(segment)
      orientation = .guess
    }
  }

  package var client: Endpoint { clientIsLower ? key.lower : key.upper }
  package var server: Endpoint { clientIsLower ? key.upper : key.lower }

  @inline(__always)
  package func direction(sentByLower: Bool) -> Direction {
    sentByLower == clientIsLower ? .toServer : .toClient
  }

  /// A service has the smaller port, and it is well below the ephemeral ones; between two alike, the first to speak asks.
  private static func likelyClientIsLower(_ segment: TCPSegment) -> Bool {
    guard let limit = limit(between: segment.key) else { return segment.sentByLower }
    return segment.key.upper.port < limit
  }

  /// Below which a port is a service's: most services, those of the system, and what Linux gives to no client.
  private static let services: [3 of UInt16] = [10_000, 1_024, 32_768]

  /// The first of those that lies between the two ports.
  private static func limit(between key: FlowKey) -> UInt16? {
    for index in services.indices where (key.lower.port < services[index]) != (key.upper.port < services[index]) {
      return services[index]
    }
    return nil
  }

  /// Whether its ports tell the server from the client.
  package var portsDiffer: Bool { Self.limit(between: key) != nil }

  /// Turns client and server round when later evidence contradicts a guess.
  mutating func setClient(isLower: Bool, by evidence: Orientation) {
    guard evidence > orientation else { return }
    orientation = evidence
    guard isLower != clientIsLower else { return }
    clientIsLower = isLower
    half.turnRound()
    closing.turnRound()
  }

  // MARK: Segments

  /// Takes the next segment of this connection; `window` holds the bytes its offsets point into. Answers by how much more it
  /// holds: nothing on the steady path, which does not look at what waits.
  package mutating func receive(
    _ segment: TCPSegment, _ window: Span<UInt8>, _ scene: inout StreamScene,
    into outputs: inout ReassemblyOutputs
  ) -> Int {
    lastPacket = segment.packet
    if orientation == .guess, segment.payloadLength > 0 { orient(byContentOf: segment, window) }
    if segment.flags.isPlain, !mayHaveHoles, isMidstream || handshake.isAcknowledged, closing.kind == .open,
      segment.encapsulation == encapsulation
    {
      let direction: Direction = segment.sentByLower == clientIsLower ? .toServer : .toClient
      let isExpected = half.change(from: direction) { sender, other in
        Connection.takeExpected(segment, window, &sender, &other, direction, &scene, &outputs)
      }
      if isExpected { return 0 }
    }
    let held = countHeld()
    if segment.endsInPadding(window) {
      receiveUnexpected(segment.withoutPayload, window, &scene, &outputs)
      suspectPadding(segment, scene)
    } else {
      receiveUnexpected(segment, window, &scene, &outputs)
    }
    return countHeld() - held
  }

  /// The steady path: bytes that are next, or none, with an acknowledgement of bytes that were seen. Answers false, and
  /// has changed nothing, when anything is out of the ordinary.
  @inline(__always)
  private static func takeExpected(
    _ segment: TCPSegment, _ window: Span<UInt8>, _ sender: inout HalfConnection, _ other: inout HalfConnection,
    _ direction: Direction, _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    guard let start = sender.offset(of: SequenceNumber(segment.sequence)), start == Int64(sender.next),
      !segment.endsInPadding(window), let ack = other.offset(of: SequenceNumber(segment.acknowledgment)),
      ack >= Int64(other.acked),
      ack <= Int64(other.next), other.fin == nil, segment.window != 0, !other.receiver.isZero,
      other.receiver.probe == .none, sender.hold.isEmpty, sender.fin == nil,
      segment.payloadLength > 0 ? !sender.receiver.isZero : ack > Int64(other.acked)
    else { return false }
    sender.counters.packets &+= 1
    if ack > Int64(other.acked) {
      other.acked = UInt64(ack)
      other.ackedBy = segment.packet
      other.duplicateAcks = 0
      other.suspectAck = nil
      other.receiver.isFull = false
      if other.receiver.isClosed { other.receiver.open(at: segment.packet) }
    }
    other.receiver.advertise(segment.window, isSyn: false)
    if segment.payloadLength > 0 {
      if sender.ackedBy.number > sender.lastData.number,
        sender.ackedBy.time.since(sender.lastData.time) >= HalfConnection.shortestDelay
      {
        sender.noteHeldWrite(segment, heard: other.lastData, direction, scene.history, &outputs)
      }
      sender.insert(segment, window, at: start, direction, &scene, &outputs)
      sender.noteWindowFull(segment, direction, &outputs)
      other.isAnswered = true
    }
    if segment.payloadLength == 0 { sender.recent.add(segment) }
    return true
  }

  private mutating func receiveUnexpected(
    _ segment: TCPSegment, _ window: Span<UInt8>, _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    if segment.flags.contains(.syn) { orient(by: segment) }
    let direction = direction(sentByLower: segment.sentByLower)
    half[direction].counters.packets &+= 1
    if segment.encapsulation != encapsulation { encapsulation.formUnion(segment.encapsulation) }

    if noteOlderConnection(segment, direction, &outputs) { return }
    var sequence = SequenceNumber(segment.sequence)
    if segment.flags.contains(.syn) {
      guard beginHandshake(segment, window, direction, &outputs) else { return }
      sequence = sequence.advanced(by: 1)
    }
    settlePadding(before: segment, at: sequence, direction, &scene, &outputs)
    if segment.flags.contains(.rst) {
      reset(segment, direction, &scene, &outputs)
      half[direction].recent.add(segment)
      return
    }
    if segment.flags.contains(.ack) {
      if !half.ask(direction.opposite, { $0.copy.isEmpty }) { settleCopy(segment, window, direction, &outputs) }
      if handshake.synAckCount > 1, direction == .toServer { noteEcho(segment, window) }
      acknowledge(segment, direction, &outputs)
    }
    let isEmpty = segment.payloadLength == 0
    if !isEmpty || segment.flags.contains(.fin) {
      if half.ask(direction, { $0.origin == nil }) {
        half[direction].origin = Self.isLikelyProbe(segment) ? sequence.advanced(by: 1) : sequence
      }
      if !closing.isReset {
        takeBytes(segment, window, at: sequence, direction, &scene, &outputs)
      } else if !isEmpty, !isRecordedAgain(segment, at: sequence, direction, scene.history, &outputs) {
        outputs.observe(
          TCPObservation(
            .dataAfterReset, segment.packet, direction, earlier: closing.packet, value: UInt64(segment.payloadLength)))
        if let start = half.ask(direction, { $0.offset(of: sequence) }) {
          noteDataAfterPeerFin(segment, window, at: start, direction, scene.limits, &outputs)
        }
      }
    } else if half.ask(direction, { $0.origin == nil }) {
      half[direction].origin = sequence
    } else {
      probeIfEmpty(segment, sequence, direction, &outputs)
    }
    if isEmpty { half[direction].recent.add(segment) }
    if mayHaveHoles { giveUpOldHoles(at: segment.packet, &scene, &outputs) }
  }

  /// The first that was captured of a direction: one byte, not pushed, is the keep-alive of a connection that was idle.
  /// Whoever types a byte pushes it; were it data all the same, one byte before the middle of a stream is not there.
  private static func isLikelyProbe(_ segment: TCPSegment) -> Bool {
    segment.payloadLength == 1 && segment.flags.lacks(.syn | .fin | .rst | .psh | .urg)
  }

  private mutating func takeBytes(
    _ segment: TCPSegment, _ window: Span<UInt8>, at sequence: SequenceNumber, _ direction: Direction,
    _ scene: inout StreamScene, _ outputs: inout ReassemblyOutputs
  ) {
    guard var start = half.ask(direction, { $0.offset(of: sequence) }) else { return }
    // Before the beginning is moved: a keep-alive below the first byte must not become the stream's beginning.
    if segment.payloadLength == 1,
      noteProbe(segment, window.extracting(segment.payloadRange), start, direction, scene.history, &outputs)
    {
      return
    }
    if start < 0 { start = rebase(direction, to: sequence, start, segment.payloadLength) }
    if start == 1, beganWithProbe(direction, before: sequence) { start = 0 }
    if segment.payloadLength > 0 {
      noteDataAfterPeerFin(segment, window, at: start, direction, scene.limits, &outputs)
      if start < half.ask(direction, { Int64($0.next) }) { noteCopy(segment, window, at: start, direction) }
      let needs = need(of: segment, direction)
      half[direction].insert(segment, window, at: start, needs: needs, direction, &scene, &outputs)
      half[direction].noteWindowFull(segment, direction, &outputs)
      half[direction.opposite].isAnswered = true
      if segment.flags.contains(.urg) {
        outputs.observe(TCPObservation(.urgent, segment.packet, direction, value: UInt64(segment.urgentPointer)))
      }
    }
    if segment.flags.contains(.fin) {
      let end = start &+ Int64(segment.payloadLength)
      takeFin(segment, at: end, direction, &scene, &outputs)
    }
  }

  /// A stream joined in the middle begins at the first number anything showed; earlier bytes that come late move the
  /// beginning, as long as none was delivered.
  private mutating func rebase(
    _ direction: Direction, to sequence: SequenceNumber, _ start: Int64, _ length: Int
  ) -> Int64 {
    guard isMidstream, length > 0, start > -(1 << 20),
      half.ask(direction, { $0.next == 0 && $0.hold.isEmpty && !$0.isEnded })
    else { return start }
    let shift = UInt64(-start)
    half[direction].origin = sequence
    half[direction].acked &+= shift
    half[direction].unseen = half[direction].unseen.map {
      HalfConnection.Unseen(ack: $0.ack, upTo: $0.upTo &+ shift, packetsSince: $0.packetsSince)
    }
    return 0
  }

  /// One number is missing behind the first thing that was captured of a stream joined in the middle: that was a keep-alive
  /// without bytes, which repeats the number before the next one.
  private mutating func beganWithProbe(_ direction: Direction, before sequence: SequenceNumber) -> Bool {
    guard isMidstream, half.ask(direction, { $0.next == 0 && $0.hold.isEmpty && $0.fin == nil && !$0.isEnded }) else {
      return false
    }
    half[direction].origin = sequence
    half[direction].acked -= min(1, half[direction].acked)
    half[direction].unseen = nil
    return true
  }

  // MARK: The end of the capture, or of patience

  /// Ends what is open. `packet` is the last one seen, which the ends then cite.
  package mutating func finish(
    _ end: DirectionEnd, at packet: PacketRef, _ scene: inout StreamScene, into outputs: inout ReassemblyOutputs
  ) {
    giveUpHoles(&scene, &outputs)
    for direction in Direction.allCases {
      noteNeverAcknowledged(direction, &outputs)
      half[direction].noteRun(direction, &outputs)
      half[direction].noteStall(direction, &outputs)
      let heard = lastHeard(of: direction)
      half[direction].finish(end, at: packet, heard: heard, direction, &scene, &outputs)
    }
    if end == .evicted, closing.kind == .open { closing.kind = .evicted }
  }

  /// An ICMP error that quotes a packet of this connection.
  package mutating func receive(
    icmpType: UInt8, code: UInt8, quotedSenderIsLower: Bool, at packet: PacketRef, into outputs: inout ReassemblyOutputs
  ) {
    if handshake.synAck == nil, handshake.unreachable == nil { handshake.unreachable = packet }
    outputs.observe(
      TCPObservation(
        .icmpError, packet, direction(sentByLower: quotedSenderIsLower), value: UInt64(icmpType) << 8 | UInt64(code)))
  }
}
